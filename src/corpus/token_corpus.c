#include "corpus/token_corpus.h"

#include "base/array.h"
#include "text/special_tokens.h"

// Appends a side at `room` and returns the place after it.
static char *put_side(char *room, const int32_t *tokens, size_t length)
{
    static const int32_t eos = TOKEN_EOS;
    if (length) memcpy(room, tokens, length * sizeof *tokens);
    memcpy(room + length * sizeof *tokens, &eos, sizeof eos);
    return room + (length + 1) * sizeof *tokens;
}

Status token_corpus_add(TokenCorpus *corpus, const int32_t *source, size_t source_length,
                        const int32_t *target, size_t target_length, Error *error)
{
    size_t begin = corpus_store_size(&corpus->store);
    size_t bytes = (source_length + target_length + 2) * sizeof(int32_t);
    char *room;
    TRY(array_reserve(&corpus->spans, &corpus->capacity, corpus->count + 1, "the corpus", error));
    TRY(corpus_store_extend(&corpus->store, &room, bytes, error));
    room = put_side(room, source, source_length);
    put_side(room, target, target_length);
    corpus->spans[corpus->count++] =
        (TokenSpan){begin, (uint32_t)source_length + 1, (uint32_t)target_length + 1};
    return STATUS_OK;
}

static size_t token_bytes(const TokenSpan *span)
{
    return ((size_t)span->source_length + span->target_length) * sizeof(int32_t);
}

static size_t pair_bytes(const TokenCorpus *corpus, size_t i)
{
    bool last = i + 1 == corpus->count;
    size_t end = last ? corpus_store_size(&corpus->store) : corpus->spans[i + 1].begin;
    return end - corpus->spans[i].begin;
}

Status token_corpus_link(TokenCorpus *corpus, const SubwordLink *links, size_t count, Error *error)
{
    // an odd number of links is filled up, so that the next pair's tokens are aligned
    size_t bytes = count * sizeof *links + count % 2 * sizeof(uint16_t);
    char *room;
    assert(corpus->count &&
           pair_bytes(corpus, corpus->count - 1) == token_bytes(&corpus->spans[corpus->count - 1]));
    TRY(corpus_store_extend(&corpus->store, &room, bytes, error));
    memset(room, 0, bytes);
    if (count) memcpy(room, links, count * sizeof *links);
    return STATUS_OK;
}

// A pair whose bytes are at `data`.
static TokenPair pair_at(const TokenCorpus *corpus, size_t i, const void *data)
{
    const TokenSpan *span = &corpus->spans[i];
    const int32_t *tokens = data;
    const SubwordLink *links = (const void *)((const char *)data + token_bytes(span));
    // rounded down: what an odd number of links is filled up with is less than a link
    size_t count = (pair_bytes(corpus, i) - token_bytes(span)) / sizeof *links;
    return (TokenPair){.source = tokens,
                       .target = tokens + span->source_length,
                       .source_length = span->source_length,
                       .target_length = span->target_length,
                       .link_count = (uint32_t)count,
                       .links = count ? links : NULL};
}

TokenPair token_corpus_pair(const TokenCorpus *corpus, size_t i)
{
    assert(!corpus->store.folder);
    return pair_at(corpus, i, corpus->store.tail + corpus->spans[i].begin);
}

Status token_corpus_view(const TokenCorpus *corpus, StoreWindow *window, TokenPair *pair, size_t i,
                         Error *error)
{
    const char *data;
    TRY(corpus_store_view(&corpus->store, window, &data, corpus->spans[i].begin,
                          pair_bytes(corpus, i), error));
    *pair = pair_at(corpus, i, data);
    return STATUS_OK;
}

size_t token_corpus_pair_bytes(const TokenCorpus *corpus, size_t i)
{
    return corpus->store.folder ? pair_bytes(corpus, i) : 0;
}

Status token_corpus_copy(const TokenCorpus *corpus, void *room, TokenPair *pair, size_t i,
                         Error *error)
{
    if (!corpus->store.folder) {
        *pair = token_corpus_pair(corpus, i);
        return STATUS_OK;
    }
    TRY(corpus_store_read(&corpus->store, room, corpus->spans[i].begin, pair_bytes(corpus, i),
                          error));
    *pair = pair_at(corpus, i, room);
    return STATUS_OK;
}

void token_corpus_expect(const TokenCorpus *corpus, size_t i)
{
    corpus_store_expect(&corpus->store, corpus->spans[i].begin, pair_bytes(corpus, i));
}

void token_corpus_free(TokenCorpus *corpus)
{
    corpus_store_free(&corpus->store);
    memory_free(corpus->spans);
    *corpus = (TokenCorpus){0};
}
