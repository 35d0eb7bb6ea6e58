#include "model/logits.h"

#include "tensor/kernels.h"

#include <assert.h>

// So many rows of 8000 logits are 2 MB, what a core's own cache holds.
enum { BLOCK_ROWS = 64 };

static Matrix take(Arena *arena, size_t rows, size_t columns)
{
    return matrix_of(arena_take(arena, rows * columns, sizeof(real)), rows, columns);
}

void logits_layout(Logits *logits, Arena *arena, const Ragged *ragged, size_t rows,
                   const LinearParams *output)
{
    size_t V = output->weight.rows, block = ragged_rounded(ragged, BLOCK_ROWS);
    if (block > ragged_rounded(ragged, rows)) block = ragged_rounded(ragged, rows);
    *logits = (Logits){.output = output, .quantum = ragged->quantum};
    logits->values = take(arena, block, V);
    logits->maxima = take(arena, block, (V + KERNELS_SPAN - 1) / KERNELS_SPAN);
    logits->normalisers = arena_take(arena, block, sizeof(real));
}

void logits_clear(Logits *logits)
{
    logits->first = logits->end = 0;
}

void logits_compute(Logits *logits, Matrix states, size_t row)
{
    assert(row < states.rows);
    if (row >= logits->first && row < logits->end) return;
    const Kernels *k = kernels();
    size_t block = logits->values.rows, q = logits->quantum;
    size_t first = row / block * block;
    size_t count = states.rows - first < block ? states.rows - first : block;
    Matrix values = matrix_with_rows(logits->values, (count + q - 1) / q * q);
    // rows beyond the last are computed and never read
    states.rows = first + values.rows;
    gemm_forward(values, matrix_rows(states, first, values.rows), logits->output->weight, GEMM_SET);
    for (size_t i = 0; i < count; i++)
        logits->normalisers[i] =
            k->log_sum_exp(matrix_row(values, i), matrix_row(logits->maxima, i),
                           logits->output->bias, values.columns);
    logits->first = first;
    logits->end = first + count;
}
