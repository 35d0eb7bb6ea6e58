#include "layers/loss.h"

#include "tensor/kernels.h"

#include <string.h>

static size_t chunk_rows(size_t tokens)
{
    return tokens < LOSS_CHUNK ? tokens : LOSS_CHUNK;
}

static size_t rounded(size_t rows, size_t quantum)
{
    return (rows + quantum - 1) / quantum * quantum;
}

void loss_acts_layout(LossActs *acts, Arena *arena, size_t tokens, size_t vocabulary,
                      size_t quantum, bool bf16)
{
    size_t rows = rounded(chunk_rows(tokens), quantum), padded = rounded(rows, GEMM_ROWS_PADDED);
    acts->logits = matrix_of(arena_take(arena, rows * vocabulary, sizeof(real)), rows, vocabulary);
    acts->bf16 = bf16 ? arena_take(arena, padded * vocabulary, sizeof *acts->bf16) : NULL;
    acts->log_p = arena_take(arena, tokens, sizeof(real));
}

double loss_forward(LossActs *acts, Matrix r, const int32_t *targets, const LinearParams *output,
                    real smoothing, size_t quantum)
{
    const Kernels *k = kernels();
    double sum = 0;
    for (size_t first = 0; first < r.rows; first += LOSS_CHUNK) {
        size_t count = chunk_rows(r.rows - first);
        Matrix logits = matrix_rows(acts->logits, 0, rounded(count, quantum));
        Matrix r_chunk = matrix_with_rows(matrix_rows(r, first, count), logits.rows);
        gemm_forward(logits, r_chunk, output->weight, GEMM_SET);
        for (size_t i = 0; i < count; i++)
            sum += (double)k->cross_entropy(matrix_row(logits, i), NULL, NULL, output->bias,
                                            (size_t)targets[first + i], smoothing, 1,
                                            &acts->log_p[first + i], logits.columns);
    }
    return sum;
}

/* The losses of a chunk, whose products stand in logits. Their gradient, which is returned, is in
 * logits or in bf16. */
static Matrix chunk_backward(double *sum, LossActs *acts, Matrix logits, size_t first, real *dbias,
                             const int32_t *targets, const real *bias, real smoothing, real scale)
{
    const Kernels *k = kernels();
    size_t V = logits.columns, padded = rounded(logits.rows, GEMM_ROWS_PADDED);
    for (size_t i = 0; i < logits.rows; i++)
        *sum += (double)k->cross_entropy(
            matrix_row(logits, i), acts->bf16 ? acts->bf16 + i * V : NULL, dbias, bias,
            (size_t)targets[first + i], smoothing, scale, &acts->log_p[first + i], V);
    if (acts->bf16)
        memset(acts->bf16 + logits.rows * V, 0, (padded - logits.rows) * V * sizeof *acts->bf16);
    logits.bf16 = acts->bf16;
    return logits;
}

double loss_forward_backward(Matrix dr, LinearParams *doutput, LossActs *acts, Matrix r,
                             const int32_t *targets, const LinearParams *output, real smoothing,
                             real scale)
{
    double sum = 0;
    for (size_t first = 0; first < r.rows; first += LOSS_CHUNK) {
        size_t count = chunk_rows(r.rows - first);
        Matrix logits = matrix_rows(acts->logits, 0, count);
        Matrix r_chunk = matrix_rows(r, first, count);
        gemm_forward(logits, r_chunk, output->weight, GEMM_SET);
        Matrix dlogits = chunk_backward(&sum, acts, logits, first, doutput->bias, targets,
                                        output->bias, smoothing, scale);
        gemm_backward(matrix_rows(dr, first, count), GEMM_SET, doutput->weight, dlogits, r_chunk,
                      output->weight);
    }
    return sum;
}
