#include "layers/linear.h"

#include "support/assert_close.h"
#include "support/draw.h"
#include "support/fixture.h"
#include "support/gradcheck.h"
#include "support/suite.h"

/* W = [1 2; 3 4; 5 6], b = [10 20 30], x = [1 -1]:
 *     y  = [1-2+10, 3-4+20, 5-6+30] = [9 19 29]
 * dy = [1 0 2]:
 *     dx = dy W   = [1+10, 2+12]             = [11 14]
 *     dW = dyᵀ x  = [1 -1; 0 0; 2 -2],  db = dy */
TEST(by_hand_and_twice)
{
    real weight[] = {1, 2, 3, 4, 5, 6}, bias[] = {10, 20, 30};
    real dweight[6] = {0}, dbias[3] = {0};
    real x[] = {1, -1}, dy[] = {1, 0, 2}, y[3], dx[2];
    LinearParams params = {weight_of(matrix_of(weight, 3, 2)), bias};
    LinearGrads dparams = {gradient_of(matrix_of(dweight, 3, 2)), dbias};
    linear_forward(matrix_of(y, 1, 3), matrix_of(x, 1, 2), &params);
    assert_close(y, (double[]){9, 19, 29}, 3, 0, 0, "y");
    linear_backward(matrix_of(dx, 1, 2), &dparams, matrix_of(dy, 1, 3), matrix_of(x, 1, 2), &params,
                    PRODUCT_SET);
    assert_close(dx, (double[]){11, 14}, 2, 0, 0, "dx");
    assert_close(dweight, (double[]){1, -1, 0, 0, 2, -2}, 6, 0, 0, "dweight");
    assert_close(dbias, (double[]){1, 0, 2}, 3, 0, 0, "dbias");

    // once more: gradients of parameters add, that of the input adds if asked to
    linear_backward(matrix_of(dx, 1, 2), &dparams, matrix_of(dy, 1, 3), matrix_of(x, 1, 2), &params,
                    PRODUCT_ADD);
    assert_close(dx, (double[]){22, 28}, 2, 0, 0, "dx added to");
    assert_close(dweight, (double[]){2, -2, 0, 0, 4, -4}, 6, 0, 0, "dweight twice");
    assert_close(dbias, (double[]){2, 0, 4}, 3, 0, 0, "dbias twice");

    params.bias = NULL;
    linear_forward(matrix_of(y, 1, 3), matrix_of(x, 1, 2), &params);
    assert_close(y, (double[]){-1, -1, -1}, 3, 0, 0, "y without bias");
}

typedef struct Case {
    Matrix x, y, dy, dx;
    LinearParams params;
    LinearGrads dparams;
} Case;

static double case_loss(void *context)
{
    Case *c = context;
    linear_forward(c->y, c->x, &c->params);
    return draw_weighted_sum(c->y.values, c->dy.values, c->y.rows * c->y.columns);
}

static void check_gradients(size_t n, size_t out, size_t in, bool with_bias)
{
    Arena arena = draw_arena();
    Case c = {.x = draw_matrix(&arena, n, in, 1, 1),
              .y = draw_zeros(&arena, n, out),
              .dy = draw_matrix(&arena, n, out, 1, 2),
              .dx = draw_zeros(&arena, n, in),
              .params.weight = weight_of(draw_matrix(&arena, out, in, 1, 3)),
              .dparams.weight = gradient_of(draw_zeros(&arena, out, in))};
    if (with_bias) {
        c.params.bias = draw_matrix(&arena, 1, out, 1, 4).values;
        c.dparams.bias = draw_zeros(&arena, 1, out).values;
    }
    linear_backward(c.dx, &c.dparams, c.dy, c.x, &c.params, PRODUCT_SET);
    gradcheck(c.x.values, c.dx.values, n * in, SIZE_MAX, case_loss, &c, "x");
    gradcheck(c.params.weight.matrix.values, c.dparams.weight.matrix.values, out * in, SIZE_MAX,
              case_loss, &c, "weight");
    if (with_bias) gradcheck(c.params.bias, c.dparams.bias, out, SIZE_MAX, case_loss, &c, "bias");
    arena_free(&arena);
}

TEST(gradients)
{
    check_gradients(5, 4, 3, true);
    check_gradients(5, 4, 3, false);
    check_gradients(1, 3, 7, true);
    check_gradients(4, 1, 1, true);
}

