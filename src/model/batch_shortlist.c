#include "model/batch_shortlist.h"

#include "base/memory.h"

#include <string.h>

void batch_shortlist_free(BatchShortlist *candidates)
{
    memory_free(candidates->weight.values);
    memory_free(candidates->begin);
    memory_free(candidates->ids);
    memory_free(candidates->places);
    memory_free(candidates->bias);
    memory_free(candidates->marks[0]);
    memory_free(candidates->marks[1]);
    memory_free(candidates->place_of);
    *candidates = (BatchShortlist){0};
}

/* Room for what depends on the number of sentences and on the vocabulary. */
static Status prepare(BatchShortlist *candidates, size_t count, size_t vocabulary, Error *error)
{
    size_t *begin = memory_resize(candidates->begin, count + 1, sizeof *begin);
    if (begin) candidates->begin = begin;
    unsigned char *own = memory_resize(candidates->marks[0], vocabulary, sizeof *own);
    if (own) candidates->marks[0] = own;
    unsigned char *all = memory_resize(candidates->marks[1], vocabulary, sizeof *all);
    if (all) candidates->marks[1] = all;
    uint32_t *place_of = memory_resize(candidates->place_of, vocabulary, sizeof *place_of);
    if (place_of) candidates->place_of = place_of;
    if (begin && own && all && place_of) return STATUS_OK;
    return error_memory(error, vocabulary * sizeof *place_of, "a shortlist");
}

// Room for all candidates of all sentences.
static Status prepare_candidates(BatchShortlist *candidates, size_t count, Error *error)
{
    int32_t *ids = memory_resize(candidates->ids, count, sizeof *ids);
    if (ids) candidates->ids = ids;
    uint32_t *places = memory_resize(candidates->places, count, sizeof *places);
    if (places) candidates->places = places;
    real *bias = memory_resize(candidates->bias, count, sizeof *bias);
    if (bias) candidates->bias = bias;
    if (ids && places && bias) return STATUS_OK;
    return error_memory(error, count * sizeof *ids, "a shortlist");
}

static void mark_all(unsigned char *marks, const int32_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) marks[ids[i]] = 1;
}

/* What a batch's candidates are found for. */
typedef struct Wanted {
    const Shortlist *shortlist;
    bool joint;
    const Batch *batch;
    size_t vocabulary;
} Wanted;

/* Marks the candidates of the sentence at a place of the encoder's order. */
static void mark_sentence(unsigned char *marks, const Wanted *wanted, size_t place)
{
    const Shortlist *shortlist = wanted->shortlist;
    const TokenPair *source = &wanted->batch->pairs[wanted->batch->source_pair[place]];
    memset(marks, 0, wanted->vocabulary);
    mark_all(marks, shortlist->always, shortlist->always_count);
    for (size_t j = 0; j < source->source_length; j++) {
        int32_t token = source->source[j];
        size_t begin = (size_t)shortlist->begin[token];
        mark_all(marks, shortlist->ids + begin, (size_t)shortlist->begin[token + 1] - begin);
        if (wanted->joint) marks[token] = 1;
    }
}

static size_t count_marks(const unsigned char *marks, size_t vocabulary)
{
    size_t count = 0;
    for (size_t id = 0; id < vocabulary; id++) count += marks[id];
    return count;
}

/* Lists each sentence's candidates and marks them all in marks[1]; first they are counted. */
static Status list_candidates(BatchShortlist *candidates, const Wanted *wanted, Error *error)
{
    unsigned char *own = candidates->marks[0], *all = candidates->marks[1];
    candidates->begin[0] = candidates->longest = 0;
    for (size_t i = 0; i < wanted->batch->source.count; i++) {
        mark_sentence(own, wanted, i);
        size_t marks = count_marks(own, wanted->vocabulary);
        candidates->begin[i + 1] = candidates->begin[i] + marks;
        if (marks > candidates->longest) candidates->longest = marks;
    }
    Status status =
        prepare_candidates(candidates, candidates->begin[wanted->batch->source.count], error);
    if (status) return status;
    memset(all, 0, wanted->vocabulary);
    int32_t *next = candidates->ids;
    for (size_t i = 0; i < wanted->batch->source.count; i++) {
        mark_sentence(own, wanted, i);
        for (size_t id = 0; id < wanted->vocabulary; id++) {
            if (!own[id]) continue;
            *next++ = (int32_t)id;
            all[id] = 1;
        }
    }
    return STATUS_OK;
}

/* Copies the rows of everyone's candidates out of the output layer. */
static Status gather_rows(BatchShortlist *candidates, const LinearParams *output, Error *error)
{
    size_t V = output->weight.rows, E = output->weight.columns;
    size_t rows = count_marks(candidates->marks[1], V);
    size_t padded = rows < GEMM_FEW_OUTPUTS ? GEMM_FEW_OUTPUTS : rows;
    if (padded > candidates->rows_capacity) {
        size_t capacity = memory_grown(candidates->rows_capacity, padded);
        memory_free(candidates->weight.values);
        candidates->rows_capacity = 0;
        candidates->weight.values = memory_aligned(capacity * E, sizeof(real));
        if (!candidates->weight.values)
            return error_memory(error, capacity * E * sizeof(real), "a shortlist's output layer");
        candidates->rows_capacity = capacity;
    }
    candidates->weight = matrix_of(candidates->weight.values, padded, E);
    size_t place = 0;
    for (size_t id = 0; id < V; id++) {
        if (!candidates->marks[1][id]) continue;
        candidates->place_of[id] = (uint32_t)place;
        memcpy(matrix_row(candidates->weight, place++), matrix_row(output->weight, id),
               E * sizeof(real));
    }
    // a product of fewer outputs would be computed in another way, with other bits
    memset(candidates->weight.values + rows * E, 0, (padded - rows) * E * sizeof(real));
    return STATUS_OK;
}

Status batch_shortlist_fill(BatchShortlist *candidates, const Shortlist *shortlist, bool joint,
                            const Batch *batch, const LinearParams *output, Error *error)
{
    const Wanted wanted = {shortlist, joint, batch, output->weight.rows};
    Status status = prepare(candidates, batch->source.count, wanted.vocabulary, error);
    if (!status) status = list_candidates(candidates, &wanted, error);
    if (!status) status = gather_rows(candidates, output, error);
    if (status) return status;
    for (size_t i = 0; i < candidates->begin[batch->source.count]; i++) {
        candidates->places[i] = candidates->place_of[candidates->ids[i]];
        candidates->bias[i] = output->bias[candidates->ids[i]];
    }
    return STATUS_OK;
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

void batch_shortlist_pick(const BatchShortlist *candidates, size_t place, real *own,
                          const real *all)
{
    size_t begin = candidates->begin[place], count = candidates->begin[place + 1] - begin;
    const uint32_t *places = candidates->places + begin;
    for (size_t i = 0; i < count; i++) own[i] = all[places[i]];
}
