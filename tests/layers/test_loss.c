#include "layers/loss.h"

#include "support/assert_close.h"
#include "support/draw.h"
#include "support/fixture.h"
#include "support/gradcheck.h"
#include "support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = sizeof(real) == sizeof(float) ? 3e-6 : 1e-13;

typedef struct Case {
    size_t tokens, embedding, vocabulary;
    Matrix r, dr;
    LinearParams output;
    LinearGrads doutput;
    int32_t *targets;
    LossActs acts;
    real smoothing, scale;
} Case;

enum { ROW_MULTIPLE = 24 };

// Random r, weight, bias and targets, gradients of 0.
static Case case_of(Arena *arena, size_t tokens, size_t embedding, size_t vocabulary,
                    double smoothing)
{
    Case c = {.tokens = tokens,
              .embedding = embedding,
              .vocabulary = vocabulary,
              .smoothing = (real)smoothing,
              .scale = (real)0.5};
    c.r = matrix_with_rows(draw_matrix(arena, tokens + ROW_MULTIPLE, embedding, 1, 1), tokens);
    c.dr = draw_zeros(arena, tokens, embedding);
    c.output.weight = weight_of(draw_matrix(arena, vocabulary, embedding, 1, 2));
    c.output.bias = draw_matrix(arena, 1, vocabulary, 1, 3).values;
    c.doutput.weight = gradient_of(draw_zeros(arena, vocabulary, embedding));
    c.doutput.bias = draw_zeros(arena, 1, vocabulary).values;
    c.targets = arena_take(arena, tokens, sizeof *c.targets);
    for (size_t i = 0; i < tokens; i++) c.targets[i] = (int32_t)(i * 5 % vocabulary);
    const Ragged target = {.tokens = tokens, .row_multiple = ROW_MULTIPLE};
    loss_acts_layout(&c.acts, arena, &target, &c.output, true);
    c.acts.row_multiple = 1;
    return c;
}

static LossTargets targets_of(const Case *c)
{
    return (LossTargets){.tokens = c->targets, .smoothing = c->smoothing, .scale = c->scale};
}

static double case_loss(void *context)
{
    Case *c = context;
    const LossTargets targets = targets_of(c);
    return (double)c->scale * loss_forward(&c->acts, c->r, &c->output, &targets);
}

static double case_backward(Case *c, Matrix dr)
{
    const LossTargets targets = targets_of(c);
    return loss_forward_backward(dr, &c->doutput, &c->acts, c->r, &c->output, &targets);
}

/* W = [ln 3; 0], b = 0, r = 1: logits (ln 3, 0), p = (3/4, 1/4). Target 0, scale 2.
 * ε = 0:   loss = −ln 3/4; d logits = 2 (3/4 − 1, 1/4) = (−1/2, 1/2); dr = −½ ln 3
 * ε = 1/2: q = (3/4, 1/4) = p: loss = −¾ ln ¾ − ¼ ln ¼, and no gradient. */
TEST(by_hand)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, 1, 1, 2, 0);
    double log3 = log(3);
    c.r.values[0] = 1;
    c.output.weight.matrix.values[0] = (real)log3, c.output.weight.matrix.values[1] = 0;
    c.output.bias[0] = c.output.bias[1] = 0;
    c.scale = 2;
    ck_assert_double_eq_tol(case_backward(&c, c.dr), log(4.0 / 3), TOLERANCE);
    assert_close(c.acts.log_p, (double[]){log(0.75)}, 1, TOLERANCE, 0, "log_p");
    assert_close(c.doutput.bias, (double[]){-0.5, 0.5}, 2, TOLERANCE, 0, "dbias");
    assert_close(c.doutput.weight.matrix.values, (double[]){-0.5, 0.5}, 2, TOLERANCE, 0, "dweight");
    assert_close(c.dr.values, (double[]){-0.5 * log3}, 1, TOLERANCE, 0, "dr");

    c.smoothing = (real)0.5;
    double expected = -0.75 * log(0.75) - 0.25 * log(0.25);
    ck_assert_double_eq_tol(case_backward(&c, c.dr), expected, TOLERANCE);
    assert_close(c.acts.log_p, (double[]){log(0.75)}, 1, TOLERANCE, 0, "log_p, smoothed");
    assert_close(c.doutput.bias, (double[]){-0.5, 0.5}, 2, TOLERANCE, 0, "dbias, nothing added");
    assert_close(c.dr.values, (double[]){0}, 1, 0, TOLERANCE, "dr, set");
    arena_free(&arena);
}

