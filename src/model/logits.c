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
                   const LinearParams *output, const BatchShortlist *candidates)
{
    size_t V = candidates ? candidates->longest : output->weight.rows;
    size_t quantum = candidates ? gemm_row_quantum() : ragged->quantum;
    size_t block = logits_rounded(quantum, rows < BLOCK_ROWS ? rows : BLOCK_ROWS);
    *logits = (Logits){.output = output, .candidates = candidates, .quantum = quantum};
    logits->all = take(arena, block, candidates ? candidates->weight.rows : 0);
    logits->values = take(arena, block, V);
    logits->maxima = take(arena, block, (V + KERNELS_SPAN - 1) / KERNELS_SPAN);
    logits->normalisers = arena_take(arena, block, sizeof(real));
}

void logits_clear(Logits *logits)
{
    logits->first = logits->end = 0;
}

/* Of `count` states: everyone's candidates in one product, and of each row those of its own sentence. */
static void compute_candidates(Logits *logits, Matrix states, const uint32_t *sentences,
                               size_t count)
{
    const Kernels *k = kernels();
    const BatchShortlist *candidates = logits->candidates;
    Matrix all = matrix_with_rows(logits->all, states.rows);
    gemm_forward(all, states, candidates->weight, GEMM_SET);
    for (size_t i = 0; i < count; i++) {
        real *own = matrix_row(logits->values, i);
        size_t own_count;
        (void)batch_shortlist_of(candidates, sentences[i], &own_count);
        batch_shortlist_pick(candidates, sentences[i], own, matrix_row(all, i));
        logits->normalisers[i] =
            k->log_sum_exp(own, matrix_row(logits->maxima, i),
                           batch_shortlist_bias(candidates, sentences[i]), own_count);
    }
}

void logits_compute(Logits *logits, Matrix states, const uint32_t *sentences, size_t row)
{
    assert(row < states.rows);
    if (row >= logits->first && row < logits->end) return;
    const Kernels *k = kernels();
    size_t block = logits->values.rows;
    size_t first = row / block * block;
    size_t count = states.rows - first < block ? states.rows - first : block;
    Matrix values = matrix_with_rows(logits->values, logits_rounded(logits->quantum, count));
    // rows beyond the last are computed and never read
    states.rows = first + values.rows;
    states = matrix_rows(states, first, values.rows);
    logits->first = first;
    logits->end = first + count;
    if (logits->candidates) {
        compute_candidates(logits, states, sentences + first, count);
        return;
    }
    gemm_forward(values, states, logits->output->weight, GEMM_SET);
    for (size_t i = 0; i < count; i++)
        logits->normalisers[i] =
            k->log_sum_exp(matrix_row(values, i), matrix_row(logits->maxima, i),
                           logits->output->bias, values.columns);
}
