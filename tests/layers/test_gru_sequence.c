// Runs of the GRU over ragged batches; single steps and PyTorch's numbers stand in test_gru.c.
#include "layers/gru_case.h"
#include "linalg/backend/backend.h"

static void sequence_backward(Case *c, ProductSum sum)
{
    memcpy(c->dh.values, c->weights.values, c->ragged.tokens * c->hidden * sizeof(real));
    gru_sequence_backward(c->dx, &c->dparams, c->dh, &c->acts, &c->params, sum);
}

static double sequence_loss(void *context)
{
    Case *c = context;
    gru_sequence_forward(&c->acts, &c->params);
    return draw_weighted_sum(c->acts.h.values, c->weights.values, c->ragged.tokens * c->hidden);
}

static void check_gradients(const uint32_t *lengths, size_t count, GruDirection direction)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, lengths, count, 3, 4, direction, 1);
    gru_sequence_forward(&c.acts, &c.params);
    sequence_backward(&c, PRODUCT_SET);
    check_params(&c, sequence_loss);
    arena_free(&arena);
}

TEST(gradients)
{
    for (GruDirection direction = GRU_FORWARDS; direction <= GRU_BACKWARDS; direction++) {
        check_gradients(LENGTHS(4, 2, 1), direction); // ragged
        check_gradients(LENGTHS(5, 5, 2, 2, 2), direction);
        check_gradients(LENGTHS(3, 3), direction);
        check_gradients(LENGTHS(5), direction);       // B = 1
        check_gradients(LENGTHS(1, 1, 1), direction); // T = 1
        check_gradients(LENGTHS(1), direction);
    }
}

static void expect_same_gradients(const Case *a, const Case *b)
{
    size_t I = a->input, H = a->hidden;
    ck_assert_mem_eq(a->dx.values, b->dx.values, a->ragged.tokens * I * sizeof(real));
    ck_assert_mem_eq(a->dparams.weight_ih.matrix.values, b->dparams.weight_ih.matrix.values,
                     3 * H * I * sizeof(real));
    ck_assert_mem_eq(a->dparams.weight_hh.matrix.values, b->dparams.weight_hh.matrix.values,
                     3 * H * H * sizeof(real));
    ck_assert_mem_eq(a->dparams.bias_ih, b->dparams.bias_ih, 3 * H * sizeof(real));
    ck_assert_mem_eq(a->dparams.bias_hh, b->dparams.bias_hh, 3 * H * sizeof(real));
}

/* A sequence is its steps from zeros: the same products in the same order, so the same bits. */
TEST(a_sequence_is_its_steps)
{
    for (GruDirection direction = GRU_FORWARDS; direction <= GRU_BACKWARDS; direction++) {
        Arena arena = draw_arena();
        Case sequence = case_of(&arena, LENGTHS(6, 4, 4, 1), 5, 8, direction, 1);
        Case steps = case_of(&arena, LENGTHS(6, 4, 4, 1), 5, 8, direction, 1);
        gru_sequence_forward(&sequence.acts, &sequence.params);
        steps_forward(&steps);
        ck_assert_mem_eq(sequence.acts.h.values, steps.acts.h.values, 15 * 8 * sizeof(real));
        sequence_backward(&sequence, PRODUCT_SET);
        steps_backward(&steps);
        expect_same_gradients(&sequence, &steps);
        arena_free(&arena);
    }
}

/* Each sentence of a batch comes out as it does alone; with rounded rows to the last bit, where the
 * products promise it. */
