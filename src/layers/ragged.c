#include "layers/ragged.h"

void ragged_layout(Ragged *ragged, Arena *arena, size_t count, size_t steps)
{
    ragged->count = count;
    ragged->steps = steps;
    ragged->lengths = arena_take(arena, count, sizeof *ragged->lengths);
    ragged->step_begin = arena_take(arena, steps + 1, sizeof *ragged->step_begin);
    ragged->sentence_begin = arena_take(arena, count + 1, sizeof *ragged->sentence_begin);
}

void ragged_fill(Ragged *ragged, const uint32_t *lengths, size_t row_multiple)
{
    size_t running = ragged->count;
    assert(running > 0 && lengths[0] == ragged->steps);
    ragged->row_multiple = row_multiple;
    ragged->sentence_begin[0] = 0;
    for (size_t b = 0; b < ragged->count; b++) {
        assert(lengths[b] > 0 && (b == 0 || lengths[b] <= lengths[b - 1]));
        ragged->lengths[b] = lengths[b];
        ragged->sentence_begin[b + 1] = ragged->sentence_begin[b] + lengths[b];
    }
    ragged->tokens = ragged->sentence_begin[ragged->count];
    ragged->step_begin[0] = 0;
    for (size_t t = 0; t < ragged->steps; t++) {
        while (running > 0 && lengths[running - 1] <= t) running--;
        ragged->step_begin[t + 1] = ragged->step_begin[t] + running;
    }
}
