#include "layers/loss.h"

#include <math.h>

// A row's reference is raised when a logit is so much above it: e⁴⁰ is far from infinity.
static const real HEADROOM = 40;
static const real LARGE_SUM = (real)2.35e17; // a little less than e⁴⁰: only then a logit may be

static size_t chunk_rows(size_t tokens)
{
    return tokens < LOSS_CHUNK ? tokens : LOSS_CHUNK;
}

void loss_acts_layout(LossActs *acts, Arena *arena, const Ragged *target,
                      const LinearParams *output, bool with_backward)
{
    size_t rows = chunk_rows(target->tokens), product_rows = ragged_rounded(target, rows);
    size_t V = output->weight.matrix.rows, E = output->weight.matrix.columns;
    const Backend *backend = weight_backend(output->weight);
    *acts = (LossActs){.row_multiple = target->row_multiple};
    acts->logits = matrix_take(arena, product_rows, V < LOSS_BLOCK ? V : LOSS_BLOCK);
    acts->rows = arena_take(arena, rows, sizeof *acts->rows);
    acts->log_p = arena_take(arena, target->tokens, sizeof(real));
    if (!with_backward) return;
    acts->capacity = operand_padded_rows(rows + 1);
    acts->scales = arena_take(arena, rows + 1, sizeof *acts->scales);
    acts->scaled = matrix_take(arena, acts->capacity, E);
    acts->ratios = arena_take(arena, V, sizeof *acts->ratios);
    acts->p = operand_take_elements(arena, backend, acts->capacity * V);
    acts->r_converted = operand_take_converted(arena, backend, product_rows, E);
    acts->scaled_right = operand_take_right(arena, backend, acts->capacity, E);
    acts->weighted = matrix_take(arena, acts->capacity, E);
}

// Some outputs whose logits are computed together.
typedef struct OutputBlock {
    size_t first, count;
} OutputBlock;

static OutputBlock block_from(size_t first, size_t V)
{
    return (OutputBlock){first, V - first < LOSS_BLOCK ? V - first : LOSS_BLOCK};
}

// Row i of a block of p̃.
static Elements p_row(const LossActs *acts, size_t i, OutputBlock block)
{
    return elements_at(acts->p, acts->capacity * block.first + i * block.count);
}

/* Raises a row's reference when the outputs before `first` are done. */
static void raise_reference(LossActs *acts, size_t i, size_t first, real reference)
{
    LossRow *row = &acts->rows[i];
    real lower = row->reference - reference, factor = (real)exp((double)lower);
    for (size_t begin = 0; begin < first; begin += LOSS_BLOCK)
        kernels()->scale(p_row(acts, i, (OutputBlock){begin, LOSS_BLOCK}), factor, LOSS_BLOCK);
    row->sum *= factor;
    row->total += lower * (real)first;
    row->reference = reference;
}

/* p̃ of row i and a block, and what it adds to the row's sums. */
static void row_forward(LossActs *acts, size_t i, OutputBlock block, const real *bias)
{
    const Kernels *k = kernels();
    LossRow *row = &acts->rows[i];
    const real *logits = acts->logits.values + i * block.count;
    Elements p = p_row(acts, i, block);
    if (block.first == 0) *row = (LossRow){.reference = k->max(logits, bias, block.count)};
    ExponentialSums sums = k->exponentials(p, logits, bias, row->reference, block.count);
    real highest = sums.sum < LARGE_SUM ? row->reference : k->max(logits, bias, block.count);
    if (highest > row->reference + HEADROOM) {
        raise_reference(acts, i, block.first, highest);
        sums = k->exponentials(p, logits, bias, highest, block.count);
    }
    row->sum += sums.sum;
    row->total += sums.total;
}

/* The logits of a chunk of rows, block by block: sets acts->rows, and p̃ if it is kept. */
static void chunk_forward(LossActs *acts, Matrix r, const int32_t *targets,
                          const LinearParams *output)
{
    size_t V = output->weight.matrix.rows, product_rows = rows_rounded(r.rows, acts->row_multiple);
    const Operand factor = operand_converted(matrix_with_rows(r, product_rows), acts->r_converted);
    for (size_t first = 0; first < V; first += LOSS_BLOCK) {
        OutputBlock block = block_from(first, V);
        const real *bias = output->bias + first;
        product_forward_operand(matrix_of(acts->logits.values, product_rows, block.count), &factor,
                                weight_rows(output->weight, first, block.count), PRODUCT_SET);
        for (size_t i = 0; i < r.rows; i++) {
            size_t target = (size_t)targets[i] - first; // wraps if it is before the block
            row_forward(acts, i, block, bias);
            if (target < block.count)
                acts->rows[i].target = acts->logits.values[i * block.count + target] + bias[target];
        }
    }
}

