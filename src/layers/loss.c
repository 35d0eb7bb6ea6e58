#include "layers/loss.h"

#include "tensor/kernels.h"

#include <math.h>
#include <string.h>

// A row's logits may be so much above its reference before that is raised: e⁴⁰ is far from infinity.
static const real HEADROOM = 40;

static size_t chunk_rows(size_t tokens)
{
    return tokens < LOSS_CHUNK ? tokens : LOSS_CHUNK;
}

static size_t rounded(size_t rows, size_t quantum)
{
    return (rows + quantum - 1) / quantum * quantum;
}

static Matrix take(Arena *arena, size_t rows, size_t columns)
{
    return matrix_of(arena_take(arena, rows * columns, sizeof(real)), rows, columns);
}

void loss_acts_layout(LossActs *acts, Arena *arena, size_t tokens, size_t embedding,
                      size_t vocabulary, size_t quantum, LossNeeds needs)
{
    size_t rows = chunk_rows(tokens), padded = rounded(rows + 1, GEMM_ROWS_PADDED);
    *acts = (LossActs){0};
    acts->logits =
        take(arena, rounded(rows, quantum), vocabulary < LOSS_BLOCK ? vocabulary : LOSS_BLOCK);
    acts->rows = arena_take(arena, rows, sizeof *acts->rows);
    acts->log_p = arena_take(arena, tokens, sizeof(real));
    if (needs == LOSS_FORWARD) return;
    acts->p = (Matrix){.rows = padded, .columns = vocabulary, .stride = vocabulary, .padded = true};
    if (needs == LOSS_BACKWARD_BF16)
        acts->bf16 = arena_take(arena, padded * vocabulary, sizeof *acts->bf16);
    else
        acts->p.values = arena_take(arena, padded * vocabulary, sizeof(real));
    acts->scaled = take(arena, padded, embedding);
    acts->scaled.padded = true;
    acts->weighted = take(arena, padded, embedding);
}

/* Row i's exponentials from column `first` on, in the form they are kept in; both NULL if none are. */
typedef struct Kept {
    real *p;
    uint16_t *bf16;
} Kept;

static Kept kept_of(const LossActs *acts, size_t i, size_t first)
{
    size_t at = i * acts->p.stride + first;
    return (Kept){.p = acts->p.values ? acts->p.values + at : NULL,
                  .bf16 = acts->bf16 ? acts->bf16 + at : NULL};
}

/* One row's logits of a block of `count` outputs from `first` on. */
static void row_forward(LossActs *acts, size_t i, size_t first, size_t count, const real *bias)
{
    const Kernels *k = kernels();
    LossRow *row = &acts->rows[i];
    const real *logits = acts->logits.values + i * count;
    Kept kept = kept_of(acts, i, first), before = kept_of(acts, i, 0);
    if (first == 0) *row = (LossRow){.reference = k->largest(logits, bias, count)};
    real sum, total;
    real most =
        k->exponentials(kept.p, kept.bf16, &sum, &total, logits, bias, row->reference, count);
    if (most > row->reference + HEADROOM) {
        real lower = row->reference - most, factor = (real)exp((double)lower);
        k->shrink(before.p, before.bf16, factor, first);
        row->sum *= factor;
        row->total += lower * (real)first;
        row->reference = most;
        k->exponentials(kept.p, kept.bf16, &sum, &total, logits, bias, most, count);
    }
    row->sum += sum;
    row->total += total;
}

/* The logits of a chunk of rows, block by block; fills acts->rows, and p̃ if there is room for it. */
static void chunk_forward(LossActs *acts, Matrix r, size_t product_rows, const int32_t *targets,
                          const LinearParams *output)
{
    size_t V = output->weight.rows;
    for (size_t first = 0; first < V; first += LOSS_BLOCK) {
        size_t count = V - first < LOSS_BLOCK ? V - first : LOSS_BLOCK;
        const real *bias = output->bias + first;
        gemm_forward(matrix_of(acts->logits.values, product_rows, count),
                     matrix_with_rows(r, product_rows), matrix_rows(output->weight, first, count),
                     GEMM_SET);
        for (size_t i = 0; i < r.rows; i++) {
            size_t target = (size_t)targets[i] - first; // wraps if it is before the block
            row_forward(acts, i, first, count, bias);
            if (target < count)
                acts->rows[i].target = acts->logits.values[i * count + target] + bias[target];
        }
    }
}

// A row's loss and its target's log-probability, when all its logits have passed.
static double row_loss(real *log_p, const LossRow *row, real smoothing, size_t V)
{
    double log_sum = log((double)row->sum);
    double target = (double)(row->target - row->reference) - log_sum;
    *log_p = (real)target;
    // −Σ_k q_k log p_k = −(1−ε) log p_target − ε (mean logit − log Σ exp); without ε a logit of −∞
    // is only a probability of 0
    double loss = -(1 - (double)smoothing) * target;
    if (smoothing > 0) loss -= (double)smoothing * ((double)row->total / (double)V - log_sum);
    return loss;
}

