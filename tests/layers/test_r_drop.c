/* R-Drop's part of the loss (layers/loss.h): two tokens by hand, gradients against differences of plain loops,
 * two equal views, far logits, several chunks. */
#include "layers/loss.h"

#include "support/assert_close.h"
#include "support/draw.h"
#include "support/gradcheck.h"
#include "support/suite.h"

#include <math.h>
#include <stdlib.h>

static const double TOLERANCE = sizeof(real) == sizeof(float) ? 3e-6 : 1e-13;

typedef struct Case {
    size_t tokens, embedding, vocabulary; // tokens 2i and 2i + 1 are one
    Matrix r, dr;
    LinearParams output;
    LinearGrads doutput;
    int32_t *targets;
    LossActs acts;
    real smoothing, scale, divergence;
} Case;

static Case case_of(Arena *arena, size_t tokens, size_t embedding, size_t vocabulary)
{
    Case c = {.tokens = tokens,
              .embedding = embedding,
              .vocabulary = vocabulary,
              .smoothing = (real)0.1,
              .scale = (real)0.5,
              .divergence = 3};
    c.r = draw_matrix(arena, tokens, embedding, 1, 1);
    c.dr = draw_zeros(arena, tokens, embedding);
    c.output.weight = weight_of(draw_matrix(arena, vocabulary, embedding, 1, 2));
    c.output.bias = draw_matrix(arena, 1, vocabulary, 1, 3).values;
    c.doutput.weight = gradient_of(draw_zeros(arena, vocabulary, embedding));
    c.doutput.bias = draw_zeros(arena, 1, vocabulary).values;
    c.targets = arena_take(arena, tokens, sizeof *c.targets);
    for (size_t i = 0; i < tokens; i++) c.targets[i] = (int32_t)(i / 2 * 5 % vocabulary);
    const Ragged target = {.tokens = tokens, .row_multiple = 1};
    loss_acts_layout(&c.acts, arena, &target, &c.output, true);
    return c;
}

static double backward(Case *c)
{
    const LossTargets targets = {c->targets, c->smoothing, c->scale, c->divergence};
    return loss_forward_backward(c->dr, &c->doutput, &c->acts, c->r, &c->output, &targets);
}

// log p (V) of row i.
static void log_p_by_loops(double *log_p, const Case *c, size_t i)
{
    double most = -INFINITY, sum = 0;
    for (size_t v = 0; v < c->vocabulary; v++) {
        log_p[v] = (double)c->output.bias[v];
        for (size_t e = 0; e < c->embedding; e++)
            log_p[v] +=
                (double)matrix_row(c->r, i)[e] * (double)matrix_row(c->output.weight.matrix, v)[e];
        most = fmax(most, log_p[v]);
    }
    for (size_t v = 0; v < c->vocabulary; v++) sum += exp(log_p[v] - most);
    for (size_t v = 0; v < c->vocabulary; v++) log_p[v] -= most + log(sum);
}

// Σ_i loss_i, and α/2 Σ (KL(P‖Q) + KL(Q‖P)).
static double by_loops(double *divergence, const Case *c)
{
    size_t V = c->vocabulary;
    double loss = 0, smoothing = (double)c->smoothing, *log_p[2];
    for (size_t k = 0; k < 2; k++) log_p[k] = calloc(V, sizeof **log_p);
    *divergence = 0;
    for (size_t i = 0; i < c->tokens; i++) {
        double *row = log_p[i % 2];
        log_p_by_loops(row, c, i);
        loss -= (1 - smoothing) * row[c->targets[i]];
        for (size_t v = 0; v < V; v++) loss -= smoothing / (double)V * row[v];
        for (size_t v = 0; i % 2 && v < V; v++)
            *divergence += (double)c->divergence / 2 * (exp(log_p[0][v]) - exp(log_p[1][v])) *
                           (log_p[0][v] - log_p[1][v]);
    }
    free(log_p[0]);
    free(log_p[1]);
    return loss;
}

static double objective(void *context)
{
    const Case *c = context;
    double divergence, loss = by_loops(&divergence, c);
    return (double)c->scale * (loss + divergence);
}