// A row's loss and its target's log-probability, from the sums over all its logits.
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

// Adds the losses of a chunk of `count` rows from `first` on.
static void add_losses(double *sum, LossActs *acts, size_t first, size_t count, real smoothing,
                       size_t V)
{
    for (size_t i = 0; i < count; i++)
        *sum += row_loss(&acts->log_p[first + i], &acts->rows[i], smoothing, V);
}

double loss_forward(LossActs *acts, Matrix r, const LinearParams *output,
                    const LossTargets *targets)
{
    double sum = 0;
    for (size_t first = 0; first < r.rows; first += LOSS_CHUNK) {
        size_t count = chunk_rows(r.rows - first);
        chunk_forward(acts, matrix_rows(r, first, count), targets->tokens + first, output);
        add_losses(&sum, acts, first, count, targets->smoothing, output->weight.matrix.rows);
    }
    return sum;
}

/* What R-Drop adds to the losses of rows i and i + 1, one token seen twice. With Z the sum of a row's p̃,
 *
 *     p̃_k ← p̃_k (1 + α/2 (log (p_k / q_k) − KL(P‖Q) + 1)) − α/2 (Z_p / Z_q) q̃_k
 *
 * so that s p̃_k holds its gradient too, and q̃ likewise. */
static double draw_rows_together(LossActs *acts, size_t i, size_t V, real divergence)
{
    const Kernels *k = kernels();
    LossRow *p = &acts->rows[i], *q = &acts->rows[i + 1];
    real shift = (real)(log((double)q->sum) - log((double)p->sum)), half = divergence / 2;
    double of_p = 0, of_q = 0;
    for (size_t first = 0; first < V; first += LOSS_BLOCK) {
        OutputBlock block = block_from(first, V);
        RatioSums sums = k->log_ratios(acts->ratios + first, p_row(acts, i, block),
                                       p_row(acts, i + 1, block), shift, block.count);
        of_p += (double)sums.of_p;
        of_q += (double)sums.of_q;
    }
    double from_p = of_p / (double)p->sum, from_q = -of_q / (double)q->sum; // KL(P‖Q), KL(Q‖P)
    const DrawingFactors factors = {
        half,
        {(real)(1 + (double)half * (1 - from_p)), (real)(1 + (double)half * (1 - from_q))},
        {half * p->sum / q->sum, half * q->sum / p->sum}};
    for (size_t first = 0; first < V; first += LOSS_BLOCK) {
        OutputBlock block = block_from(first, V);
        k->draw_together(p_row(acts, i, block), p_row(acts, i + 1, block), acts->ratios + first,
                         &factors, block.count);
    }
    Elements of_target[2] = {{.values = &p->target}, {.values = &q->target}};
    k->log_ratios(acts->ratios, of_target[0], of_target[1], shift, 1);
    k->draw_together(of_target[0], of_target[1], acts->ratios, &factors, 1);
    return (double)half * (from_p + from_q);
}

/* Sets row i of s r; its target's p̃ becomes 0 and its target's logit d_target. */
static void prepare_row(LossActs *acts, size_t i, const real *r, const LossTargets *targets,
                        size_t V)
{
    size_t target = (size_t)targets->tokens[i];
    LossRow *row = &acts->rows[i];
    OutputBlock block = block_from(target / LOSS_BLOCK * LOSS_BLOCK, V);
    elements_fill(elements_at(p_row(acts, i, block), target - block.first), 0, 1);
    real s = targets->scale / row->sum, *scaled = matrix_row(acts->scaled, i);
    acts->scales[i] = s;
    memset(scaled, 0, acts->scaled.columns * sizeof *scaled);
    kernels()->add_scaled(scaled, s, r, acts->scaled.columns);
    row->target = s * row->target - targets->scale * (1 - targets->smoothing);
}

