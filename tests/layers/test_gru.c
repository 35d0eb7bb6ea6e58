// Single steps of the GRU; whole sequences stand in test_gru_sequence.c.
#include "layers/gru_case.h"
#include "support/fixture.h"

/* H = I = 1, all weights 0 but W_in = 1 and b_hn = 2; x = 1, h = ½.
 *     r = z = σ(0) = ½;  n = tanh(1 + ½·2) = tanh 2;  h' = ½ tanh 2 + ½·½
 * and with dh' = 1, since σ' = ¼ there:
 *     dn = ½ (1 − tanh² 2);  dz = (½ − tanh 2) ¼;  dr = dn · 2 · ¼;  dh = z = ½ (W_h is 0)
 *     d(W_h h + b_h) = [dr, dz, dn r] */
TEST(by_hand)
{
    real weight_ih[] = {0, 0, 1}, weight_hh[3] = {0}, bias_ih[3] = {0}, bias_hh[] = {0, 0, 2};
    GruParams params = {weight_of(matrix_of(weight_ih, 3, 1)),
                        weight_of(matrix_of(weight_hh, 3, 1)), bias_ih, bias_hh};
    real gates[] = {0, 0, 1}, hn[1], hidden[3], before[] = {(real)0.5}, h[1], dh[] = {1};
    const GruStep step = {matrix_of(before, 1, 1), matrix_of(gates, 1, 3), matrix_of(hn, 1, 1),
                          matrix_of(hidden, 1, 3)};
    gru_step_forward(matrix_of(h, 1, 1), &step, &params);
    double n = tanh(2), dn = 0.5 * (1 - n * n), dz = (0.5 - n) / 4, dr = dn / 2;
    assert_close(gates, (double[]){0.5, 0.5, n}, 3, TOLERANCE, 0, "r, z, n");
    assert_close(hn, (double[]){2}, 1, 0, 0, "hn");
    assert_close(h, (double[]){0.5 * n + 0.25}, 1, TOLERANCE, 0, "h");
    gru_step_backward(matrix_of(dh, 1, 1), matrix_of(dh, 1, 1), &step, &params);
    assert_close(gates, (double[]){dr, dz, dn}, 3, TOLERANCE, TOLERANCE, "dgates");
    assert_close(hidden, (double[]){dr, dz, dn / 2}, 3, TOLERANCE, TOLERANCE, "dhidden");
    assert_close(hn, (double[]){dn / 2}, 1, TOLERANCE, TOLERANCE, "dhn");
    assert_close(dh, (double[]){0.5}, 1, TOLERANCE, 0, "dh_before");
}

static double steps_loss(void *context)
{
    Case *c = context;
    steps_forward(c);
    return draw_weighted_sum(c->acts.h.values, c->weights.values, c->ragged.tokens * c->hidden);
}

static void check_gradients(const uint32_t *lengths, size_t count, GruDirection direction)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, lengths, count, 3, 4, direction, 1);
    draw_reals(c.h0.values, count * 4, 1, 7);
    steps_forward(&c);
    steps_backward(&c);
    check_params(&c, steps_loss);
    gradcheck(c.h0.values, c.dh0.values, count * 4, SIZE_MAX, steps_loss, &c, "h0");
    arena_free(&arena);
}

TEST(gradients)
{
    for (GruDirection direction = GRU_FORWARDS; direction <= GRU_BACKWARDS; direction++) {
        check_gradients(LENGTHS(4, 2, 1), direction); // ragged
        check_gradients(LENGTHS(5), direction);       // B = 1
        check_gradients(LENGTHS(1, 1, 1), direction); // T = 1
    }
}

/* Rows of a fixture's (T, B, width) that are tokens, in the ragged form. */
static const double *ragged_reals(Arena *arena, const Fixture *fixture, const char *name,
                                  const Ragged *ragged, size_t width)
{
    const double *all = fixture_reals(fixture, name, NULL);
    double *rows = arena_take(arena, ragged->tokens * width, sizeof *rows);
    for (size_t t = 0; t < ragged->steps; t++)
        memcpy(rows + ragged->step_begin[t] * width, all + t * ragged->count * width,
               ragged_rows(ragged, t) * width * sizeof *rows);
    return rows;
}

