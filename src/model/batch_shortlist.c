#include "model/batch_shortlist.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

void batch_shortlist_free(BatchShortlist *candidates)
{
    memory_free(candidates->begin);
    memory_free(candidates->ids);
    memory_free(candidates->bias);
    memory_free(candidates->marks);
    *candidates = (BatchShortlist){0};
}

// Memory that depends on the number of sentences and on the vocabulary.
static Status prepare(BatchShortlist *candidates, size_t sentences, size_t vocabulary, Error *error)
{
    size_t *begin = memory_resize(candidates->begin, sentences + 1, sizeof *begin);
    if (begin) candidates->begin = begin;
    unsigned char *marks = memory_resize(candidates->marks, vocabulary, sizeof *marks);
    if (marks) candidates->marks = marks;
    if (begin && marks) return STATUS_OK;
    return error_memory(error, vocabulary + sentences * sizeof *begin, "a shortlist");
}

// Memory for all candidates of all sentences.
static Status prepare_ids(BatchShortlist *candidates, size_t count, Error *error)
{
    int32_t *ids = memory_resize(candidates->ids, count, sizeof *ids);
    if (ids) candidates->ids = ids;
    real *bias = memory_resize(candidates->bias, count, sizeof *bias);
    if (bias) candidates->bias = bias;
    if (ids && bias) return STATUS_OK;
    return error_memory(error, count * (sizeof *ids + sizeof *bias), "a shortlist");
}

static void mark_all(unsigned char *marks, const int32_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) marks[ids[i]] = 1;
}

/* Marks a sentence's candidates. */
static void mark_sentence(unsigned char *marks, const Shortlist *shortlist,
                          const ModelConfig *config, const TokenPair *sentence)
{
    memset(marks, 0, config->target_vocabulary);
    mark_all(marks, shortlist->always, shortlist->always_count);
    for (size_t j = 0; j < sentence->source_length; j++) {
        int32_t token = sentence->source[j];
        size_t begin = (size_t)shortlist->begin[token];
        mark_all(marks, shortlist->ids + begin, (size_t)shortlist->begin[token + 1] - begin);
        if (config->joint) marks[token] = 1;
    }
}

Status batch_shortlist_fill(BatchShortlist *candidates, const Shortlist *shortlist,
                            const ModelConfig *config, const Batch *batch, const real *bias,
                            Error *error)
{
    size_t V = config->target_vocabulary, sentences = batch->source.count;
    Status status = prepare(candidates, sentences, V, error);
    if (status) return status;
    candidates->begin[0] = candidates->longest = 0;
    for (size_t place = 0; place < sentences && !status; place++) {
        unsigned char *marks = candidates->marks;
        mark_sentence(marks, shortlist, config, &batch->pairs[batch->source_pair[place]]);
        size_t begin = candidates->begin[place], count = 0;
        for (size_t id = 0; id < V; id++) count += marks[id];
        candidates->begin[place + 1] = begin + count;
        assert(count > 0); // the special tokens are among them
        if (count > candidates->longest) candidates->longest = count;
        status = prepare_ids(candidates, begin + count, error);
        for (size_t id = 0, next = begin; id < V && !status; id++) {
            if (!marks[id]) continue;
            candidates->ids[next] = (int32_t)id;
            candidates->bias[next++] = bias[id];
        }
    }
    return status;
}

const int32_t *batch_shortlist_of(const BatchShortlist *candidates, size_t place, size_t *count)
{
    *count = candidates->begin[place + 1] - candidates->begin[place];
    return candidates->ids + candidates->begin[place];
}

const real *batch_shortlist_bias(const BatchShortlist *candidates, size_t place)
{
    return candidates->bias + candidates->begin[place];
}
