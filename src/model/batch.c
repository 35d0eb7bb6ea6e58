#include "model/batch.h"

#include "text/special_tokens.h"

typedef enum Side { SOURCE, TARGET } Side;

static uint32_t length_of(const TokenPair *pair, Side side)
{
    return side == SOURCE ? pair->source_length : pair->target_length;
}

// The sizes of one side of the pairs.
static Ragged sizes_of(const TokenPair *pairs, size_t count, Side side)
{
    Ragged sizes = {.count = count};
    for (size_t i = 0; i < count; i++) {
        uint32_t length = length_of(&pairs[i], side);
        sizes.tokens += length;
        if (length > sizes.steps) sizes.steps = length;
    }
    return sizes;
}

// From the sizes of batch->source and, unless that is empty, ->target.
static void layout(Batch *batch, Arena *arena)
{
    Ragged *source = &batch->source, *target = &batch->target;
    ragged_layout(source, arena, source->count, source->steps);
    batch->source_tokens = arena_take(arena, source->tokens, sizeof(int32_t));
    batch->source_pair = arena_take(arena, source->count, sizeof(uint32_t));
    batch->source_place = arena_take(arena, source->count, sizeof(uint32_t));
    batch->source_of = arena_take(arena, source->count, sizeof(uint32_t));
    if (target->count == 0) return;
    ragged_layout(target, arena, target->count, target->steps);
    batch->input_tokens = arena_take(arena, target->tokens, sizeof(int32_t));
    batch->target_tokens = arena_take(arena, target->tokens, sizeof(int32_t));
    batch->target_pair = arena_take(arena, target->count, sizeof(uint32_t));
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
    *batch = (Batch){.source = sizes_of(pairs, count, SOURCE), .pairs = pairs};
    if (form.with_targets) batch->target = sizes_of(pairs, count, TARGET);
    for (size_t i = 0; form.with_targets && i < count; i++) batch->links += pairs[i].link_count;
    TRY(arena_lay_out(arena, layout(batch, arena), error));
    fill_source(batch, form.row_multiple);
    if (form.with_targets)
        fill_target(batch, form.row_multiple);
    else
        memcpy(batch->source_of, batch->source_place, count * sizeof *batch->source_of);
    return STATUS_OK;
}
