#include "attention/self_attention.h"

#include "base/memory.h"
#include "linalg/backend/backend.h"
#include "support/assert_close.h"
#include "support/draw.h"
#include "support/param_checks.h"
#include "support/ragged_checks.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

#ifdef REGARD_DOUBLE
static const double RTOL = 1e-10, ATOL = 1e-11;
#else
static const double RTOL = 5e-5, ATOL = 5e-6;
#endif

enum { MAX_SENTENCES = 8 };

// Self-attention alone over a ragged batch; the loss is Σ h' · d.
typedef struct Subject {
    ParamList list;
    real *block, *grad_block;
    SelfAttentionParams params;
    SelfAttentionGrads dparams;
    Arena ragged_arena, arena, matrices;
    Ragged ragged;
    SelfAttentionActs acts;
    Matrix h, d, dh; // (N, C)
} Subject;

// One head's weights of sentence b: (S, S).
static Matrix weights_of(const Subject *subject, size_t b, size_t head)
{
    size_t S = subject->ragged.lengths[b];
    return matrix_of(subject->acts.weights + subject->acts.weights_begin[b] + head * S * S, S, S);
}

static void begin(Subject *subject, size_t width, size_t heads, const uint32_t *lengths,
                  size_t count, size_t row_multiple, bool with_backward)
{
    *subject = (Subject){0};
    ParamVisitor listing = param_visitor_listing(&subject->list);
    self_attention_visit(&subject->params, &subject->dparams, &listing, "self_attention.", width,
                         heads);
    subject->block = param_block_new(&subject->list);
    subject->grad_block = param_block_new(&subject->list);
    ParamVisitor binding = param_block_visitor(&subject->list, subject->block, subject->grad_block);
    self_attention_visit(&subject->params, &subject->dparams, &binding, "self_attention.", width,
                         heads);
    param_block_visited(&binding);
    ragged_make(&subject->ragged, &subject->ragged_arena, lengths, count, row_multiple);
    Arena measure = arena_measuring();
    self_attention_acts_layout(&subject->acts, &measure, &subject->ragged, &subject->params,
                               with_backward);
    assert_ok(arena_reserve(&subject->arena, measure.high, NULL));
    // not numbers, as memory that was used before may be
    memset(subject->arena.memory, 0xff, measure.high);
    self_attention_acts_layout(&subject->acts, &subject->arena, &subject->ragged, &subject->params,
                               with_backward);
    ck_assert_uint_eq(subject->arena.used, measure.used);
    subject->matrices = draw_arena();
    size_t N = subject->ragged.tokens, room = ragged_rounded(&subject->ragged, N);
    subject->h = matrix_with_rows(draw_matrix(&subject->matrices, room, width, 1, 1), N);
    subject->d = draw_matrix(&subject->matrices, N, width, 1, 2);
    subject->dh = draw_zeros(&subject->matrices, N, width);
    param_block_draw(subject->block, &subject->list, 3, 0.5);
}

static void end(Subject *subject)
{
    param_list_free(&subject->list);
    memory_free(subject->block);
    memory_free(subject->grad_block);
    arena_free(&subject->arena);
    arena_free(&subject->ragged_arena);
    arena_free(&subject->matrices);
}

static void forward(Subject *subject)
{
    self_attention_forward(&subject->acts, subject->h, &subject->ragged, &subject->params);
}

static void backward(Subject *subject)
{
    memcpy(subject->dh.values, subject->d.values,
           subject->d.rows * subject->d.columns * sizeof(real));
    self_attention_backward(subject->dh, &subject->dparams, &subject->acts, subject->h,
                            &subject->ragged, &subject->params);
}

static double loss(void *context)
{
    Subject *subject = context;
    forward(subject);
    return draw_weighted_sum(subject->acts.annotations.values, subject->d.values,
                             subject->d.rows * subject->d.columns);
}

