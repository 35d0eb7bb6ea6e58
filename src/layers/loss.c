#include "layers/loss.h"

#include "tensor/kernels.h"

static size_t chunk_rows(size_t tokens)
{
    return tokens < LOSS_CHUNK ? tokens : LOSS_CHUNK;
}

static size_t rounded(size_t rows, size_t quantum)
{
    return (rows + quantum - 1) / quantum * quantum;
}

void loss_acts_layout(LossActs *acts, Arena *arena, size_t tokens, size_t vocabulary,
                      size_t quantum)
{
    size_t rows = rounded(chunk_rows(tokens), quantum);
    acts->logits = matrix_of(arena_take(arena, rows * vocabulary, sizeof(real)), rows, vocabulary);
    acts->log_p = arena_take(arena, tokens, sizeof(real));
}

/* The losses of `count` rows whose products stand in logits; logits becomes scale · their gradient.
 */
static double chunk_loss(Matrix logits, real *log_p, const int32_t *targets, const real *bias,
                         size_t count, real smoothing, real scale)
{
    const Kernels *k = kernels();
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)k->cross_entropy(matrix_row(logits, i), bias, (size_t)targets[i], smoothing,
                                        scale, &log_p[i], logits.columns);
    return sum;
}

double loss_forward(LossActs *acts, Matrix r, const int32_t *targets, const LinearParams *output,
                    real smoothing, size_t quantum)
{
    double sum = 0;
    for (size_t first = 0; first < r.rows; first += LOSS_CHUNK) {
        size_t count = chunk_rows(r.rows - first);
        Matrix logits = matrix_rows(acts->logits, 0, rounded(count, quantum));
        Matrix r_chunk = matrix_with_rows(matrix_rows(r, first, count), logits.rows);
        gemm_forward(logits, r_chunk, output->weight, GEMM_SET);
        sum += chunk_loss(logits, acts->log_p + first, targets + first, output->bias, count,
                          smoothing, 1);
    }
    return sum;
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
        sum += chunk_loss(logits, acts->log_p + first, targets + first, output->bias, count,
                          smoothing, scale);
        linear_backward(matrix_rows(dr, first, count), doutput, logits, r_chunk, output, GEMM_SET);
    }
    return sum;
}