TEST(pytorch)
{
    static const double TOLERANCE = sizeof(real) == sizeof(float) ? 1e-6 : 1e-13;
    Arena arena = draw_arena();
    Fixture *fixture = fixture_open("tests/fixtures/linear.safetensors");
    size_t n = fixture_dimension(fixture, "x", 0), in = fixture_dimension(fixture, "x", 1);
    size_t out = fixture_dimension(fixture, "weight", 0);
    Matrix x = draw_copy(&arena, fixture_reals(fixture, "x", NULL), n, in);
    Matrix dy = draw_copy(&arena, fixture_reals(fixture, "dy", NULL), n, out);
    Matrix y = draw_zeros(&arena, n, out), dx = draw_zeros(&arena, n, in);
    LinearParams params = {
        weight_of(draw_copy(&arena, fixture_reals(fixture, "weight", NULL), out, in)),
        draw_copy(&arena, fixture_reals(fixture, "bias", NULL), 1, out).values};
    LinearGrads dparams = {gradient_of(draw_zeros(&arena, out, in)),
                           draw_zeros(&arena, 1, out).values};
    linear_forward(y, x, &params);
    linear_backward(dx, &dparams, dy, x, &params, PRODUCT_SET);
    assert_close(y.values, fixture_reals(fixture, "y", NULL), n * out, TOLERANCE, TOLERANCE, "y");
    assert_close(dx.values, fixture_reals(fixture, "dx", NULL), n * in, TOLERANCE, TOLERANCE, "dx");
    assert_close(dparams.weight.matrix.values, fixture_reals(fixture, "dweight", NULL), out * in,
                 TOLERANCE, TOLERANCE, "dweight");
    assert_close(dparams.bias, fixture_reals(fixture, "dbias", NULL), out, TOLERANCE, TOLERANCE,
                 "dbias");
    fixture_close(fixture);
    arena_free(&arena);
}

TEST(visit)
{
    ParamList list = {0};
    LinearParams params;
    LinearGrads grads;
    ParamVisitor visitor = param_visitor_listing(&list);
    linear_visit(&params, &grads, &visitor, "bridge.", 6, 10);
    ck_assert_uint_eq(list.count, 2);
    ck_assert_uint_eq(param_list_find(&list, "bridge.weight")->shape[1], 10);
    ck_assert_uint_eq(param_list_find(&list, "bridge.bias")->shape[0], 6);
    ck_assert_ptr_null(params.bias); // no views yet
    ck_assert_uint_eq(grads.weight.matrix.rows, 6);
    param_list_free(&list);
}

/* Nobody wants dx; no rows; results into columns of something wider. */
TEST(edges)
{
    real weight[] = {1, 2, 3, 4}, bias[] = {5, 6}, dweight[4] = {0}, dbias[2] = {0};
    real x[] = {1, 1, 2, 2}, wide[] = {7, 0, 0, 7, 7, 0, 0, 7}, dy[] = {1, 1, 1, 1};
    LinearParams params = {weight_of(matrix_of(weight, 2, 2)), bias};
    LinearGrads dparams = {gradient_of(matrix_of(dweight, 2, 2)), dbias};
    linear_forward(matrix_columns(matrix_of(wide, 2, 4), 1, 2), matrix_of(x, 2, 2), &params);
    assert_close(wide, (double[]){7, 8, 13, 7, 7, 11, 20, 7}, 8, 0, 0, "y in wider rows");
    linear_backward((Matrix){0}, &dparams, matrix_of(dy, 2, 2), matrix_of(x, 2, 2), &params,
                    PRODUCT_SET);
    assert_close(dweight, (double[]){3, 3, 3, 3}, 4, 0, 0, "dweight");
    assert_close(dbias, (double[]){2, 2}, 2, 0, 0, "dbias");
    linear_forward(matrix_of(wide, 0, 2), matrix_of(x, 0, 2), &params);
    linear_backward(matrix_of(x, 0, 2), &dparams, matrix_of(dy, 0, 2), matrix_of(x, 0, 2), &params,
                    PRODUCT_SET);
    assert_close(dweight, (double[]){3, 3, 3, 3}, 4, 0, 0, "dweight of no rows");
    ck_assert(wide[1] == 8 && x[0] == 1);
}
