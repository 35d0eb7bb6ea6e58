#include "layers/loss.h"

#include "math/kernels.h"

#include <math.h>
#include <string.h>

// A row's logits may be so much above its reference before that is raised: e⁴⁰ is far from infinity.
static const real HEADROOM = 40;
static const real LARGE_SUM = (real)2.35e17; // a little less: only then some may be

static size_t chunk_rows(size_t tokens)
{
    return tokens < LOSS_CHUNK ? tokens : LOSS_CHUNK;
}

static size_t rounded(size_t rows, size_t row_multiple)
{
    return (rows + row_multiple - 1) / row_multiple * row_multiple;
}

static Matrix take(Arena *arena, size_t rows, size_t columns)
{
    return matrix_of(arena_take(arena, rows * columns, sizeof(real)), rows, columns);
}

void loss_acts_layout(LossActs *acts, Arena *arena, size_t tokens, size_t embedding,
                      size_t vocabulary, size_t row_multiple, LossNeeds needs)
{
    size_t rows = chunk_rows(tokens), padded = rounded(rows + 1, GEMM_ROWS_PADDED);
    *acts = (LossActs){0};
    acts->logits =
        take(arena, rounded(rows, row_multiple), vocabulary < LOSS_BLOCK ? vocabulary : LOSS_BLOCK);
    acts->rows = arena_take(arena, rows, sizeof *acts->rows);
    acts->log_p = arena_take(arena, tokens, sizeof(real));
    if (needs == LOSS_FORWARD) return;
    acts->room = padded;
    acts->scales = arena_take(arena, rows + 1, sizeof *acts->scales);
    acts->scaled = take(arena, padded, embedding);
    acts->scaled.padded = true;
    if (needs == LOSS_BACKWARD_BF16) {
        acts->bf16 = arena_take(arena, padded * vocabulary, sizeof *acts->bf16);
        acts->r_bf16 = arena_take(arena, rows * embedding, sizeof *acts->r_bf16);
        acts->scaled_right =
            arena_take(arena, gemm_right_room(padded, embedding), sizeof *acts->scaled_right);
    } else {
        acts->p = arena_take(arena, padded * vocabulary, sizeof(real));
    }
    acts->weighted = take(arena, padded, embedding);
}

static size_t block_width(size_t V, size_t first)
{
    return V - first < LOSS_BLOCK ? V - first : LOSS_BLOCK;
}

/* Row i's exponentials of the block of `count` outputs from `first` on, in the form they are kept in;
 * both NULL if none are. */
typedef struct Kept {
    real *p;
    uint16_t *bf16;
} Kept;

static Kept kept_of(const LossActs *acts, size_t i, size_t first, size_t count)
{
    size_t at = acts->room * first + i * count;
    return (Kept){.p = acts->p ? acts->p + at : NULL, .bf16 = acts->bf16 ? acts->bf16 + at : NULL};
}

/* Raises a row's reference when the logits before `first` have passed. */
static void raise_reference(LossActs *acts, size_t i, size_t first, real reference)
{
    LossRow *row = &acts->rows[i];
    real lower = row->reference - reference, factor = (real)exp((double)lower);
    for (size_t begin = 0; begin < first; begin += LOSS_BLOCK) {
        Kept kept = kept_of(acts, i, begin, LOSS_BLOCK);
        kernels()->scale(kept.p, kept.bf16, factor, LOSS_BLOCK);
    }
    row->sum *= factor;
    row->total += lower * (real)first;
    row->reference = reference;
}