static void set(real *to, const double *from, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = (real)from[i];
}

TEST(by_hand)
{
    /* Two heads of width 1, h_1 = (1, 0), h_2 = (0, 1), W_V and W_O the identity.
     * W_Q = W_K = [√ln 3, 0; 0, 0]. Head 1: q = k = (√ln 3, 0), so e = [ln 3, 0; 0, 0] and
     * α = [3/4, 1/4; 1/2, 1/2]; it hears (1, 0): c = (3/4, 1/2). Head 2: q = 0, α = 1/2 everywhere,
     * it hears (0, 1): c = (1/2, 1/2). h + c = (7/4, 1/2) and (1/2, 3/2), normalised (1, -1) and
     * (-1, 1); times (2, 3), plus (1, 1): (3, -2) and (-1, 4). */
    Subject subject;
    begin(&subject, 2, 2, (const uint32_t[]){2}, 1, 1, true);
    const double root = sqrt(log(3)), ask[] = {root, 0, 0, 0}, identity[] = {1, 0, 0, 1};
    set(subject.params.query.matrix.values, ask, 4);
    set(subject.params.key.matrix.values, ask, 4);
    set(subject.params.value.matrix.values, identity, 4);
    set(subject.params.output.matrix.values, identity, 4);
    set(subject.params.norm.weight, (const double[]){2, 3}, 2);
    set(subject.params.norm.bias, (const double[]){1, 1}, 2);
    set(subject.h.values, identity, 4);
    forward(&subject);
    const double heads[2][4] = {{.75, .25, .5, .5}, {.5, .5, .5, .5}};
    for (size_t head = 0; head < 2; head++)
        matrix_assert(weights_of(&subject, 0, head), heads[head], 1e-6, 0, "weights");
    matrix_assert(subject.acts.context, (const double[]){.75, .5, .5, .5}, 1e-6, 0, "context");
    matrix_assert(subject.acts.annotations, (const double[]){3, -2, -1, 4}, 0, 1e-4, "annotations");
    end(&subject);
}

/* All gradients by central differences. */
static void check_gradients(size_t width, size_t heads, const uint32_t *lengths, size_t count)
{
    Subject subject;
    begin(&subject, width, heads, lengths, count, 1, true);
    forward(&subject);
    backward(&subject);
    param_block_gradcheck(subject.block, subject.grad_block, &subject.list, SIZE_MAX, loss,
                          &subject);
    gradcheck(subject.h.values, subject.dh.values, subject.ragged.tokens * width, SIZE_MAX, loss,
              &subject, "annotations");
    end(&subject);
}

TEST(gradients)
{
    check_gradients(6, 3, (const uint32_t[]){5, 3, 3, 1}, 4);
    check_gradients(6, 1, (const uint32_t[]){4}, 1);
    check_gradients(4, 4, (const uint32_t[]){3, 2}, 2); // heads of width 1
    check_gradients(4, 2, (const uint32_t[]){1}, 1);    // α = 1: nothing goes through the energies
}

static void begin_fixture(Subject *subject, Fixture **fixture, size_t row_multiple,
                          bool with_backward)
{
    *fixture = fixture_open("tests/fixtures/self_attention.safetensors");
    size_t count;
    const int64_t *given = fixture_integers(*fixture, "lengths", &count);
    uint32_t lengths[MAX_SENTENCES];
    for (size_t b = 0; b < count; b++) lengths[b] = (uint32_t)given[b];
    size_t width = fixture_dimension(*fixture, "annotations", 2);
    size_t heads = (size_t)*fixture_integers(*fixture, "heads", NULL);
    begin(subject, width, heads, lengths, count, row_multiple, with_backward);
    param_block_read(subject->block, &subject->list, *fixture);
    padded_read(subject->h, *fixture, "annotations", BATCH_FIRST, &subject->ragged, NULL,
                SENTENCE_MAJOR);
    padded_read(subject->d, *fixture, "d_output", BATCH_FIRST, &subject->ragged, NULL,
                SENTENCE_MAJOR);
    forward(subject);
}

