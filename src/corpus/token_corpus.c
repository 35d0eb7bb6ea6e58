#include "corpus/token_corpus.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/special_tokens.h"

#include <assert.h>
#include <string.h>

static void append(TokenCorpus *corpus, const int32_t *tokens, size_t length)
{
    if (length) memcpy(corpus->tokens + corpus->token_count, tokens, length * sizeof *tokens);
    corpus->token_count += length;
    corpus->tokens[corpus->token_count++] = TOKEN_EOS;
}

Status token_corpus_add(TokenCorpus *corpus, const int32_t *source, size_t source_length,
                        const int32_t *target, size_t target_length, Error *error)
{
    size_t tokens = corpus->token_count + source_length + target_length + 2;
    TRY(array_reserve(&corpus->tokens, &corpus->token_capacity, tokens, "the corpus", error));
    TRY(array_reserve(&corpus->begin, &corpus->begin_capacity, corpus->count + 1, "the corpus",
                      error));
    TokenBegin *begin = &corpus->begin[corpus->count++];
    begin->source = corpus->token_count;
    append(corpus, source, source_length);
    begin->target = corpus->token_count;
    append(corpus, target, target_length);
    begin->links = corpus->link_count;
    return STATUS_OK;
}

Status token_corpus_link(TokenCorpus *corpus, const SubwordLink *links, size_t count, Error *error)
{
    assert(corpus->count && corpus->begin[corpus->count - 1].links == corpus->link_count);
    TRY(array_reserve(&corpus->links, &corpus->link_capacity, corpus->link_count + count,
                      "the corpus' links", error));
    if (count) memcpy(corpus->links + corpus->link_count, links, count * sizeof *links);
    corpus->link_count += count;
    return STATUS_OK;
}

static Status reserve(TokenCorpus *corpus, const TokenCorpus *more, Error *error)
{
    static const char purpose[] = "the corpus";
    TRY(array_reserve(&corpus->tokens, &corpus->token_capacity,
                      corpus->token_count + more->token_count, purpose, error));
    TRY(array_reserve(&corpus->begin, &corpus->begin_capacity, corpus->count + more->count, purpose,
                      error));
    return array_reserve(&corpus->links, &corpus->link_capacity,
                         corpus->link_count + more->link_count, purpose, error);
}

Status token_corpus_append(TokenCorpus *corpus, const TokenCorpus *more, Error *error)
{
    TRY(reserve(corpus, more, error));
    for (size_t i = 0; i < more->count; i++) {
        TokenBegin begin = more->begin[i];
        corpus->begin[corpus->count++] =
            (TokenBegin){begin.source + corpus->token_count, begin.target + corpus->token_count,
                         begin.links + corpus->link_count};
    }
    if (more->token_count)
        memcpy(corpus->tokens + corpus->token_count, more->tokens,
               more->token_count * sizeof *more->tokens);
    if (more->link_count)
        memcpy(corpus->links + corpus->link_count, more->links,
               more->link_count * sizeof *more->links);
    corpus->token_count += more->token_count;
    corpus->link_count += more->link_count;
    return STATUS_OK;
}

TokenPair token_corpus_pair(const TokenCorpus *corpus, size_t i)
{
    TokenBegin begin = corpus->begin[i];
    TokenBegin end = {.source = corpus->token_count, .links = corpus->link_count};
    if (i + 1 < corpus->count) end = corpus->begin[i + 1];
    size_t links = end.links - begin.links;
    return (TokenPair){.source = corpus->tokens + begin.source,
                       .target = corpus->tokens + begin.target,
                       .source_length = (uint32_t)(begin.target - begin.source),
                       .target_length = (uint32_t)(end.source - begin.target),
                       .link_count = (uint32_t)links,
                       .links = links ? corpus->links + begin.links : NULL};
}

void token_corpus_free(TokenCorpus *corpus)
{
    memory_free(corpus->tokens);
    memory_free(corpus->begin);
    memory_free(corpus->links);
    *corpus = (TokenCorpus){0};
}
