#include "layers/gru.h"

#include "layers/linear.h"
#include "math/kernels.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void gru_visit(GruParams *params, GruGrads *grads, ParamVisitor *visitor, const char *prefix,
               const char *suffix, GruSizes sizes)
{
    char name[PARAM_NAME_SIZE];
    size_t rows = 3 * sizes.hidden;
    snprintf(name, sizeof name, "weight_ih%s", suffix);
    param_visit_weight(visitor, &params->weight_ih, &grads->weight_ih, prefix, name,
                       (ParamShape){rows, sizes.input});
    snprintf(name, sizeof name, "weight_hh%s", suffix);
    param_visit_weight(visitor, &params->weight_hh, &grads->weight_hh, prefix, name,
                       (ParamShape){rows, sizes.hidden});
    snprintf(name, sizeof name, "bias_ih%s", suffix);
    param_visit_vector(visitor, &params->bias_ih, &grads->bias_ih, prefix, name, rows);
    snprintf(name, sizeof name, "bias_hh%s", suffix);
    param_visit_vector(visitor, &params->bias_hh, &grads->bias_hh, prefix, name, rows);
}

void gru_step_forward(Matrix h, Matrix gates, Matrix hn, Matrix hidden, Matrix h_before,
                      const GruParams *params)
{
    const Kernels *k = kernels();
    // W_h h for all three gates in one product; the biases are added in the kernel
    product_forward(hidden, h_before, params->weight_hh, PRODUCT_SET);
    for (size_t b = 0; b < h.rows; b++)
        k->gru_forward(matrix_row(h, b), matrix_row(gates, b), matrix_row(hn, b),
                       matrix_row(hidden, b), params->bias_ih, params->bias_hh,
                       matrix_row(h_before, b), h.columns);
}

void gru_step_backward(Matrix gates, Matrix hidden, Matrix dh_before, Matrix dh, Matrix hn,
                       Matrix h_before, const GruParams *params)
{
    const Kernels *k = kernels();
    for (size_t b = 0; b < dh.rows; b++)
        k->gru_backward(matrix_row(gates, b), matrix_row(hidden, b), matrix_row(dh_before, b),
                        matrix_row(dh, b), matrix_row(gates, b), matrix_row(hn, b),
                        matrix_row(h_before, b), dh.columns);
    // hidden was W_h h and is its gradient, so dh += hidden · W_h
    product_backward_input(dh_before, hidden, params->weight_hh, PRODUCT_ADD);
}

void gru_weights_backward(GruGrads *dparams, Matrix dgates, Matrix dhn, Matrix h_before)
{
    size_t H = dhn.columns;
    Matrix drz = matrix_columns(dgates, 0, 2 * H);
    if (dhn.rows > 0) {
        const Operand rz = operand_of(drz), n = operand_of(dhn), h = operand_of(h_before);
        ProductSum sum = gradient_begin(dparams->weight_hh);
        product_backward_weight_rows(dparams->weight_hh, 0, &rz, &h, sum);
        product_backward_weight_rows(dparams->weight_hh, 2 * H, &n, &h, sum);
    }
    bias_backward(dparams->bias_hh, drz);
    bias_backward(dparams->bias_hh + 2 * H, dhn);
}

void gru_acts_layout(GruActs *acts, Arena *arena, const Ragged *ragged, size_t hidden)
{
    // room for a last step that is rounded up
    size_t rows = ragged->tokens + ragged->row_multiple;
    size_t scratch = ragged_rounded(ragged, ragged->count);
    size_t H = hidden;
    acts->h_before = matrix_take_padded(arena, ragged->tokens, rows, H);
    acts->h = matrix_take_padded(arena, ragged->tokens, rows, H);
    acts->gates = matrix_take_padded(arena, ragged->tokens, rows, 3 * H);
    acts->hn = matrix_take_padded(arena, ragged->tokens, rows, H);
    acts->hidden = matrix_take(arena, scratch, 3 * H);
}

/* The states that step t starts from: those of the step before it in reading order, zeros for
 * sentences that begin, and in rows that its product is rounded up to. */
static void gather_before(GruActs *acts, const Ragged *ragged, GruDirection direction, size_t t)
{
    size_t rows = ragged_rows(ragged, t), width = acts->h.columns, known = 0;
    if (direction == GRU_FORWARDS && t > 0) known = rows;
    if (direction == GRU_BACKWARDS && t + 1 < ragged->steps) known = ragged_rows(ragged, t + 1);
    Matrix before = matrix_rows(acts->h_before, ragged->step_begin[t], known);
    if (known) {
        size_t from = direction == GRU_FORWARDS ? t - 1 : t + 1;
        memcpy(before.values, matrix_row(acts->h, ragged->step_begin[from]),
               known * width * sizeof(real));
    }
    matrix_clear_padding(before, ragged_rounded(ragged, rows));
}

// Rows of step t of a time-major matrix.
static Matrix at_step(Matrix matrix, const Ragged *ragged, size_t t)
{
    return matrix_rows(matrix, ragged->step_begin[t], ragged_rows(ragged, t));
}

void gru_sequence_forward(GruActs *acts, const Ragged *ragged, GruDirection direction,
                          const GruParams *params)
{
    // rows beyond the last token are computed and never read
    size_t rows = ragged_rounded(ragged, ragged->tokens);
    product_forward(matrix_with_rows(acts->gates, rows), matrix_with_rows(acts->x, rows),
                    params->weight_ih, PRODUCT_SET);
    for (size_t i = 0; i < ragged->steps; i++) {
        size_t t = direction == GRU_FORWARDS ? i : ragged->steps - 1 - i;
        gather_before(acts, ragged, direction, t);
        Matrix h_before = at_step(acts->h_before, ragged, t);
        h_before = matrix_with_rows(h_before, ragged_rounded(ragged, h_before.rows));
        gru_step_forward(at_step(acts->h, ragged, t), at_step(acts->gates, ragged, t),
                         at_step(acts->hn, ragged, t), matrix_rows(acts->hidden, 0, h_before.rows),
                         h_before, params);
    }
}

void gru_sequence_backward(Matrix dx, GruGrads *dparams, Matrix dh, GruActs *acts,
                           const Ragged *ragged, GruDirection direction, const GruParams *params,
                           ProductSum sum)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < ragged->steps; i++) {
        size_t t = direction == GRU_FORWARDS ? ragged->steps - 1 - i : i;
        Matrix dh_t = at_step(dh, ragged, t);
        gru_step_backward(at_step(acts->gates, ragged, t), matrix_rows(acts->hidden, 0, dh_t.rows),
                          dh_t, dh_t, at_step(acts->hn, ragged, t),
                          at_step(acts->h_before, ragged, t), params);
        // the state that step t started from is the result of the step before it in reading order
        if (i + 1 == ragged->steps) break;
        size_t before = direction == GRU_FORWARDS ? t - 1 : t + 1;
        size_t rows = ragged_rows(ragged, before);
        if (rows > dh_t.rows) rows = dh_t.rows;
        k->add(matrix_row(dh, ragged->step_begin[before]), dh_t.values, rows * dh.columns);
    }
    // gates now holds d(W_i x + b_i), hn d(W_hn h + b_hn)
    gru_weights_backward(dparams, acts->gates, acts->hn, acts->h_before);
    product_backward_weight(dparams->weight_ih, acts->gates, acts->x);
    bias_backward(dparams->bias_ih, acts->gates);
    if (dx.values) product_backward_input(dx, acts->gates, params->weight_ih, sum);
}