static void assert_output(const Subject *subject, const Fixture *fixture)
{
    padded_assert(subject->acts.annotations, fixture, "output", BATCH_FIRST, &subject->ragged, NULL,
                  SENTENCE_MAJOR, RTOL, ATOL);
}

TEST(equals_pytorch)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1, true);
    assert_output(&subject, fixture);
    size_t heads = subject.params.heads, S = subject.ragged.steps;
    const double *expected = fixture_reals(fixture, "weights", NULL); // (B, heads, S, S)
    for (size_t b = 0; b < subject.ragged.count; b++)
        for (size_t head = 0; head < heads; head++) {
            Matrix weights = weights_of(&subject, b, head);
            for (size_t i = 0; i < weights.rows; i++)
                assert_close(matrix_row(weights, i), expected + ((b * heads + head) * S + i) * S,
                             weights.columns, RTOL, ATOL, "weights");
        }
    backward(&subject);
    param_block_assert(subject.grad_block, &subject.list, fixture, "grad.", RTOL, ATOL);
    padded_assert(subject.dh, fixture, "grad.annotations", BATCH_FIRST, &subject.ragged, NULL,
                  SENTENCE_MAJOR, RTOL, ATOL);
    fixture_close(fixture);
    end(&subject);
}

TEST(rounded_products_and_no_backward)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 24, false);
    assert_output(&subject, fixture);
    ragged_assert_rest_clear(subject.acts.context, &subject.ragged, "context");
    ragged_assert_rest_clear(subject.acts.annotations, &subject.ragged, "annotations");
    fixture_close(fixture);
    end(&subject);
}

static void pass(void *context)
{
    forward(context); // backward takes the memory of keys and values
    backward(context);
}

TEST(gradients_accumulate)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1, true);
    param_block_assert_accumulates(subject.grad_block, &subject.list, pass, &subject, RTOL, ATOL);
    fixture_close(fixture);
    end(&subject);
}

TEST(weights_sum_to_one)
{
    const uint32_t lengths[] = {60, 8, 3, 1};
    Subject subject;
    begin(&subject, 12, 3, lengths, 4, 1, true);
    for (double spread = 0.01; spread < 1e3; spread *= 100) { // from even to one-hot
        param_block_draw(subject.block, &subject.list, 4, spread);
        forward(&subject);
        for (size_t b = 0; b < 4; b++)
            for (size_t head = 0; head < 3; head++) {
                Matrix weights = weights_of(&subject, b, head);
                for (size_t i = 0; i < lengths[b]; i++) {
                    double sum = 0;
                    for (size_t j = 0; j < lengths[b]; j++) {
                        real weight = matrix_row(weights, i)[j];
                        ck_assert(weight >= 0 && weight <= 1);
                        sum += (double)weight;
                    }
                    ck_assert_double_eq_tol(sum, 1, 1e-5);
                }
            }
    }
    end(&subject);
}

/* Each sentence of a batch, on its own in another batch, comes to the same bits. */
static void check_alone(size_t width, size_t heads, const uint32_t *lengths, size_t count)
{
    Subject among, alone;
    begin(&among, width, heads, lengths, count, backend_openblas.row_multiple, false);
    forward(&among);
    for (size_t b = 0; b < count; b++) {
        size_t first = among.ragged.sentence_begin[b];
        begin(&alone, width, heads, &lengths[b], 1, backend_openblas.row_multiple, false);
        memcpy(alone.h.values, matrix_row(among.h, first), lengths[b] * width * sizeof(real));
        forward(&alone);
        assert_rows_exact(alone.acts.annotations.values, matrix_row(among.acts.annotations, first),
                          lengths[b] * width, "annotations");
        end(&alone);
    }
    end(&among);
}

