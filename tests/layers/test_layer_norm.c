#include "layers/layer_norm.h"

#include "support/assert_close.h"
#include "support/draw.h"
#include "support/fixture.h"
#include "support/gradcheck.h"
#include "support/ragged_checks.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = sizeof(real) == sizeof(float) ? 2e-6 : 1e-12;

/* x = [1 1 3 3]: μ = 2, σ² = 1, x̂ = [-1 -1 1 1] but for ε = 1e-5.
 *     y = x̂ ⊙ [1 2 3 4] + [10 20 30 40]                = [9 18 33 44]
 * dy = [1 0 0 0], so dx̂ = [1 0 0 0], whose mean is 1/4 and whose mean product with x̂ is -1/4:
 *     dx = dx̂ - 1/4 - x̂ · (-1/4)                       = [1/2 -1/2 0 0]
 *     dw = dy ⊙ x̂ = [-1 0 0 0],  db = dy */
TEST(by_hand_and_twice)
{
    real weight[] = {1, 2, 3, 4}, bias[] = {10, 20, 30, 40}, dweight[4] = {0}, dbias[4] = {0};
    real x[] = {1, 1, 3, 3}, y[4], dy[] = {1, 0, 0, 0}, dx[4], scale;
    LayerNormParams params = {weight, bias};
    LayerNormGrads dparams = {dweight, dbias};
    layer_norm_forward(matrix_of(y, 1, 4), matrix_of(x, 1, 4), &scale, &params);
    assert_close(y, (double[]){9, 18, 33, 44}, 4, 0, 5e-5, "y");
    assert_close(x, (double[]){-1, -1, 1, 1}, 4, 0, 1e-5, "x");
    assert_close(&scale, (double[]){1}, 1, 0, 1e-5, "scale");
    for (int times = 1; times <= 2; times++) { // gradients of the parameters accumulate
        layer_norm_backward(matrix_of(dx, 1, 4), &dparams, matrix_of(dy, 1, 4), matrix_of(x, 1, 4),
                            &scale, &params);
        assert_close(dx, (double[]){0.5, -0.5, 0, 0}, 4, 0, 1e-5, "dx");
        assert_close(dweight, (double[]){-times, 0, 0, 0}, 4, 0, 3e-5, "dweight");
        assert_close(dbias, (double[]){times, 0, 0, 0}, 4, 0, 0, "dbias");
    }
    layer_norm_backward(matrix_of(dy, 1, 4), &dparams, matrix_of(dy, 1, 4), matrix_of(x, 1, 4),
                        &scale, &params);
    assert_close(dy, (double[]){0.5, -0.5, 0, 0}, 4, 0, 1e-5, "dx over dy");
}

typedef struct Case {
    Matrix x, work, y, dy, dx; // forward writes on its x, so it gets a copy
    real *scales;
    LayerNormParams params;
    LayerNormGrads dparams;
} Case;

static void case_forward(Case *c)
{
    memcpy(c->work.values, c->x.values, c->x.rows * c->x.columns * sizeof(real));
    layer_norm_forward(c->y, c->work, c->scales, &c->params);
}

static double case_loss(void *context)
{
    Case *c = context;
    case_forward(c);
    return draw_weighted_sum(c->y.values, c->dy.values, c->y.rows * c->y.columns);
}

static Case case_new(Arena *arena, size_t rows, size_t n)
{
    return (Case){
        .x = draw_matrix(arena, rows, n, 1, 1),
        .work = draw_zeros(arena, rows, n),
        .y = draw_zeros(arena, rows, n),
        .dy = draw_matrix(arena, rows, n, 1, 2),
        .dx = draw_zeros(arena, rows, n),
        .scales = draw_zeros(arena, 1, rows).values,
        .params = {draw_matrix(arena, 1, n, 1, 3).values, draw_matrix(arena, 1, n, 1, 4).values},
        .dparams = {draw_zeros(arena, 1, n).values, draw_zeros(arena, 1, n).values}};
}

static void check_gradients(size_t rows, size_t n)
{
    Arena arena = draw_arena();
    Case c = case_new(&arena, rows, n);
    case_forward(&c);
    layer_norm_backward(c.dx, &c.dparams, c.dy, c.work, c.scales, &c.params);
    gradcheck(c.x.values, c.dx.values, rows * n, SIZE_MAX, case_loss, &c, "x");
    gradcheck(c.params.weight, c.dparams.weight, n, SIZE_MAX, case_loss, &c, "weight");
    gradcheck(c.params.bias, c.dparams.bias, n, SIZE_MAX, case_loss, &c, "bias");
    arena_free(&arena);
}