/* Logits (ln 3, 0) and (0, 0): P = (3/4, 1/4), Q = (1/2, 1/2). KL(P‖Q) = ¾ ln 3 − ln 2, KL(Q‖P) = ln 2 − ½ ln 3,
 * their sum ¼ ln 3. The gradient of P's first logit is ¾ (ln 3/2 − ¾ ln 3 + ln 2) + ¼ = 3/16 ln 3 + ¼, of Q's
 * ½ (ln 2/3 − ln 2 + ½ ln 3) − ¼ = −¼ ln 3 − ¼; α = 2 makes α/2 = 1. */
TEST(by_hand)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, 2, 1, 2);
    double log3 = log(3);
    c.smoothing = 0, c.scale = 1, c.divergence = 2;
    c.r.values[0] = 1, c.r.values[1] = 0;
    c.output.weight.matrix.values[0] = (real)log3, c.output.weight.matrix.values[1] = 0;
    c.output.bias[0] = c.output.bias[1] = 0;
    ck_assert_double_eq_tol(backward(&c), log(4.0 / 3) + log(2), TOLERANCE);
    ck_assert_double_eq_tol(c.acts.divergence, 0.25 * log3, TOLERANCE);
    double of_p = 3.0 / 16 * log3 + 0.25 - 0.25,
           of_q = -0.25 * log3 - 0.25 - 0.5; // with the losses'
    assert_close(c.doutput.bias, (double[]){of_p + of_q, -of_p - of_q}, 2, TOLERANCE, TOLERANCE,
                 "dbias");
    assert_close(c.dr.values, (double[]){of_p * log3, of_q * log3}, 2, TOLERANCE, TOLERANCE, "dr");
    arena_free(&arena);
}

static void check_gradients(size_t tokens, size_t embedding, size_t vocabulary)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, tokens, embedding, vocabulary);
    double divergence, expected = by_loops(&divergence, &c), loss = backward(&c);
    ck_assert_double_eq_tol(loss, expected, TOLERANCE * expected);
    ck_assert_double_eq_tol(c.acts.divergence, divergence, 4 * TOLERANCE * divergence);
    gradcheck(c.r.values, c.dr.values, tokens * embedding, 60, objective, &c, "r");
    gradcheck(c.output.weight.matrix.values, c.doutput.weight.matrix.values, vocabulary * embedding,
              60, objective, &c, "weight");
    gradcheck(c.output.bias, c.doutput.bias, vocabulary, 60, objective, &c, "bias");
    arena_free(&arena);
}

TEST(gradients)
{
    check_gradients(6, 3, 7);
    check_gradients(2, 2, LOSS_BLOCK);
    check_gradients(4, 3, 2 * LOSS_BLOCK + 9);
    check_gradients(LOSS_CHUNK + 5, 3, 7); // an even number over more than one chunk
}

// Two equal views: no divergence, and the gradients of the losses alone.
TEST(equal_views)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, 8, 3, 9), alone = case_of(&arena, 8, 3, 9);
    for (size_t i = 0; i < 8; i += 2) {
        matrix_copy_row(c.r, i + 1, c.r, i);
        matrix_copy_row(alone.r, i + 1, alone.r, i);
    }
    alone.divergence = 0;
    ck_assert(backward(&c) == backward(&alone));
    ck_assert_double_eq_tol(c.acts.divergence, 0, TOLERANCE);
    ck_assert(alone.acts.divergence == 0);
    assert_close(c.dr.values, draw_expected(&arena, alone.dr.values, 24), 24, TOLERANCE, TOLERANCE,
                 "dr");
    arena_free(&arena);
}

// A logit far above in one view only: finite, and as by loops.
TEST(far_logits)
{
    static const double shifts[] = {30, 45, 60};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        Arena arena = draw_arena();
        Case c = case_of(&arena, 2, 2, 2 * LOSS_BLOCK + 9);
        matrix_row(c.r, 0)[0] = 1, matrix_row(c.r, 1)[0] = 0;
        matrix_row(c.output.weight.matrix, LOSS_BLOCK + 5)[0] = (real)shifts[i];
        double divergence;
        by_loops(&divergence, &c);
        ck_assert(isfinite(backward(&c)));
        // below RATIO_LEAST, e⁻⁴¹ of the largest, a probability is not told from that
        double tolerance = shifts[i] < 41 ? 1e-4 : 0.5;
        ck_assert_double_eq_tol(c.acts.divergence, divergence, tolerance * divergence);
        for (size_t v = 0; v < c.vocabulary; v++) ck_assert(isfinite(c.doutput.bias[v]));
        arena_free(&arena);
    }
}
