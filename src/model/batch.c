#include "model/batch.h"

#include "text/special_tokens.h"

#include <assert.h>

typedef uint32_t (*LengthOf)(const TokenPair *pair);

static uint32_t source_length(const TokenPair *pair)
{
    return pair->source_length;
}

static uint32_t target_length(const TokenPair *pair)
{
    return pair->target_length;
}

static void layout(Batch *batch, Arena *arena, size_t count, size_t source_tokens,
                   size_t target_tokens, size_t source_steps, size_t target_steps)
{
    ragged_layout(&batch->source, arena, count, source_steps);
    batch->source_tokens = arena_take(arena, source_tokens, sizeof(int32_t));
    batch->source_pair = arena_take(arena, count, sizeof(uint32_t));
    if (target_steps == 0) return;
    ragged_layout(&batch->target, arena, count, target_steps);
    batch->input_tokens = arena_take(arena, target_tokens, sizeof(int32_t));
    batch->target_tokens = arena_take(arena, target_tokens, sizeof(int32_t));
    batch->target_pair = arena_take(arena, count, sizeof(uint32_t));
    batch->source_place = arena_take(arena, count, sizeof(uint32_t));
    batch->source_of = arena_take(arena, count, sizeof(uint32_t));
}

/* order (count) = the pairs' numbers, longest first, stable: a counting sort, whose table of steps
 * + 1 places and lengths (count) are scratch. */
static void sort_by_length(uint32_t *order, uint32_t *lengths, size_t *places,
                           const TokenPair *pairs, size_t count, size_t steps, LengthOf length_of)
{
    for (size_t l = 0; l <= steps; l++) places[l] = 0;
    for (size_t i = 0; i < count; i++) places[steps - length_of(&pairs[i])]++;
    size_t before = 0;
    for (size_t l = 0; l <= steps; l++) {
        size_t here = places[l];
        places[l] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t length = length_of(&pairs[i]);
        size_t place = places[steps - length]++;
        order[place] = (uint32_t)i;
        lengths[place] = length;
    }
}

static void fill_source(Batch *batch, size_t row_multiple)
{
    Ragged *source = &batch->source;
    sort_by_length(batch->source_pair, source->lengths, source->step_begin, batch->pairs,
                   source->count, source->steps, source_length);
    ragged_fill(source, source->lengths, row_multiple);
    for (size_t t = 0; t < source->steps; t++)
        for (size_t b = 0; b < ragged_rows(source, t); b++)
            batch->source_tokens[source->step_begin[t] + b] =
                batch->pairs[batch->source_pair[b]].source[t];
}

static void fill_target(Batch *batch, size_t row_multiple)
{
    Ragged *target = &batch->target;
    sort_by_length(batch->target_pair, target->lengths, target->step_begin, batch->pairs,
                   target->count, target->steps, target_length);
    ragged_fill(target, target->lengths, row_multiple);
    for (size_t t = 0; t < target->steps; t++)
        for (size_t b = 0; b < ragged_rows(target, t); b++) {
            const int32_t *tokens = batch->pairs[batch->target_pair[b]].target;
            size_t row = target->step_begin[t] + b;
            batch->input_tokens[row] = t == 0 ? TOKEN_BOS : tokens[t - 1];
            batch->target_tokens[row] = tokens[t];
        }
    // where the encoder put each pair: source_pair turned round
    for (size_t s = 0; s < target->count; s++)
        batch->source_place[batch->source_pair[s]] = (uint32_t)s;
    for (size_t place = 0; place < target->count; place++)
        batch->source_of[place] = batch->source_place[batch->target_pair[place]];
}

Status batch_fill(Batch *batch, Arena *arena, const TokenPair *pairs, size_t count,
                  bool with_targets, size_t row_multiple, Error *error)
{
    assert(count > 0);
    size_t source_tokens = 0, target_tokens = 0, source_steps = 0, target_steps = 0, links = 0;
    for (size_t i = 0; i < count; i++) {
        source_tokens += pairs[i].source_length;
        if (pairs[i].source_length > source_steps) source_steps = pairs[i].source_length;
        if (!with_targets) continue;
        target_tokens += pairs[i].target_length;
        links += pairs[i].link_count;
        if (pairs[i].target_length > target_steps) target_steps = pairs[i].target_length;
    }
    *batch = (Batch){.pairs = pairs, .links = links};
    Arena measure = arena_measuring();
    layout(batch, &measure, count, source_tokens, target_tokens, source_steps, target_steps);
    Status status = arena_reserve(arena, measure.high, error);
    if (status) return status;
    layout(batch, arena, count, source_tokens, target_tokens, source_steps, target_steps);
    fill_source(batch, row_multiple);
    if (with_targets) fill_target(batch, row_multiple);
    return STATUS_OK;
}