double loss_forward(LossActs *acts, Matrix r, const int32_t *targets, const LinearParams *output,
                    real smoothing, size_t quantum)
{
    double sum = 0;
    for (size_t first = 0; first < r.rows; first += LOSS_CHUNK) {
        size_t count = chunk_rows(r.rows - first);
        chunk_forward(acts, matrix_rows(r, first, count), rounded(count, quantum), targets + first,
                      output);
        for (size_t i = 0; i < count; i++)
            sum +=
                row_loss(&acts->log_p[first + i], &acts->rows[i], smoothing, output->weight.rows);
    }
    return sum;
}

typedef struct Scales {
    real scale, one_hot, each; // of the loss; scale (1 − ε); e
} Scales;

/* Makes row i ready for the products, with its bias's gradient; returns d_target. */
static real row_ready(LossActs *acts, size_t i, size_t target, const real *r, real *dbias,
                      const Scales *scales)
{
    const Kernels *k = kernels();
    const LossRow *row = &acts->rows[i];
    Kept kept = kept_of(acts, i, 0);
    real s = scales->scale / row->sum;
    real d_target = s * (real)exp((double)(row->target - row->reference)) - scales->one_hot;
    if (kept.bf16)
        kept.bf16[target] = 0;
    else
        kept.p[target] = 0;
    k->add_scaled_kept(dbias, s, kept.p, kept.bf16, acts->p.columns);
    dbias[target] += d_target;
    memset(matrix_row(acts->scaled, i), 0, acts->scaled.columns * sizeof(real));
    k->add_scaled(matrix_row(acts->scaled, i), s, r, acts->scaled.columns);
    return d_target;
}

/* The row of ones behind p̃, its −e Σ_i r_i, and zeros behind both. */
static void last_row_ready(LossActs *acts, Matrix r, real *dbias, const Scales *scales)
{
    const Kernels *k = kernels();
    size_t V = acts->p.columns, E = r.columns, n = r.rows;
    size_t behind = rounded(n + 1, GEMM_ROWS_PADDED) - n;
    Kept kept = kept_of(acts, n, 0);
    if (kept.bf16)
        memset(kept.bf16, 0, behind * V * sizeof *kept.bf16);
    else
        memset(kept.p, 0, behind * V * sizeof *kept.p);
    for (size_t v = 0; v < V; v++) {
        if (kept.bf16)
            kept.bf16[v] = 0x3f80; // 1
        else
            kept.p[v] = 1;
        dbias[v] -= scales->each * (real)n;
    }
    real *last = matrix_row(acts->scaled, n);
    memset(last, 0, behind * E * sizeof *last);
    for (size_t i = 0; i < n; i++) k->add_scaled(last, -scales->each, matrix_row(r, i), E);
}

static void chunk_backward(Matrix dr, LinearParams *doutput, LossActs *acts, Matrix r,
                           const int32_t *targets, const LinearParams *output, const Scales *scales)
{
    const Kernels *k = kernels();
    size_t n = r.rows, E = r.columns;
    for (size_t i = 0; i < n; i++)
        acts->rows[i].target =
            row_ready(acts, i, (size_t)targets[i], matrix_row(r, i), doutput->bias, scales);
    last_row_ready(acts, r, doutput->bias, scales);
    Matrix p = matrix_with_rows(acts->p, n + 1);
    p.bf16 = acts->bf16;
    gemm_backward(matrix_with_rows(acts->weighted, n + 1), GEMM_SET, doutput->weight, p,
                  matrix_with_rows(acts->scaled, n + 1), output->weight);
    for (size_t i = 0; i < n; i++) {
        size_t target = (size_t)targets[i];
        real s = scales->scale / acts->rows[i].sum, d_target = acts->rows[i].target;
        real *d = matrix_row(dr, i);
        // r's row first, for d may be its place
        k->add_scaled(matrix_row(doutput->weight, target), d_target, matrix_row(r, i), E);
        memset(d, 0, E * sizeof *d);
        k->add_scaled(d, s, matrix_row(acts->weighted, i), E);
        k->add_scaled(d, -scales->each, matrix_row(acts->weighted, n), E);
        k->add_scaled(d, d_target, matrix_row(output->weight, target), E);
    }
}

double loss_forward_backward(Matrix dr, LinearParams *doutput, LossActs *acts, Matrix r,
                             const int32_t *targets, const LinearParams *output, real smoothing,
                             real scale)
{
    size_t V = output->weight.rows;
    const Scales scales = {scale, scale * (1 - smoothing), scale * smoothing / (real)V};
    double sum = 0;
    for (size_t first = 0; first < r.rows; first += LOSS_CHUNK) {
        size_t count = chunk_rows(r.rows - first);
        Matrix r_chunk = matrix_rows(r, first, count);
        chunk_forward(acts, r_chunk, count, targets + first, output);
        for (size_t i = 0; i < count; i++)
            sum += row_loss(&acts->log_p[first + i], &acts->rows[i], smoothing, V);
        chunk_backward(matrix_rows(dr, first, count), doutput, acts, r_chunk, targets + first,
                       output, &scales);
    }
    return sum;
}