static void check_gradients(size_t tokens, size_t embedding, size_t vocabulary, double smoothing)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, tokens, embedding, vocabulary, smoothing);
    case_backward(&c, c.dr);
    gradcheck(c.r.values, c.dr.values, tokens * embedding, 60, case_loss, &c, "r");
    gradcheck(c.output.weight.matrix.values, c.doutput.weight.matrix.values, vocabulary * embedding,
              60, case_loss, &c, "weight");
    gradcheck(c.output.bias, c.doutput.bias, vocabulary, 60, case_loss, &c, "bias");
    arena_free(&arena);
}

TEST(gradients)
{
    for (int smoothed = 0; smoothed < 2; smoothed++) {
        check_gradients(5, 3, 7, 0.1 * smoothed);
        check_gradients(1, 2, 9, 0.1 * smoothed);
        check_gradients(LOSS_CHUNK + 5, 3, 7, 0.1 * smoothed);
        check_gradients(3, 2, LOSS_BLOCK, 0.1 * smoothed);
        check_gradients(4, 3, 2 * LOSS_BLOCK + 9, 0.1 * smoothed);
    }
}

/* The fixture's logits come through an output weight of 1 on the diagonal; the caller leaves out
 * ignored targets. */
static void check_pytorch(const char *name, double smoothing)
{
    Arena arena = draw_arena();
    Fixture *fixture = fixture_open("tests/fixtures/loss.safetensors");
    size_t N = fixture_dimension(fixture, "logits", 0), V = fixture_dimension(fixture, "logits", 1);
    const double *logits = fixture_reals(fixture, "logits", NULL);
    const int64_t *targets = fixture_integers(fixture, "targets", NULL);
    char key[32];
    snprintf(key, sizeof key, "%s.dlogits", name);
    const double *dlogits = fixture_reals(fixture, key, NULL);

    Case c = case_of(&arena, N, V, V, smoothing);
    double *expected = arena_take(&arena, N * V, sizeof *expected);
    memset(c.output.weight.matrix.values, 0, V * V * sizeof(real));
    memset(c.output.bias, 0, V * sizeof(real));
    for (size_t v = 0; v < V; v++) matrix_row(c.output.weight.matrix, v)[v] = 1;
    size_t kept = 0;
    for (size_t i = 0; i < N; i++) {
        if (targets[i] == 0) continue;
        c.targets[kept] = (int32_t)targets[i];
        for (size_t v = 0; v < V; v++) {
            matrix_row(c.r, kept)[v] = (real)logits[i * V + v];
            expected[kept * V + v] = dlogits[i * V + v];
        }
        kept++;
    }
    ck_assert_uint_lt(kept, N);
    c.r.rows = c.dr.rows = kept;
    c.scale = (real)(1 / (double)kept);
    real sum = (real)case_backward(&c, c.dr);
    snprintf(key, sizeof key, "%s.loss_sum", name);
    assert_close(&sum, fixture_reals(fixture, key, NULL), 1, TOLERANCE, 0, key);
    assert_close(c.dr.values, expected, kept * V, TOLERANCE, TOLERANCE / 10, "dlogits");
    fixture_close(fixture);
    arena_free(&arena);
}

TEST(pytorch)
{
    check_pytorch("plain", 0);
    check_pytorch("smoothed", 0.1);
}

