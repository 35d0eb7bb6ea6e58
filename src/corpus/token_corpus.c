#include "corpus/token_corpus.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/special_tokens.h"

#include <assert.h>
#include <string.h>

static Status make_room(TokenCorpus *corpus, size_t tokens, Error *error)
{
    Status status = array_reserve(&corpus->tokens, &corpus->token_capacity,
                                  corpus->token_count + tokens, "the corpus", error);
    if (status) return status;
    return array_reserve(&corpus->begin, &corpus->begin_capacity, 2 * corpus->count + 2,
                         "the corpus", error);
}

static void append(TokenCorpus *corpus, const int32_t *tokens, size_t length)
{
    if (length) memcpy(corpus->tokens + corpus->token_count, tokens, length * sizeof *tokens);
    corpus->token_count += length;
    corpus->tokens[corpus->token_count++] = TOKEN_EOS;
}

Status token_corpus_add(TokenCorpus *corpus, const int32_t *source, size_t source_length,
                        const int32_t *target, size_t target_length, Error *error)
{
    Status status = make_room(corpus, source_length + target_length + 2, error);
    if (status) return status;
    corpus->begin[2 * corpus->count] = corpus->token_count;
    append(corpus, source, source_length);
    corpus->begin[2 * corpus->count + 1] = corpus->token_count;
    append(corpus, target, target_length);
    corpus->count++;
    return STATUS_OK;
}

static Status make_room_for_links(TokenCorpus *corpus, size_t links, Error *error)
{
    Status status = array_reserve(&corpus->links, &corpus->link_capacity,
                                  corpus->link_count + links, "the corpus' links", error);
    if (status) return status;
    return array_reserve(&corpus->link_begin, &corpus->linked_capacity, corpus->count,
                         "the corpus' links", error);
}

Status token_corpus_link(TokenCorpus *corpus, const SubwordLink *links, size_t count, Error *error)
{
    assert(corpus->count > corpus->linked);
    Status status = make_room_for_links(corpus, count, error);
    if (status) return status;
    // pairs before this one without given links have none
    while (corpus->linked < corpus->count)
        corpus->link_begin[corpus->linked++] = corpus->link_count;
    if (count) memcpy(corpus->links + corpus->link_count, links, count * sizeof *links);
    corpus->link_count += count;
    return STATUS_OK;
}

TokenPair token_corpus_pair(const TokenCorpus *corpus, size_t i)
{
    size_t source = corpus->begin[2 * i], target = corpus->begin[2 * i + 1];
    size_t end = i + 1 < corpus->count ? corpus->begin[2 * i + 2] : corpus->token_count;
    TokenPair pair = {.source = corpus->tokens + source,
                      .target = corpus->tokens + target,
                      .source_length = (uint32_t)(target - source),
                      .target_length = (uint32_t)(end - target)};
    if (i >= corpus->linked) return pair;
    size_t first = corpus->link_begin[i];
    size_t last = i + 1 < corpus->linked ? corpus->link_begin[i + 1] : corpus->link_count;
    pair.link_count = (uint32_t)(last - first);
    if (pair.link_count) pair.links = corpus->links + first;
    return pair;
}

void token_corpus_free(TokenCorpus *corpus)
{
    memory_free(corpus->tokens);
    memory_free(corpus->begin);
    memory_free(corpus->links);
    memory_free(corpus->link_begin);
    *corpus = (TokenCorpus){0};
}
