#include "model/batch_shortlist.h"

#include "base/memory.h"

#include <string.h>

void batch_shortlist_free(BatchShortlist *batch)
{
    memory_free(batch->weight.values);
    memory_free(batch->begin);
    memory_free(batch->ids);
    memory_free(batch->places);
    memory_free(batch->bias);
    memory_free(batch->marks[0]);
    memory_free(batch->marks[1]);
    memory_free(batch->place_of);
    *batch = (BatchShortlist){0};
}

/* Room for what depends on the number of sources and on the vocabulary. */
static Status prepare(BatchShortlist *batch, size_t count, size_t vocabulary, Error *error)
{
    size_t *begin = memory_resize(batch->begin, count + 1, sizeof *begin);
    if (begin) batch->begin = begin;
    unsigned char *own = memory_resize(batch->marks[0], vocabulary, sizeof *own);
    if (own) batch->marks[0] = own;
    unsigned char *all = memory_resize(batch->marks[1], vocabulary, sizeof *all);
    if (all) batch->marks[1] = all;
    uint32_t *place_of = memory_resize(batch->place_of, vocabulary, sizeof *place_of);
    if (place_of) batch->place_of = place_of;
    if (begin && own && all && place_of) return STATUS_OK;
    return error_memory(error, vocabulary * sizeof *place_of, "a shortlist");
}

// Room for all candidates of all sources.
static Status prepare_candidates(BatchShortlist *batch, size_t candidates, Error *error)
{
    int32_t *ids = memory_resize(batch->ids, candidates, sizeof *ids);
    if (ids) batch->ids = ids;
    uint32_t *places = memory_resize(batch->places, candidates, sizeof *places);
    if (places) batch->places = places;
    real *bias = memory_resize(batch->bias, candidates, sizeof *bias);
    if (bias) batch->bias = bias;
    if (ids && places && bias) return STATUS_OK;
    return error_memory(error, candidates * sizeof *ids, "a shortlist");
}

static void mark_all(unsigned char *marks, const int32_t *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) marks[ids[i]] = 1;
}

/* What a batch's candidates are found for. */
typedef struct Wanted {
    const Shortlist *shortlist;
    bool joint;
    const TokenPair *sources; // (count)
    size_t count, vocabulary;
} Wanted;

static void mark_source(unsigned char *marks, const Wanted *wanted, const TokenPair *source)
{
    const Shortlist *shortlist = wanted->shortlist;
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

/* Lists each source's candidates and marks them all in marks[1]; first they are counted. */
static Status list_candidates(BatchShortlist *batch, const Wanted *wanted, Error *error)
{
    unsigned char *own = batch->marks[0], *all = batch->marks[1];
    batch->begin[0] = batch->longest = 0;
    for (size_t i = 0; i < wanted->count; i++) {
        mark_source(own, wanted, &wanted->sources[i]);
        size_t marks = count_marks(own, wanted->vocabulary);
        batch->begin[i + 1] = batch->begin[i] + marks;
        if (marks > batch->longest) batch->longest = marks;
    }
    Status status = prepare_candidates(batch, batch->begin[wanted->count], error);
    if (status) return status;
    memset(all, 0, wanted->vocabulary);
    int32_t *next = batch->ids;
    for (size_t i = 0; i < wanted->count; i++) {
        mark_source(own, wanted, &wanted->sources[i]);
        for (size_t id = 0; id < wanted->vocabulary; id++) {
            if (!own[id]) continue;
            *next++ = (int32_t)id;
            all[id] = 1;
        }
    }
    return STATUS_OK;
}

/* Copies the rows of everyone's candidates out of the output layer. */
static Status gather_rows(BatchShortlist *batch, const LinearParams *output, Error *error)
{
    size_t V = output->weight.rows, E = output->weight.columns;
    size_t rows = count_marks(batch->marks[1], V);
    size_t padded = rows < GEMM_FEW_OUTPUTS ? GEMM_FEW_OUTPUTS : rows;
    if (padded > batch->rows_capacity) {
        size_t capacity = memory_grown(batch->rows_capacity, padded);
        memory_free(batch->weight.values);
        batch->rows_capacity = 0;
        batch->weight.values = memory_aligned(capacity * E, sizeof(real));
        if (!batch->weight.values)
            return error_memory(error, capacity * E * sizeof(real), "a shortlist's output layer");
        batch->rows_capacity = capacity;
    }
    batch->weight = matrix_of(batch->weight.values, padded, E);
    size_t place = 0;
    for (size_t id = 0; id < V; id++) {
        if (!batch->marks[1][id]) continue;
        batch->place_of[id] = (uint32_t)place;
        memcpy(matrix_row(batch->weight, place++), matrix_row(output->weight, id),
               E * sizeof(real));
    }
    // a product of fewer outputs would be computed in another way, with other bits
    memset(batch->weight.values + rows * E, 0, (padded - rows) * E * sizeof(real));
    return STATUS_OK;
}

Status batch_shortlist_fill(BatchShortlist *batch, const Shortlist *shortlist, bool joint,
                            const TokenPair *sources, size_t count, const LinearParams *output,
                            Error *error)
{
    const Wanted wanted = {shortlist, joint, sources, count, output->weight.rows};
    Status status = prepare(batch, count, wanted.vocabulary, error);
    if (!status) status = list_candidates(batch, &wanted, error);
    if (!status) status = gather_rows(batch, output, error);
    if (status) return status;
    for (size_t i = 0; i < batch->begin[count]; i++) {
        batch->places[i] = batch->place_of[batch->ids[i]];
        batch->bias[i] = output->bias[batch->ids[i]];
    }
    return STATUS_OK;
}

void batch_shortlist_pick(const BatchShortlist *batch, size_t source, real *own, const real *all)
{
    size_t begin = batch->begin[source], count = batch->begin[source + 1] - begin;
    const uint32_t *places = batch->places + begin;
    const real *bias = batch->bias + begin;
    for (size_t i = 0; i < count; i++) own[i] = all[places[i]] + bias[i];
}