// Chunks of the batch give what its tokens give one by one, forward and backward.
static void check_chunks(size_t tokens, double smoothing)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, tokens, 4, 9, smoothing),
         one = case_of(&arena, tokens, 4, 9, smoothing);
    double sum = 0, whole = case_backward(&c, c.dr);
    for (size_t i = 0; i < tokens; i++) {
        LossActs acts = one.acts;
        acts.log_p += i;
        const LossTargets targets = {
            .tokens = one.targets + i, .smoothing = one.smoothing, .scale = one.scale};
        sum += loss_forward_backward(matrix_rows(one.dr, i, 1), &one.doutput, &acts,
                                     matrix_rows(one.r, i, 1), &one.output, &targets);
    }
    double size = TOLERANCE * sqrt((double)tokens);
    ck_assert_double_eq_tol(whole, sum, TOLERANCE * whole);
    assert_close(c.acts.log_p, draw_expected(&arena, one.acts.log_p, tokens), tokens, TOLERANCE,
                 TOLERANCE, "log_p");
    assert_close(c.dr.values, draw_expected(&arena, one.dr.values, tokens * 4), tokens * 4,
                 TOLERANCE, TOLERANCE, "dr");
    assert_close(c.doutput.weight.matrix.values,
                 draw_expected(&arena, one.doutput.weight.matrix.values, 36), 36, size, size,
                 "dweight");
    assert_close(c.doutput.bias, draw_expected(&arena, one.doutput.bias, 9), 9, size, size,
                 "dbias");

    // forward alone, with rows as they are and rounded up
    ck_assert_double_eq_tol(case_loss(&c) / (double)c.scale, whole, TOLERANCE * whole);
    const LossTargets targets = targets_of(&c);
    c.acts.row_multiple = ROW_MULTIPLE;
    double rounded = loss_forward(&c.acts, c.r, &c.output, &targets);
    ck_assert_double_eq_tol(rounded, whole, TOLERANCE * whole);
    arena_free(&arena);
}

TEST(chunks)
{
    for (int smoothed = 0; smoothed < 2; smoothed++) {
        check_chunks(7, 0.1 * smoothed);
        check_chunks(LOSS_CHUNK, 0.1 * smoothed);
        check_chunks(LOSS_CHUNK + 1, 0.1 * smoothed);
        check_chunks(2 * LOSS_CHUNK + 100, 0.1 * smoothed);
    }
}

/* Twice is twice; dr is set, and may lie where r lies. */
TEST(twice)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, LOSS_CHUNK + 9, 4, 9, 0.1);
    size_t count = c.tokens * 4;
    double *dweight = arena_take(&arena, 36, sizeof *dweight);
    case_backward(&c, c.dr);
    for (size_t i = 0; i < 36; i++) dweight[i] = 2 * (double)c.doutput.weight.matrix.values[i];
    const double *dr = draw_expected(&arena, c.dr.values, count);
    double dbias = 2 * (double)c.doutput.bias[4];
    case_backward(&c, c.r);
    assert_close(c.doutput.weight.matrix.values, dweight, 36, TOLERANCE, TOLERANCE, "dweight");
    assert_close(&c.doutput.bias[4], &dbias, 1, TOLERANCE, TOLERANCE, "dbias");
    assert_close(c.r.values, dr, count, 0, 0, "dr in r");
    arena_free(&arena);
}

/* What loss.h says, by plain loops in double, where the logits of one output are `shift` above. The
 * loss is returned, the gradient of the logits set. */
static double loss_by_loops(double *dlogits, const Case *c, size_t i)
{
    double sum = 0, most = -INFINITY, loss = 0;
    size_t V = c->vocabulary;
    double *logits = calloc(V, sizeof *logits);
    for (size_t v = 0; v < V; v++) {
        logits[v] = (double)c->output.bias[v];
        for (size_t e = 0; e < c->embedding; e++)
            logits[v] +=
                (double)matrix_row(c->r, i)[e] * (double)matrix_row(c->output.weight.matrix, v)[e];
        most = fmax(most, logits[v]);
    }
    for (size_t v = 0; v < V; v++) sum += exp(logits[v] - most);
    for (size_t v = 0; v < V; v++) {
        double log_p = logits[v] - most - log(sum), smoothing = (double)c->smoothing;
        double q = smoothing / (double)V + (v == (size_t)c->targets[i] ? 1 - smoothing : 0);
        loss -= q > 0 ? q * log_p : 0;
        dlogits[v] = (double)c->scale * (exp(log_p) - q);
    }
    free(logits);
    return loss;
}