static void expect_reals(const real *actual, const Fixture *fixture, const char *name)
{
    size_t count;
    const double *expected = fixture_reals(fixture, name, &count);
    assert_close(actual, expected, count, TOLERANCE, TOLERANCE, name);
}

static void fixture_params(Case *c, Arena *arena, const Fixture *fixture)
{
    size_t I = c->input, H = c->hidden;
    c->params = (GruParams){
        weight_of(draw_copy(arena, fixture_reals(fixture, "weight_ih", NULL), 3 * H, I)),
        weight_of(draw_copy(arena, fixture_reals(fixture, "weight_hh", NULL), 3 * H, H)),
        draw_copy(arena, fixture_reals(fixture, "bias_ih", NULL), 1, 3 * H).values,
        draw_copy(arena, fixture_reals(fixture, "bias_hh", NULL), 1, 3 * H).values};
}

static void check_pytorch(const char *path, GruDirection direction)
{
    Arena arena = draw_arena();
    Fixture *fixture = fixture_open(path);
    size_t B = fixture_dimension(fixture, "x", 1), I = fixture_dimension(fixture, "x", 2);
    size_t H = fixture_dimension(fixture, "h0", 1);
    uint32_t *lengths = arena_take(&arena, B, sizeof *lengths);
    for (size_t b = 0; b < B; b++)
        lengths[b] = (uint32_t)fixture_integers(fixture, "lengths", NULL)[b];
    Case c = case_of(&arena, lengths, B, I, H, direction, 1);
    size_t N = c.ragged.tokens;
    c.x = draw_copy(&arena, ragged_reals(&arena, fixture, "x", &c.ragged, I), N, I);
    c.h0 = draw_copy(&arena, fixture_reals(fixture, "h0", NULL), B, H);
    c.weights = draw_copy(&arena, ragged_reals(&arena, fixture, "d_output", &c.ragged, H), N, H);
    fixture_params(&c, &arena, fixture);

    steps_forward(&c);
    assert_close(c.acts.h.values, ragged_reals(&arena, fixture, "output", &c.ragged, H), N * H,
                 TOLERANCE, TOLERANCE, "output");
    steps_backward(&c);
    assert_close(c.dx.values, ragged_reals(&arena, fixture, "grad.x", &c.ragged, I), N * I,
                 TOLERANCE, TOLERANCE, "grad.x");
    expect_reals(c.dh0.values, fixture, "grad.h0");
    expect_reals(c.dparams.weight_ih.matrix.values, fixture, "grad.weight_ih");
    expect_reals(c.dparams.weight_hh.matrix.values, fixture, "grad.weight_hh");
    expect_reals(c.dparams.bias_ih, fixture, "grad.bias_ih");
    expect_reals(c.dparams.bias_hh, fixture, "grad.bias_hh");
    fixture_close(fixture);
    arena_free(&arena);
}

TEST(pytorch)
{
    check_pytorch("tests/fixtures/gru.safetensors", GRU_FORWARDS);
    check_pytorch("tests/fixtures/gru_reverse.safetensors", GRU_BACKWARDS);
}

TEST(visit)
{
    ParamList list = {0};
    GruParams params;
    GruGrads grads;
    ParamVisitor visitor = param_visitor_listing(&list);
    gru_visit(&params, &grads, &visitor, "encoder.", "_l0_reverse", (GruSizes){3, 4});
    gru_visit(&params, &grads, &visitor, "decoder.", "", (GruSizes){5, 2});
    ck_assert_uint_eq(list.count, 8);
    const ParamInfo *weight_ih = param_list_find(&list, "encoder.weight_ih_l0_reverse");
    ck_assert_uint_eq(weight_ih->shape[0], 12);
    ck_assert_uint_eq(weight_ih->shape[1], 3);
    ck_assert_uint_eq(param_list_find(&list, "encoder.weight_hh_l0_reverse")->shape[1], 4);
    ck_assert_uint_eq(param_list_find(&list, "encoder.bias_ih_l0_reverse")->shape[0], 12);
    ck_assert_uint_eq(param_list_find(&list, "decoder.bias_hh")->shape[0], 6);
    param_list_free(&list);
}