TEST(a_sentence_does_not_see_its_batch)
{
    const uint32_t lengths[] = {110, 75, 52, 51, 50, 24, 7, 1};
    check_alone(128, 4, lengths, 8);
    check_alone(256, 2, lengths, 8);
    check_alone(66, 3, lengths, 8);
    check_alone(12, 4, lengths, 8); // narrow products take another way through BLAS
    check_alone(50, 1, lengths, 8);
}

// Sentences of equal length, put in another order, give the same in that order.
TEST(order_of_sentences)
{
    enum { COUNT = 4, LENGTH = 6, WIDTH = 8 };
    const size_t order[COUNT] = {2, 0, 3, 1}, values = LENGTH * WIDTH;
    Subject given, turned;
    begin(&given, WIDTH, 2, (const uint32_t[]){6, 6, 6, 6}, COUNT, 1, true);
    begin(&turned, WIDTH, 2, (const uint32_t[]){6, 6, 6, 6}, COUNT, 1, true);
    for (size_t b = 0; b < COUNT; b++) {
        memcpy(turned.h.values + b * values, given.h.values + order[b] * values,
               values * sizeof(real));
        memcpy(turned.d.values + b * values, given.d.values + order[b] * values,
               values * sizeof(real));
    }
    forward(&given);
    forward(&turned);
    backward(&given);
    backward(&turned);
    for (size_t b = 0; b < COUNT; b++) {
        assert_rows_exact(given.acts.annotations.values + order[b] * values,
                          turned.acts.annotations.values + b * values, values, "annotations");
        assert_rows_exact(given.dh.values + order[b] * values, turned.dh.values + b * values,
                          values, "gradients");
    }
    param_block_assert_scaled(turned.grad_block, &turned.list, given.grad_block, 1, RTOL,
                              10 * ATOL);
    end(&given);
    end(&turned);
}

/* Without positions of its own it cannot tell them apart: words in another order come out in that
 * order, otherwise the same. */
TEST(order_of_words)
{
    enum { LENGTH = 5, WIDTH = 8 };
    const size_t order[LENGTH] = {3, 1, 4, 0, 2};
    Subject given, turned;
    begin(&given, WIDTH, 2, (const uint32_t[]){LENGTH}, 1, 1, false);
    begin(&turned, WIDTH, 2, (const uint32_t[]){LENGTH}, 1, 1, false);
    for (size_t j = 0; j < LENGTH; j++)
        memcpy(matrix_row(turned.h, j), matrix_row(given.h, order[j]), WIDTH * sizeof(real));
    forward(&given);
    forward(&turned);
    for (size_t j = 0; j < LENGTH; j++)
        assert_close(
            matrix_row(turned.acts.annotations, j),
            draw_expected(&given.matrices, matrix_row(given.acts.annotations, order[j]), WIDTH),
            WIDTH, RTOL, ATOL, "annotations");
    end(&given);
    end(&turned);
}

TEST(names_and_shapes)
{
    static const char *const names[] = {
        "self_attention.query.weight",  "self_attention.key.weight",  "self_attention.value.weight",
        "self_attention.output.weight", "self_attention.norm.weight", "self_attention.norm.bias"};
    ParamList list = {0};
    SelfAttentionParams params = {0};
    SelfAttentionGrads grads;
    ParamVisitor visitor = param_visitor_listing(&list);
    self_attention_visit(&params, &grads, &visitor, "self_attention.", 12, 3);
    ck_assert_uint_eq(params.heads, 3);
    ck_assert_uint_eq(list.count, 6);
    for (size_t i = 0; i < 6; i++) {
        ck_assert_str_eq(list.tensors[i].name, names[i]);
        ck_assert_uint_eq(list.tensors[i].shape[0], 12);
        ck_assert_uint_eq(list.tensors[i].rank, i < 4 ? 2 : 1);
    }
    param_list_free(&list);
}
