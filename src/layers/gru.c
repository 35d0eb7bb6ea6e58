#include "layers/gru.h"

#include "layers/linear.h"

#include <stdio.h>

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

void gru_step_forward(Matrix h, const GruStep *step, const GruParams *params)
{
    const Kernels *k = kernels();
    // W_h h for all three gates in one product; the kernel adds the biases
    product_forward(step->hidden, step->h_before, params->weight_hh, PRODUCT_SET);
    for (size_t b = 0; b < h.rows; b++)
        k->gru_forward(matrix_row(h, b), matrix_row(step->gates, b), matrix_row(step->hn, b),
                       matrix_row(step->hidden, b), params->bias_ih, params->bias_hh,
                       matrix_row(step->h_before, b), h.columns);
}

void gru_step_backward(Matrix dh_before, Matrix dh, const GruStep *step, const GruParams *params)
{
    const Kernels *k = kernels();
    Matrix dhidden = matrix_with_rows(step->hidden, dh.rows);
    for (size_t b = 0; b < dh.rows; b++)
        k->gru_backward(matrix_row(step->gates, b), matrix_row(dhidden, b),
                        matrix_row(dh_before, b), matrix_row(dh, b), matrix_row(step->gates, b),
                        matrix_row(step->hn, b), matrix_row(step->h_before, b), dh.columns);
    product_backward_input(dh_before, dhidden, params->weight_hh, PRODUCT_ADD);
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

void gru_acts_layout(GruActs *acts, Arena *arena, const Ragged *ragged, GruDirection direction,
                     size_t hidden)
{
    size_t H = hidden;
    acts->ragged = ragged;
    acts->direction = direction;
    acts->h_before = ragged_take_steps(arena, ragged, H);
    acts->gates = ragged_take_steps(arena, ragged, 3 * H);
    acts->hn = ragged_take_steps(arena, ragged, H);
    acts->hidden = ragged_take_sentences(arena, ragged, 3 * H);
}

// The step before step t in reading order.
static size_t step_before(const GruActs *acts, size_t t)
{
    return acts->direction == GRU_FORWARDS ? t - 1 : t + 1;
}

/* The states that step t starts from: those of the step before it in reading order, and zeros for
 * sentences that begin and in the rows its product is rounded up to. */
static void gather_before(GruActs *acts, size_t t)
{
    const Ragged *ragged = acts->ragged;
    size_t rows = ragged_rows(ragged, t), width = acts->h.columns, running = 0;
    if (acts->direction == GRU_FORWARDS && t > 0) running = rows;
    if (acts->direction == GRU_BACKWARDS && t + 1 < ragged->steps)
        running = ragged_rows(ragged, t + 1);
    Matrix before = matrix_rows(acts->h_before, ragged->step_begin[t], running);
    if (running) {
        memcpy(before.values, matrix_row(acts->h, ragged->step_begin[step_before(acts, t)]),
               running * width * sizeof(real));
    }
    matrix_clear_padding(before, ragged_rounded(ragged, rows));
}

static GruStep step_of(const GruActs *acts, size_t t)
{
    const Ragged *ragged = acts->ragged;
    return (GruStep){.h_before = ragged_step(acts->h_before, ragged, t),
                     .gates = ragged_step(acts->gates, ragged, t),
                     .hn = ragged_step(acts->hn, ragged, t),
                     .hidden = matrix_rows(acts->hidden, 0, ragged_rows(ragged, t))};
}

void gru_sequence_forward(GruActs *acts, const GruParams *params)
{
    const Ragged *ragged = acts->ragged;
    // rows after the last token are computed and never read
    product_forward(ragged_padded(acts->gates, ragged), ragged_padded(acts->x, ragged),
                    params->weight_ih, PRODUCT_SET);
    for (size_t i = 0; i < ragged->steps; i++) {
        size_t t = acts->direction == GRU_FORWARDS ? i : ragged->steps - 1 - i;
        gather_before(acts, t);
        GruStep step = step_of(acts, t);
        step.h_before = ragged_padded(step.h_before, ragged);
        step.hidden = ragged_padded(step.hidden, ragged);
        gru_step_forward(ragged_step(acts->h, ragged, t), &step, params);
    }
}

void gru_sequence_backward(Matrix dx, GruGrads *dparams, Matrix dh, GruActs *acts,
                           const GruParams *params, ProductSum sum)
{
    const Ragged *ragged = acts->ragged;
    for (size_t i = 0; i < ragged->steps; i++) {
        size_t t = acts->direction == GRU_FORWARDS ? ragged->steps - 1 - i : i;
        Matrix dh_t = ragged_step(dh, ragged, t);
        GruStep step = step_of(acts, t);
        gru_step_backward(dh_t, dh_t, &step, params);
        // the state that step t started from is the result of the step before it in reading order
        if (i + 1 == ragged->steps) break;
        size_t before = step_before(acts, t);
        size_t rows = ragged_rows(ragged, before);
        if (rows > dh_t.rows) rows = dh_t.rows;
        kernels()->add(matrix_row(dh, ragged->step_begin[before]), dh_t.values, rows * dh.columns);
    }
    gru_weights_backward(dparams, acts->gates, acts->hn, acts->h_before);
    product_backward_weight(dparams->weight_ih, acts->gates, acts->x);
    bias_backward(dparams->bias_ih, acts->gates);
    if (dx.values) product_backward_input(dx, acts->gates, params->weight_ih, sum);
}
