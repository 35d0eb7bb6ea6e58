#include "model/batch.h"

#include "text/special_tokens.h"

#include <assert.h>
#include <string.h>

typedef enum Side { SOURCE, TARGET } Side;

static uint32_t length_of(const TokenPair *pair, Side side)
{
    return side == SOURCE ? pair->source_length : pair->target_length;
}

// What a batch holds, counted.
typedef struct Counts {
    size_t pairs, links;
    size_t source_tokens, target_tokens;
    size_t source_steps,
        target_steps; // the longest of either side; no target steps without targets
} Counts;

static Counts count_pairs(const TokenPair *pairs, size_t count, bool with_targets)
{
    Counts counts = {.pairs = count};
    for (size_t i = 0; i < count; i++) {
        const TokenPair *pair = &pairs[i];
        counts.source_tokens += pair->source_length;
        if (pair->source_length > counts.source_steps) counts.source_steps = pair->source_length;
        if (!with_targets) continue;
        counts.target_tokens += pair->target_length;
        counts.links += pair->link_count;
        if (pair->target_length > counts.target_steps) counts.target_steps = pair->target_length;
    }
    return counts;
}

static void layout(Batch *batch, Arena *arena, const Counts *counts)
{
    ragged_layout(&batch->source, arena, counts->pairs, counts->source_steps);
    batch->source_tokens = arena_take(arena, counts->source_tokens, sizeof(int32_t));
    batch->source_pair = arena_take(arena, counts->pairs, sizeof(uint32_t));
    batch->source_place = arena_take(arena, counts->pairs, sizeof(uint32_t));
    batch->source_of = arena_take(arena, counts->pairs, sizeof(uint32_t));
    if (counts->target_steps == 0) return;
    ragged_layout(&batch->target, arena, counts->pairs, counts->target_steps);
    batch->input_tokens = arena_take(arena, counts->target_tokens, sizeof(int32_t));
    batch->target_tokens = arena_take(arena, counts->target_tokens, sizeof(int32_t));
    batch->target_pair = arena_take(arena, counts->pairs, sizeof(uint32_t));
}

/* order (count) = the pairs' numbers, longest first, stable: a counting sort. Sets ragged->lengths
 * in that order; ragged->step_begin, of steps + 1 places, is scratch. */
static void sort_by_length(uint32_t *order, Ragged *ragged, const TokenPair *pairs, Side side)
{
    size_t *places = ragged->step_begin;
    for (size_t l = 0; l <= ragged->steps; l++) places[l] = 0;
    for (size_t i = 0; i < ragged->count; i++) places[ragged->steps - length_of(&pairs[i], side)]++;
    size_t before = 0;
    for (size_t l = 0; l <= ragged->steps; l++) {
        size_t here = places[l];
        places[l] = before;
        before += here;
    }
    for (size_t i = 0; i < ragged->count; i++) {
        uint32_t length = length_of(&pairs[i], side);
        size_t place = places[ragged->steps - length]++;
        order[place] = (uint32_t)i;
        ragged->lengths[place] = length;
    }
}

static void fill_source(Batch *batch, size_t row_multiple)
{
    Ragged *source = &batch->source;
    sort_by_length(batch->source_pair, source, batch->pairs, SOURCE);
    ragged_fill(source, source->lengths, row_multiple);
    for (size_t t = 0; t < source->steps; t++)
        for (size_t b = 0; b < ragged_rows(source, t); b++)
            batch->source_tokens[source->step_begin[t] + b] =
                batch->pairs[batch->source_pair[b]].source[t];
    for (size_t place = 0; place < source->count; place++) // source_pair inverted
        batch->source_place[batch->source_pair[place]] = (uint32_t)place;
}

static void fill_target(Batch *batch, size_t row_multiple)
{
    Ragged *target = &batch->target;
    sort_by_length(batch->target_pair, target, batch->pairs, TARGET);
    ragged_fill(target, target->lengths, row_multiple);
    for (size_t t = 0; t < target->steps; t++)
        for (size_t b = 0; b < ragged_rows(target, t); b++) {
            const int32_t *tokens = batch->pairs[batch->target_pair[b]].target;
            size_t row = target->step_begin[t] + b;
            batch->input_tokens[row] = t == 0 ? TOKEN_BOS : tokens[t - 1];
            batch->target_tokens[row] = tokens[t];
        }
    for (size_t place = 0; place < target->count; place++)
        batch->source_of[place] = batch->source_place[batch->target_pair[place]];
}

Status batch_fill(Batch *batch, Arena *arena, const TokenPair *pairs, size_t count, BatchForm form,
                  Error *error)
{
    assert(count > 0);
    Counts counts = count_pairs(pairs, count, form.with_targets);
    *batch = (Batch){.pairs = pairs, .links = counts.links};
    Arena measure = arena_measuring();
    layout(batch, &measure, &counts);
    Status status = arena_reserve(arena, measure.high, error);
    if (status) return status;
    layout(batch, arena, &counts);
    fill_source(batch, form.row_multiple);
    if (form.with_targets)
        fill_target(batch, form.row_multiple);
    else
        memcpy(batch->source_of, batch->source_place, count * sizeof *batch->source_of);
    return STATUS_OK;
}