/* One row's logits of a block of `count` outputs from `first` on. */
static void row_forward(LossActs *acts, size_t i, size_t first, size_t count, const real *bias)
{
    const Kernels *k = kernels();
    LossRow *row = &acts->rows[i];
    const real *logits = acts->logits.values + i * count;
    Kept kept = kept_of(acts, i, first, count);
    if (first == 0) *row = (LossRow){.reference = k->max(logits, bias, count)};
    real sum, total;
    k->exponentials(kept.p, kept.bf16, &sum, &total, logits, bias, row->reference, count);
    real most = sum < LARGE_SUM ? row->reference : k->max(logits, bias, count);
    if (most > row->reference + HEADROOM) {
        raise_reference(acts, i, first, most);
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
    Matrix factor = matrix_with_rows(r, product_rows);
    if (acts->r_bf16) {
        for (size_t i = 0; i < r.rows; i++)
            kernels()->to_bf16(acts->r_bf16 + i * r.columns, matrix_row(r, i), r.columns);
        factor.bf16 = acts->r_bf16;
    }
    for (size_t first = 0; first < V; first += LOSS_BLOCK) {
        size_t count = block_width(V, first);
        const real *bias = output->bias + first;
        gemm_forward(matrix_of(acts->logits.values, product_rows, count), factor,
                     matrix_rows(output->weight, first, count), GEMM_SET);
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
                    real smoothing, size_t row_multiple)
{
    double sum = 0;
    for (size_t first = 0; first < r.rows; first += LOSS_CHUNK) {
        size_t count = chunk_rows(r.rows - first);
        chunk_forward(acts, matrix_rows(r, first, count), rounded(count, row_multiple),
                      targets + first, output);
        for (size_t i = 0; i < count; i++)
            sum +=
                row_loss(&acts->log_p[first + i], &acts->rows[i], smoothing, output->weight.rows);
    }
    return sum;
}

typedef struct Scales {
    real scale, one_hot, each; // of the loss; scale (1 − ε); e
} Scales;

/* Makes row i ready for the products; returns d_target. */
static real row_ready(LossActs *acts, size_t i, size_t target, const real *r, size_t V,
                      const Scales *scales)
{
    const Kernels *k = kernels();
    const LossRow *row = &acts->rows[i];
    size_t first = target / LOSS_BLOCK * LOSS_BLOCK;
    Kept kept = kept_of(acts, i, first, block_width(V, first));
    if (kept.bf16)
        kept.bf16[target - first] = 0;
    else if (kept.p)
        kept.p[target - first] = 0;
    real s = scales->scale / row->sum, *scaled = matrix_row(acts->scaled, i);
    acts->scales[i] = s;
    memset(scaled, 0, acts->scaled.columns * sizeof *scaled);
    k->add_scaled(scaled, s, r, acts->scaled.columns);
    return s * (real)exp((double)(row->target - row->reference)) - scales->one_hot;
}

/* The last row of s r, −e Σ_i r_i, and zeros behind it. */
static void scaled_ready(LossActs *acts, Matrix r, const Scales *scales)
{
    const Kernels *k = kernels();
    size_t E = r.columns, n = r.rows, padded = rounded(n + 1, GEMM_ROWS_PADDED);
    real *last = matrix_row(acts->scaled, n);
    memset(last, 0, (padded - n) * E * sizeof *last);
    for (size_t i = 0; i < n; i++) k->add_scaled(last, -scales->each, matrix_row(r, i), E);
    acts->scales[n] = -scales->each * (real)n;
}

/* A block of p̃ of n rows, with its row of ones and zeros behind it, as a factor; adds to its part of
 * the bias's gradient. */
static Matrix block_ready(LossActs *acts, size_t first, size_t count, size_t n, real *dbias)
{
    const Kernels *k = kernels();
    size_t behind = rounded(n + 1, GEMM_ROWS_PADDED) - n;
    Kept kept = kept_of(acts, 0, first, count), last = kept_of(acts, n, first, count);
    if (last.bf16)
        memset(last.bf16, 0, behind * count * sizeof *last.bf16);
    else if (last.p)
        memset(last.p, 0, behind * count * sizeof *last.p);
    for (size_t v = 0; v < count; v++) {
        if (last.bf16)
            last.bf16[v] = 0x3f80; // 1
        else if (last.p)
            last.p[v] = 1;
    }
    k->add_scaled_kept(dbias + first, acts->scales, kept.p, kept.bf16, n + 1, count);
    Matrix p = matrix_of(kept.p, n + 1, count);
    p.bf16 = kept.bf16;
    p.padded = true;
    return p;
}

static void chunk_backward(Matrix dr, LinearParams *doutput, LossActs *acts, Matrix r,
                           const int32_t *targets, const LinearParams *output, const Scales *scales)
{
    const Kernels *k = kernels();
    size_t n = r.rows, E = r.columns, V = output->weight.rows;
    for (size_t i = 0; i < n; i++) {
        real d_target = row_ready(acts, i, (size_t)targets[i], matrix_row(r, i), V, scales);
        acts->rows[i].target = d_target;
        doutput->bias[targets[i]] += d_target;
    }
    scaled_ready(acts, r, scales);
    GemmSum into = gemm_into(doutput->weight);
    Matrix weighted = matrix_with_rows(acts->weighted, n + 1);
    Matrix scaled = matrix_with_rows(acts->scaled, n + 1);
    if (acts->scaled_right) gemm_right_ready(&scaled, acts->scaled_right);
    for (size_t first = 0; first < V; first += LOSS_BLOCK) {
        size_t count = block_width(V, first);
        Matrix p = block_ready(acts, first, count, n, doutput->bias);
        gemm_weight_block(doutput->weight, first, into, p, scaled);
        gemm_backward_input(weighted, p, matrix_rows(output->weight, first, count),
                            first ? GEMM_ADD : GEMM_SET);
    }
    for (size_t i = 0; i < n; i++) {
        size_t target = (size_t)targets[i];
        real s = acts->scales[i], d_target = acts->rows[i].target;
        real *d = matrix_row(dr, i);
        // r's row first, for d may be its place
        k->add_scaled(matrix_row(doutput->weight, target), d_target, matrix_row(r, i), E);
        memset(d, 0, E * sizeof *d);
        k->add_scaled(d, s, matrix_row(weighted, i), E);
        k->add_scaled(d, -scales->each, matrix_row(weighted, n), E);
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
