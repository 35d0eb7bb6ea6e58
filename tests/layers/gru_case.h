/* What the tests of the GRU share: a layer with a ragged batch, and runs over it by single steps,
 * which unlike gru_sequence_forward may start from any state. */
#pragma once

#include "layers/gru.h"
#include "layers/linear.h"
#include "support/assert_close.h"
#include "support/draw.h"
#include "support/gradcheck.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = sizeof(real) == sizeof(float) ? 4e-6 : 1e-13;

// A layer, a ragged batch, and everything of its forward and backward. Letters as in layers/gru.h.
typedef struct Case {
    Ragged ragged;
    GruDirection direction;
    size_t input, hidden; // I, H
    Matrix x, dx;         // (N, I)
    Matrix h0, dh0;       // (B, H), for runs by steps
    Matrix weights;       // (N, H): the loss is Σ h·weights
    Matrix dh;            // (N, H)
    GruParams params;
    GruGrads dparams;
    GruActs acts;
} Case;

static inline GruParams params_drawn(Arena *arena, size_t I, size_t H, double scale)
{
    return (GruParams){weight_of(draw_matrix(arena, 3 * H, I, scale, 1)),
                       weight_of(draw_matrix(arena, 3 * H, H, scale, 2)),
                       draw_matrix(arena, 1, 3 * H, scale, 3).values,
                       draw_matrix(arena, 1, 3 * H, scale, 4).values};
}

static inline GruGrads grads_zero(Arena *arena, size_t I, size_t H)
{
    return (GruGrads){gradient_of(draw_zeros(arena, 3 * H, I)),
                      gradient_of(draw_zeros(arena, 3 * H, H)), draw_zeros(arena, 1, 3 * H).values,
                      draw_zeros(arena, 1, 3 * H).values};
}

static inline Case case_of(Arena *arena, const uint32_t *lengths, size_t count, size_t I, size_t H,
                           GruDirection direction, size_t row_multiple)
{
    Case c = {.direction = direction, .input = I, .hidden = H};
    ragged_layout(&c.ragged, arena, count, lengths[0]);
    ragged_fill(&c.ragged, lengths, row_multiple);
    size_t N = c.ragged.tokens;
    c.x = matrix_with_rows(draw_matrix(arena, N + row_multiple, I, 1, 5), N);
    c.dx = draw_zeros(arena, N, I);
    c.h0 = draw_zeros(arena, count, H);
    c.dh0 = draw_zeros(arena, count, H);
    c.weights = draw_matrix(arena, N, H, 1, 6);
    c.dh = draw_zeros(arena, N, H);
    c.params = params_drawn(arena, I, H, 0.5);
    c.dparams = grads_zero(arena, I, H);
    Ragged *ragged = arena_take(arena, 1, sizeof *ragged); // at an address that stays
    *ragged = c.ragged;
    gru_acts_layout(&c.acts, arena, ragged, direction, H);
    c.acts.x = c.x;
    c.acts.h = ragged_take_steps(arena, ragged, H);
    return c;
}

/* The step from which sentence b's state at step t comes, or SIZE_MAX at its first. */
static inline size_t step_before(const Case *c, size_t b, size_t t)
{
    if (c->direction == GRU_FORWARDS) return t - 1; // 0 − 1 is SIZE_MAX
    return t + 1 < c->ragged.lengths[b] ? t + 1 : SIZE_MAX;
}

static inline Matrix at_step(Matrix matrix, const Case *c, size_t t)
{
    return matrix_rows(matrix, c->ragged.step_begin[t], ragged_rows(&c->ragged, t));
}

static inline GruStep step_of(const Case *c, size_t t)
{
    return (GruStep){at_step(c->acts.h_before, c, t), at_step(c->acts.gates, c, t),
                     at_step(c->acts.hn, c, t),
                     matrix_rows(c->acts.hidden, 0, ragged_rows(&c->ragged, t))};
}

/* What gru_sequence_forward does, by single steps, from h0 instead of zeros. */
static inline void steps_forward(Case *c)
{
    product_forward(c->acts.gates, c->x, c->params.weight_ih, PRODUCT_SET);
    for (size_t i = 0; i < c->ragged.steps; i++) {
        size_t t = c->direction == GRU_FORWARDS ? i : c->ragged.steps - 1 - i;
        Matrix h_before = at_step(c->acts.h_before, c, t);
        for (size_t b = 0; b < h_before.rows; b++) {
            size_t before = step_before(c, b, t);
            const real *h = before == SIZE_MAX
                                ? matrix_row(c->h0, b)
                                : matrix_row(c->acts.h, c->ragged.step_begin[before] + b);
            memcpy(matrix_row(h_before, b), h, c->hidden * sizeof(real));
        }
        const GruStep step = step_of(c, t);
        gru_step_forward(at_step(c->acts.h, c, t), &step, &c->params);
    }
}

static inline void steps_backward(Case *c)
{
    memcpy(c->dh.values, c->weights.values, c->ragged.tokens * c->hidden * sizeof(real));
    for (size_t i = 0; i < c->ragged.steps; i++) {
        size_t t = c->direction == GRU_FORWARDS ? c->ragged.steps - 1 - i : i;
        Matrix dh = at_step(c->dh, c, t);
        const GruStep step = step_of(c, t);
        gru_step_backward(dh, dh, &step, &c->params);
        for (size_t b = 0; b < dh.rows; b++) {
            size_t before = step_before(c, b, t);
            real *to = before == SIZE_MAX ? matrix_row(c->dh0, b)
                                          : matrix_row(c->dh, c->ragged.step_begin[before] + b);
            for (size_t j = 0; j < c->hidden; j++) to[j] += matrix_row(dh, b)[j];
        }
    }
    gru_weights_backward(&c->dparams, c->acts.gates, c->acts.hn, c->acts.h_before);
    product_backward_weight(c->dparams.weight_ih, c->acts.gates, c->x);
    bias_backward(c->dparams.bias_ih, c->acts.gates);
    product_backward_input(c->dx, c->acts.gates, c->params.weight_ih, PRODUCT_SET);
}

// Checks every gradient but h0's.
static inline void check_params(Case *c, GradcheckLoss loss)
{
    size_t I = c->input, H = c->hidden;
    gradcheck(c->x.values, c->dx.values, c->ragged.tokens * I, SIZE_MAX, loss, c, "x");
    gradcheck(c->params.weight_ih.matrix.values, c->dparams.weight_ih.matrix.values, 3 * H * I,
              SIZE_MAX, loss, c, "weight_ih");
    gradcheck(c->params.weight_hh.matrix.values, c->dparams.weight_hh.matrix.values, 3 * H * H,
              SIZE_MAX, loss, c, "weight_hh");
    gradcheck(c->params.bias_ih, c->dparams.bias_ih, 3 * H, SIZE_MAX, loss, c, "bias_ih");
    gradcheck(c->params.bias_hh, c->dparams.bias_hh, 3 * H, SIZE_MAX, loss, c, "bias_hh");
}

// Lengths for a call: the array and its count.
#define LENGTHS(...)                                                                               \
    (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