static void check_alone(GruDirection direction, size_t row_multiple)
{
    enum { I = 16, H = 32, B = 5 };
    static const uint32_t lengths[B] = {9, 7, 7, 3, 1};
    Arena arena = draw_arena();
    Case c = case_of(&arena, lengths, B, I, H, direction, row_multiple);
    gru_sequence_forward(&c.acts, &c.params);
    for (size_t b = 0; b < B; b++) {
        Case alone = case_of(&arena, &lengths[b], 1, I, H, direction, row_multiple);
        for (size_t t = 0; t < lengths[b]; t++)
            memcpy(matrix_row(alone.x, t), matrix_row(c.x, c.ragged.step_begin[t] + b),
                   I * sizeof(real));
        gru_sequence_forward(&alone.acts, &alone.params);
        for (size_t t = 0; t < lengths[b]; t++) {
            const real *h = matrix_row(c.acts.h, c.ragged.step_begin[t] + b);
            assert_close(matrix_row(alone.acts.h, t), draw_expected(&arena, h, H), H, TOLERANCE,
                         TOLERANCE, "h alone");
            if (sizeof(real) == sizeof(float) && row_multiple > 1 && backend_openblas.rows_exact())
                ck_assert_mem_eq(matrix_row(alone.acts.h, t), h, H * sizeof(real));
        }
    }
    arena_free(&arena);
}

TEST(alone_and_in_a_batch)
{
    assert_ok(backends_start(1, NULL));
    for (GruDirection direction = GRU_FORWARDS; direction <= GRU_BACKWARDS; direction++) {
        check_alone(direction, 1);
        check_alone(direction, backend_openblas.row_multiple);
    }
}

TEST(layout)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, LENGTHS(4, 2, 1), 3, 4, GRU_BACKWARDS, 1);
    GruActs acts, measured;
    size_t before = arena.used;
    gru_acts_layout(&acts, &arena, &c.ragged, GRU_FORWARDS, 4);
    Arena measure = arena_measuring();
    gru_acts_layout(&measured, &measure, &c.ragged, GRU_FORWARDS, 4);
    ck_assert_uint_eq(measure.used, arena.used - before);
    ck_assert_uint_eq(acts.hidden.rows, 3); // of the largest step
    arena_free(&arena);
}

// Of the first layer of anything, nobody wants dx.
TEST(without_dx)
{
    Arena arena = draw_arena();
    Case c = case_of(&arena, LENGTHS(4, 2, 1), 3, 4, GRU_BACKWARDS, 1);
    gru_sequence_forward(&c.acts, &c.params);
    Matrix dx = c.dx;
    c.dx = (Matrix){0};
    sequence_backward(&c, PRODUCT_SET);
    ck_assert(dx.values[0] == 0 && isfinite(c.dparams.bias_hh[0]));
    arena_free(&arena);
}

TEST(twice)
{
    for (GruDirection direction = GRU_FORWARDS; direction <= GRU_BACKWARDS; direction++) {
        Arena arena = draw_arena();
        Case once = case_of(&arena, LENGTHS(4, 2, 1), 3, 4, direction, 1);
        Case twice = case_of(&arena, LENGTHS(4, 2, 1), 3, 4, direction, 1);
        for (int time = 0; time < 3; time++) { // forward again, because backward overwrites
            Case *c = time == 0 ? &once : &twice;
            gru_sequence_forward(&c->acts, &c->params);
            sequence_backward(c, time == 2 ? PRODUCT_ADD : PRODUCT_SET);
        }
        real *const pairs[][2] = {
            {once.dparams.weight_ih.matrix.values, twice.dparams.weight_ih.matrix.values},
            {once.dparams.weight_hh.matrix.values, twice.dparams.weight_hh.matrix.values},
            {once.dparams.bias_ih, twice.dparams.bias_ih},
            {once.dparams.bias_hh, twice.dparams.bias_hh},
            {once.dx.values, twice.dx.values},
        };
        static const size_t counts[] = {36, 48, 12, 12, 21};
        for (size_t i = 0; i < 5; i++) {
            for (size_t j = 0; j < counts[i]; j++) pairs[i][0][j] *= 2;
            assert_close(pairs[i][1], draw_expected(&arena, pairs[i][0], counts[i]), counts[i],
                         TOLERANCE, TOLERANCE, "twice");
        }
        arena_free(&arena);
    }
}