/* The last row of s r, for the row of ones: −e Σ_i r_i. */
static void prepare_ones(LossActs *acts, Matrix r, real each)
{
    Matrix before = matrix_with_rows(acts->scaled, r.rows);
    matrix_clear_padding(before, operand_padded_rows(r.rows + 1));
    for (size_t i = 0; i < r.rows; i++)
        kernels()->add_scaled(matrix_row(before, r.rows), -each, matrix_row(r, i), r.columns);
    acts->scales[r.rows] = -each * (real)r.rows;
}

/* A block of p̃ of n rows and the row of ones, as a factor; adds to its part of the bias's
 * gradient. */
static Operand block_factor(LossActs *acts, OutputBlock block, size_t n, real *dbias)
{
    Elements p = p_row(acts, 0, block);
    Operand factor = operand_of_elements(p, n + 1, block.count);
    elements_fill(p_row(acts, n, block), 1, block.count);
    kernels()->add_scaled_rows(dbias + block.first, acts->scales, p, n + 1, block.count);
    return factor;
}

// The two products of a chunk: p̃ᵀ (s r) into dE_out, and p̃ E_out.
static void chunk_products(LinearGrads *doutput, LossActs *acts, size_t n,
                           const LinearParams *output)
{
    size_t V = output->weight.matrix.rows;
    ProductSum sum = gradient_begin(doutput->weight);
    Matrix weighted = matrix_with_rows(acts->weighted, n + 1);
    const Operand scaled = operand_right(weight_backend(output->weight),
                                         matrix_with_rows(acts->scaled, n + 1), acts->scaled_right);
    for (size_t first = 0; first < V; first += LOSS_BLOCK) {
        OutputBlock block = block_from(first, V);
        const Operand p = block_factor(acts, block, n, doutput->bias);
        product_backward_weight_rows(doutput->weight, first, &p, &scaled, sum);
        product_backward_input_operand(weighted, &p,
                                       weight_rows(output->weight, first, block.count),
                                       first ? PRODUCT_ADD : PRODUCT_SET);
    }
}

static void chunk_backward(Matrix dr, LinearGrads *doutput, LossActs *acts, Matrix r,
                           const LinearParams *output, const LossTargets *targets)
{
    const Kernels *k = kernels();
    size_t n = r.rows, E = r.columns, V = output->weight.matrix.rows;
    real each = targets->scale * targets->smoothing / (real)V; // e
    for (size_t i = 0; i < n; i++) {
        prepare_row(acts, i, matrix_row(r, i), targets, V);
        doutput->bias[targets->tokens[i]] += acts->rows[i].target;
    }
    prepare_ones(acts, r, each);
    chunk_products(doutput, acts, n, output);
    for (size_t i = 0; i < n; i++) {
        size_t target = (size_t)targets->tokens[i];
        real s = acts->scales[i], d_target = acts->rows[i].target;
        real *d = matrix_row(dr, i);
        // r's row first, since dr may be r
        k->add_scaled(matrix_row(doutput->weight.matrix, target), d_target, matrix_row(r, i), E);
        memset(d, 0, E * sizeof *d);
        k->add_scaled(d, s, matrix_row(acts->weighted, i), E);
        k->add_scaled(d, -each, matrix_row(acts->weighted, n), E);
        k->add_scaled(d, d_target, matrix_row(output->weight.matrix, target), E);
    }
}

double loss_forward_backward(Matrix dr, LinearGrads *doutput, LossActs *acts, Matrix r,
                             const LinearParams *output, const LossTargets *targets)
{
    size_t V = output->weight.matrix.rows;
    // both of a token are in one chunk
    size_t most = targets->divergence > 0 ? LOSS_CHUNK / 2 * 2 : LOSS_CHUNK;
    double sum = 0;
    acts->divergence = 0;
    for (size_t first = 0; first < r.rows; first += most) {
        size_t count = r.rows - first < most ? r.rows - first : most;
        LossTargets chunk = *targets;
        chunk.tokens += first;
        Matrix r_chunk = matrix_rows(r, first, count);
        chunk_forward(acts, r_chunk, chunk.tokens, output);
        add_losses(&sum, acts, first, count, targets->smoothing, V);
        for (size_t i = 0; i < count; i++) // its p̃
            acts->rows[i].target =
                (real)exp((double)(acts->rows[i].target - acts->rows[i].reference));
        for (size_t i = 0; i < count && targets->divergence > 0; i += 2)
            acts->divergence += draw_rows_together(acts, i, V, targets->divergence);
        chunk_backward(matrix_rows(dr, first, count), doutput, acts, r_chunk, output, &chunk);
    }
    return sum;
}
