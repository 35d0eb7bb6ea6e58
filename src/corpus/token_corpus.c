#include "corpus/token_corpus.h"

#include "base/memory.h"
#include "base/special_tokens.h"

#include <string.h>

static Status make_room(TokenCorpus *corpus, size_t tokens, Error *error)
{
    if (corpus->token_count + tokens > corpus->token_capacity) {
        size_t capacity = memory_grown(corpus->token_capacity, corpus->token_count + tokens);
        int32_t *grown = memory_resize(corpus->tokens, capacity, sizeof *grown);
        if (!grown) return error_memory(error, capacity * sizeof *grown, "the corpus");
        corpus->tokens = grown;
        corpus->token_capacity = capacity;
    }
    if (2 * corpus->count + 2 > corpus->begin_capacity) {
        size_t capacity = memory_grown(corpus->begin_capacity, 2 * corpus->count + 2);
        size_t *grown = memory_resize(corpus->begin, capacity, sizeof *grown);
        if (!grown) return error_memory(error, capacity * sizeof *grown, "the corpus");
        corpus->begin = grown;
        corpus->begin_capacity = capacity;
    }
    return STATUS_OK;
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

TokenPair token_corpus_pair(const TokenCorpus *corpus, size_t i)
{
    size_t source = corpus->begin[2 * i], target = corpus->begin[2 * i + 1];
    size_t end = i + 1 < corpus->count ? corpus->begin[2 * i + 2] : corpus->token_count;
    return (TokenPair){.source = corpus->tokens + source,
                       .target = corpus->tokens + target,
                       .source_length = (uint32_t)(target - source),
                       .target_length = (uint32_t)(end - target)};
}

void token_corpus_free(TokenCorpus *corpus)
{
    memory_free(corpus->tokens);
    memory_free(corpus->begin);
    *corpus = (TokenCorpus){0};
}