/* One output is far above or below all others, in the first block, at the edges of the second and
 * in the last: exponentials that were kept are brought down to a new reference. */
static void check_far(size_t output, double shift, double smoothing)
{
    enum { TOKENS = 5, V = 2 * LOSS_BLOCK + 9 };
    Arena arena = draw_arena();
    Case c = case_of(&arena, TOKENS, 3, V, smoothing);
    c.output.bias[output] += (real)shift;
    c.targets[1] = (int32_t)output;
    double loss = 0, *dlogits = arena_take(&arena, V, sizeof *dlogits);
    double *dbias = arena_take(&arena, V, sizeof *dbias);
    memset(dbias, 0, V * sizeof *dbias);
    for (size_t i = 0; i < TOKENS; i++) {
        loss += loss_by_loops(dlogits, &c, i);
        for (size_t v = 0; v < V; v++) dbias[v] += dlogits[v];
    }
    double size = TOLERANCE * (1 + fabs(shift));
    ck_assert_double_eq_tol(case_backward(&c, c.dr), loss, TOLERANCE * loss + size);
    assert_close(c.doutput.bias, dbias, V, TOLERANCE, size, "dbias");
    ck_assert_double_eq_tol(case_loss(&c) / (double)c.scale, loss, TOLERANCE * loss + size);
    double *dweight = arena_take(&arena, V * 3, sizeof *dweight);
    memset(dweight, 0, V * 3 * sizeof *dweight);
    for (size_t i = 0; i < TOKENS; i++) {
        loss_by_loops(dlogits, &c, i);
        for (size_t j = 0; j < 3 * (size_t)V; j++)
            dweight[j] += dlogits[j / 3] * (double)matrix_row(c.r, i)[j % 3];
    }
    assert_close(c.doutput.weight.matrix.values, dweight, (size_t)V * 3, TOLERANCE, size,
                 "dweight");
    arena_free(&arena);
}

TEST(far_logits)
{
    static const size_t outputs[] = {0, 5, LOSS_BLOCK - 1, LOSS_BLOCK, 2 * LOSS_BLOCK + 8};
    static const double shifts[] = {0, 30, 60, 100, 1000, -1000};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        for (size_t j = 0; j < sizeof shifts / sizeof *shifts; j++) {
            check_far(outputs[i], shifts[j], 0);
            check_far(outputs[i], shifts[j], 0.1);
        }
}

TEST(edges)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, 2, 4, 9, 0.1);
    c.r.rows = c.dr.rows = 0;
    ck_assert(case_backward(&c, c.dr) == 0);
    ck_assert(case_loss(&c) == 0);
    ck_assert(c.doutput.bias[0] == 0);
    c.r.rows = c.dr.rows = 2;
    c.r.values[5] = (real)NAN; // in the second row: seen in the sum, not in the first row
    ck_assert(isnan(case_backward(&c, c.dr)));
    ck_assert(isfinite(c.acts.log_p[0]) && isnan(c.acts.log_p[1]));
    Arena measure = arena_measuring();
    LossActs acts;
    const Ragged target = {.tokens = 100000, .row_multiple = ROW_MULTIPLE};
    const LinearParams output = {.weight = weight_of(matrix_of(NULL, 8000, 4))};
    loss_acts_layout(&acts, &measure, &target, &output, true);
    ck_assert_uint_lt(measure.used, 1200 * 8000 * sizeof(real)); // never the whole matrix
    measure = arena_measuring();
    loss_acts_layout(&acts, &measure, &target, &output, false);
    ck_assert_uint_lt(measure.used, 500 * 8000 * sizeof(real));
    arena_free(&arena);
}