TEST(gradients)
{
    check_gradients(4, 7);
    check_gradients(1, 40);
    check_gradients(3, 1); // x̂ is 0
}

TEST(pytorch)
{
    Arena arena = draw_arena();
    Fixture *fixture = fixture_open("tests/fixtures/layer_norm.safetensors");
    size_t rows = fixture_dimension(fixture, "x", 0), n = fixture_dimension(fixture, "x", 1);
    Case c = case_new(&arena, rows, n);
    c.x = draw_copy(&arena, fixture_reals(fixture, "x", NULL), rows, n);
    c.dy = draw_copy(&arena, fixture_reals(fixture, "dy", NULL), rows, n);
    c.params.weight = draw_copy(&arena, fixture_reals(fixture, "weight", NULL), 1, n).values;
    c.params.bias = draw_copy(&arena, fixture_reals(fixture, "bias", NULL), 1, n).values;
    case_forward(&c);
    layer_norm_backward(c.dx, &c.dparams, c.dy, c.work, c.scales, &c.params);
    // of a row about 100 a float's mean is known to 1e-5
    const double tolerance = sizeof(real) == sizeof(float) ? 5e-5 : TOLERANCE;
    matrix_assert(c.y, fixture_reals(fixture, "y", NULL), tolerance, tolerance, "y");
    matrix_assert(c.dx, fixture_reals(fixture, "dx", NULL), tolerance, tolerance, "dx");
    matrix_assert(matrix_of(c.dparams.weight, 1, n), fixture_reals(fixture, "dweight", NULL),
                  tolerance, tolerance, "dweight");
    matrix_assert(matrix_of(c.dparams.bias, 1, n), fixture_reals(fixture, "dbias", NULL), tolerance,
                  tolerance, "dbias");
    fixture_close(fixture);
    arena_free(&arena);
}

// Shifted and stretched rows come to the same.
TEST(shift_and_stretch)
{
    Arena arena = draw_arena();
    Case c = case_new(&arena, 2, 50);
    for (size_t i = 0; i < 50; i++) matrix_row(c.x, 1)[i] = 8 * matrix_row(c.x, 0)[i] + 3;
    case_forward(&c);
    assert_close(matrix_row(c.y, 1), draw_expected(&arena, matrix_row(c.y, 0), 50), 50, 3e-5, 3e-5,
                 "y");
    arena_free(&arena);
}

// Equal numbers have no spread: what is left is the bias, and nothing divides by 0.
TEST(edges)
{
    real weight[] = {1, 2, 3}, bias[] = {4, 5, 6}, dweight[3] = {0}, dbias[3] = {0}, scale = 0;
    real x[] = {7, 7, 7}, y[3] = {1, 1, 1}, dy[] = {1, 1, 1};
    LayerNormParams params = {weight, bias};
    LayerNormGrads dparams = {dweight, dbias};
    layer_norm_forward(matrix_of(y, 1, 3), matrix_of(x, 1, 3), &scale, &params);
    assert_close(y, (double[]){4, 5, 6}, 3, TOLERANCE, 0, "y");
    ck_assert_double_eq_tol((double)scale, 1 / sqrt(1e-5), 1e-2);
    layer_norm_backward(matrix_of(dy, 1, 3), &dparams, matrix_of(dy, 1, 3), matrix_of(x, 1, 3),
                        &scale, &params);
    for (size_t i = 0; i < 3; i++) ck_assert(isfinite(dy[i]));
    layer_norm_forward(matrix_of(y, 0, 3), matrix_of(x, 0, 3), NULL, &params); // no rows
    // NaN stays visible
    real bad[] = {1, NAN, 2};
    layer_norm_forward(matrix_of(y, 1, 3), matrix_of(bad, 1, 3), &scale, &params);
    for (size_t i = 0; i < 3; i++) ck_assert(isnan(y[i]));
}

TEST(visit)
{
    ParamList list = {0};
    LayerNormParams params;
    LayerNormGrads grads;
    ParamVisitor visitor = param_visitor_listing(&list);
    layer_norm_visit(&params, &grads, &visitor, "self_attention.norm.", 10);
    ck_assert_uint_eq(list.count, 2);
    ck_assert_uint_eq(param_list_find(&list, "self_attention.norm.weight")->count, 10);
    ck_assert_uint_eq(param_list_find(&list, "self_attention.norm.bias")->rank, 1);
    param_list_free(&list);
}
