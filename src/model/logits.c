#include "model/logits.h"

#include "math/kernels.h"

#include <assert.h>

// So many rows of 8000 logits are 2 MB, what a core's own cache holds.
enum { BLOCK_ROWS = 64 };

void logits_layout(Logits *logits, Arena *arena, const Ragged *ragged, size_t rows,
                   const LinearParams *output, const BatchShortlist *candidates)
{
    size_t V = candidates ? candidates->longest : output->weight.matrix.rows;
    size_t block = ragged_rounded(ragged, BLOCK_ROWS);
    // with candidates rows are short; and a sentence's are never parted, since four at once may have other bits than one
    if (candidates || block > ragged_rounded(ragged, rows)) block = ragged_rounded(ragged, rows);
    *logits =
        (Logits){.output = output, .candidates = candidates, .row_multiple = ragged->row_multiple};
    logits->values = matrix_take(arena, block, V);
    logits->maxima = matrix_take(arena, block, (V + KERNELS_SPAN - 1) / KERNELS_SPAN);
    logits->log_zs = arena_take(arena, block, sizeof(real));
}

void logits_clear(Logits *logits)
{
    logits->first = logits->end = 0;
}

/* The products of `count` states with the candidates of their sentences: rows of one sentence stand together, and
 * they alone are multiplied together. */
static void multiply_candidates(Logits *logits, Matrix states, const uint32_t *sentences,
                                size_t count)
{
    Matrix weight = logits->output->weight.matrix;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sentences[end] == sentences[i];) end++;
        size_t own;
        const int32_t *ids = batch_shortlist_of(logits->candidates, sentences[i], &own);
        kernels()->gemv_gathered(matrix_row(logits->values, i), logits->values.stride,
                                 matrix_row(states, i), end - i, weight.values, ids, own,
                                 weight.columns);
    }
}

/* How many logits a row has, and their biases. */
static const real *bias_of(const Logits *logits, const uint32_t *sentences, size_t row,
                           size_t *count)
{
    *count = logits->output->weight.matrix.rows;
    if (!logits->candidates) return logits->output->bias;
    (void)batch_shortlist_of(logits->candidates, sentences[row], count);
    return batch_shortlist_bias(logits->candidates, sentences[row]);
}

void logits_compute(Logits *logits, Matrix states, const uint32_t *sentences, size_t row)
{
    assert(row < states.rows);
    if (row >= logits->first && row < logits->end) return;
    const Kernels *k = kernels();
    size_t block = logits->values.rows, q = logits->row_multiple;
    size_t first = row / block * block;
    size_t count = states.rows - first < block ? states.rows - first : block;
    Matrix values = matrix_with_rows(logits->values, (count + q - 1) / q * q);
    // rows beyond the last are computed and never read
    states.rows = first + values.rows;
    states = matrix_rows(states, first, values.rows);
    if (logits->candidates)
        multiply_candidates(logits, states, sentences + first, count);
    else
        product_forward(values, states, logits->output->weight, PRODUCT_SET);
    for (size_t i = 0; i < count; i++) {
        size_t own;
        const real *bias = bias_of(logits, sentences, first + i, &own);
        logits->log_zs[i] =
            k->log_sum_exp(matrix_row(values, i), matrix_row(logits->maxima, i), bias, own);
    }
    logits->first = first;
    logits->end = first + count;
}
