#include "attention/attention.h"

#include "base/memory.h"
#include "support/assert_close.h"
#include "support/param_checks.h"
#include "support/ragged_checks.h"
#include "support/suite.h"
#include "tensor/kernels.h"

#include <math.h>
#include <string.h>

#ifdef REGARD_DOUBLE
static const double RTOL = 1e-10, ATOL = 1e-12;
static const double EIGHT_DIGITS = 6e-9; // numbers given with eight
#else
static const double RTOL = 2e-5, ATOL = 1e-6;
static const double EIGHT_DIGITS = 1e-6; // as far as float goes
#endif
static const double FOUR_DIGITS = 5.1e-5;

enum { ROWS_MOST = 16, SENTENCES_MOST = 4 };

// Additive attention alone, one step; row i looks at sentence i unless told otherwise.
typedef struct Subject {
    ParamList list;
    real *block, *grad_block;
    AttentionParams params, dparams;
    Arena ragged_arena, arena;
    Ragged ragged; // of the sources
    AttentionMemory memory;
    AttentionMemoryGrads dmemory;
    AttentionStep step;
    Matrix q, dq; // (B, D) s_{t-1} and its gradient
    uint32_t sentence[SENTENCES_MOST];
    real *alpha[SENTENCES_MOST];
    Matrix dcontext; // (B, 2H): the loss is Σ context · dcontext
} Subject;

static Matrix take(Arena *arena, size_t rows, size_t room, size_t columns)
{
    return matrix_of(arena_take(arena, room * columns, sizeof(real)), rows, columns);
}

static void layout(Subject *subject, Arena *arena, size_t D, size_t A, size_t width)
{
    size_t B = subject->ragged.count, N = subject->ragged.tokens;
    size_t step_room = ragged_rounded(&subject->ragged, B);
    size_t room = ragged_rounded(&subject->ragged, N);
    subject->memory.annotations = take(arena, N, room, width);
    subject->memory.keys = take(arena, N, room, A);
    subject->memory.begin = subject->ragged.sentence_begin;
    subject->dmemory.dannotations = take(arena, N, N, width);
    subject->dmemory.dkeys = take(arena, N, N, A);
    subject->q = take(arena, B, step_room, D);
    subject->dq = take(arena, B, B, D);
    subject->dcontext = take(arena, B, B, width);
    subject->step.query = take(arena, B, step_room, A);
    subject->step.dquery = take(arena, B, B, A);
    subject->step.context = take(arena, B, step_room, width);
    for (size_t b = 0; b < B; b++)
        subject->alpha[b] = arena_take(arena, subject->ragged.steps, sizeof(real));
}

static void begin(Subject *subject, size_t D, size_t A, size_t width, const uint32_t *lengths,
                  size_t count, size_t quantum)
{
    *subject = (Subject){0};
    ParamVisitor listing = param_visitor_listing(&subject->list);
    attention_additive.visit(&subject->params, &listing, "attention.", A, D, width);
    subject->block = param_block_new(&subject->list);
    subject->grad_block = param_block_new(&subject->list);
    ParamVisitor values = param_visitor_binding(&subject->list, subject->block);
    attention_additive.visit(&subject->params, &values, "attention.", A, D, width);
    ParamVisitor grads = param_visitor_binding(&subject->list, subject->grad_block);
    attention_additive.visit(&subject->dparams, &grads, "attention.", A, D, width);
    ragged_make(&subject->ragged, &subject->ragged_arena, lengths, count, quantum);
    ck_assert_uint_le(subject->ragged.tokens, ROWS_MOST);
    ck_assert_uint_le(count, SENTENCES_MOST);
    Arena measure = arena_measuring();
    layout(subject, &measure, D, A, width);
    ck_assert_int_eq(arena_reserve(&subject->arena, measure.used, NULL), STATUS_OK);
    layout(subject, &subject->arena, D, A, width);
    for (uint32_t b = 0; b < count; b++) subject->sentence[b] = b;
    subject->step.rows = count;
    subject->step.sentence = subject->sentence;
    subject->step.alpha = subject->alpha;
}

static void end(Subject *subject)
{
    memory_free(subject->block);
    memory_free(subject->grad_block);
    arena_free(&subject->arena);
    arena_free(&subject->ragged_arena);
}

static void forward(Subject *subject)
{
    const Ragged *ragged = &subject->ragged;
    attention_additive.memory_forward(&subject->memory, ragged_rounded(ragged, ragged->tokens),
                                      &subject->params);
    Matrix q = matrix_with_rows(subject->q, ragged_rounded(ragged, ragged->count));
    attention_additive.step_forward(&subject->step, q, &subject->memory, &subject->params);
}

/* All of backward for this one step; dq and the memory's gradients start at 0, the parameters' go
 * on. */
static void backward(Subject *subject)
{
    real scratch[ROWS_MOST];
    Matrix dannotations = subject->dmemory.dannotations, dkeys = subject->dmemory.dkeys;
    memset(dannotations.values, 0, dannotations.rows * dannotations.columns * sizeof(real));
    memset(dkeys.values, 0, dkeys.rows * dkeys.columns * sizeof(real));
    memset(subject->dq.values, 0, subject->dq.rows * subject->dq.columns * sizeof(real));
    attention_additive.step_backward(subject->dq, &subject->dparams, &subject->dmemory,
                                     subject->dcontext, &subject->step, &subject->memory,
                                     &subject->params, scratch);
    attention_additive.query_backward(&subject->dparams, subject->step.dquery, subject->q);
    for (size_t b = 0; b < subject->step.rows; b++) { // Σ_t α_tj dc_t, left to the caller
        Matrix dh = attention_sentence(dannotations, subject->memory.begin, subject->sentence[b]);
        for (size_t j = 0; j < dh.rows; j++)
            kernels()->add_scaled(matrix_row(dh, j), subject->alpha[b][j],
                                  matrix_row(subject->dcontext, b), dh.columns);
    }
    attention_additive.memory_backward(&subject->dmemory, &subject->dparams, &subject->memory,
                                       &subject->params);
}

static double loss(void *context)
{
    Subject *subject = context;
    forward(subject);
    double sum = 0;
    for (size_t i = 0; i < subject->step.rows * subject->dcontext.columns; i++)
        sum += (double)subject->step.context.values[i] * (double)subject->dcontext.values[i];
    return sum;
}

static void set(real *to, const double *from, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = (real)from[i];
}

START_TEST(test_by_hand)
{
    /* W_q q = [.5·.6 + .2·.4, .3·.6 + .4·.4] = [.38, .34]; with b [.48, .54].
     * W_k h_1 = [.1·.2 + .6·.3, .5·.2 + .3·.3] = [.20, .19]
     * e_1 = (tanh .68 + tanh .73) / 2 = (.5915 + .6231) / 2 = .6073, the others likewise */
    Subject subject;
    begin(&subject, 2, 2, 2, (const uint32_t[]){4}, 1, 1);
    set(subject.params.query.weight.values, (const double[]){.5, .2, .3, .4}, 4);
    set(subject.params.query.bias, (const double[]){.1, .2}, 2);
    set(subject.params.key.values, (const double[]){.1, .6, .5, .3}, 4);
    set(subject.params.v, (const double[]){.5, .5}, 2);
    set(subject.q.values, (const double[]){.6, .4}, 2);
    const double h[] = {.2, .3, .5, .8, .7, .1, .4, .6};
    set(subject.memory.annotations.values, h, 8);
    forward(&subject);
    real energies[4];
    kernels()->additive_forward(energies, subject.step.query.values, subject.memory.keys.values,
                                subject.params.v, 4, 2);
    assert_close(energies, (const double[]){.6073, .7698, .6350, .7162}, 4, 0, FOUR_DIGITS, "e");
    assert_close(subject.alpha[0], (const double[]){.2315, .2724, .2380, .2581}, 4, 0, FOUR_DIGITS,
                 "alpha");
    assert_close(subject.step.context.values, (const double[]){.4523, .4660}, 2, 0, FOUR_DIGITS,
                 "context");
    end(&subject);
}
END_TEST

START_TEST(test_softmax_and_weighted_sum_by_hand)
{
    real alpha[4], h[8], context[2];
    set(alpha, (const double[]){.605, .823, 1.152, .417}, 4);
    set(h, (const double[]){.2, .3, .5, .8, .7, .1, .4, .6}, 8);
    attention_weigh(context, alpha, matrix_of(h, 4, 2));
    assert_close(alpha, (const double[]){.2083, .2591, .3600, .1726}, 4, 0, FOUR_DIGITS, "alpha");
    assert_close(context, (const double[]){.4922, .4093}, 2, 0, FOUR_DIGITS, "context");
}
END_TEST

START_TEST(test_equals_numpy)
{
    // numpy.random.seed(2025); s = randn(4); h = randn(5, 4); W_a, U_a = randn(3, 4); v = randn(3)
    static const double s[] = {-0.09239017734006542, 0.734285571818207, -1.438882025137984,
                               -0.6634220249431935};
    static const double h[] = {
        -0.10072808829300164, 2.146986573285621,    1.393708086434868,    -0.2073711320618591,
        0.76358728607377,     0.2050536502590706,   -1.0414961740454705,  -0.8280760893682219,
        -1.0537956851227857,  -0.08875866470155816, 0.15819335462130032,  -1.7893230472518888,
        1.0634817778402788,   0.037120005088365535, -0.16375793041290654, -0.32820756904280945,
        1.5889765035000567,   -0.18878301639751396, -0.1817229707189814,  0.7179002124106627};
    static const double W_a[] = {-0.0007072508451907222, 0.7821669662745457, 0.0869911211711735,
                                 0.06625556927225097,    1.2005649415573179, -0.06166531132228107,
                                 -0.9009063455442049,    -1.259248044002328, 0.05663286486438104,
                                 -0.966218615905405,     0.748555548637642,  0.2781863888490101};
    static const double U_a[] = {-0.3107561510458716, -0.6539049867266162, -0.07294798302830618,
                                 0.5919375342722815,  0.8576039742639423,  -1.1941784058188503,
                                 1.901540732469318,   -0.6451840497609937, -1.1821966824736394,
                                 1.552205077068221,   1.2163215349729022,  0.9363371804740966};
    static const double v[] = {-0.6755505090190843, 1.0693202966521997, -0.1097420180616874};
    Subject subject;
    begin(&subject, 4, 3, 4, (const uint32_t[]){5}, 1, 1);
    set(subject.q.values, s, 4);
    set(subject.memory.annotations.values, h, 20);
    set(subject.params.query.weight.values, W_a, 12);
    set(subject.params.key.values, U_a, 12);
    set(subject.params.v, v, 3);
    forward(&subject);
    assert_close(subject.alpha[0],
                 (const double[]){0.25601495, 0.18044334, 0.22252979, 0.20301713, 0.1379948}, 5, 0,
                 EIGHT_DIGITS, "alpha");
    assert_close(subject.step.context.values,
                 (const double[]){0.31267093, 0.54839469, 0.1457593, -0.56825387}, 4, 0,
                 EIGHT_DIGITS, "context");
    end(&subject);
}
END_TEST

/* Numbers without a pattern for everything that goes in. */
static void draw(Subject *subject)
{
    param_block_draw(subject->block, &subject->list, 3, 1);
    Matrix h = subject->memory.annotations;
    for (size_t i = 0; i < h.rows * h.columns; i++) h.values[i] = (real)sin(3.7 * (double)i + 1);
    for (size_t i = 0; i < subject->q.rows * subject->q.columns; i++)
        subject->q.values[i] = (real)sin(1.9 * (double)i + 2);
    for (size_t i = 0; i < subject->dcontext.rows * subject->dcontext.columns; i++)
        subject->dcontext.values[i] = (real)cos(2.3 * (double)i);
}

/* All gradients by central differences. `shared`: every row looks at sentence 0. */
static void check_gradients(const uint32_t *lengths, size_t count, bool shared)
{
    Subject subject;
    begin(&subject, 3, 5, 4, lengths, count, 1);
    draw(&subject);
    if (shared) memset(subject.sentence, 0, sizeof subject.sentence);
    forward(&subject);
    backward(&subject);
    param_block_gradcheck(subject.block, subject.grad_block, &subject.list, SIZE_MAX, loss,
                          &subject);
    gradcheck(subject.q.values, subject.dq.values, count * 3, SIZE_MAX, loss, &subject, "q");
    gradcheck(subject.memory.annotations.values, subject.dmemory.dannotations.values,
              subject.ragged.tokens * 4, SIZE_MAX, loss, &subject, "annotations");
    end(&subject);
}

START_TEST(test_gradients)
{
    check_gradients((const uint32_t[]){1}, 1, false); // α = 1: nothing goes through the energies
    check_gradients((const uint32_t[]){5}, 1, false);
    check_gradients((const uint32_t[]){6, 3, 3, 1}, 4, false);
    check_gradients((const uint32_t[]){6, 3, 1}, 3, true);
}
END_TEST

static void begin_fixture(Subject *subject, Fixture **fixture, size_t quantum)
{
    *fixture = fixture_open("tests/fixtures/attention_additive.safetensors");
    size_t count;
    const int64_t *given = fixture_integers(*fixture, "lengths", &count);
    uint32_t lengths[SENTENCES_MOST];
    for (size_t b = 0; b < count; b++) lengths[b] = (uint32_t)given[b];
    size_t D = fixture_dimension(*fixture, "q", 1);
    size_t A = fixture_dimension(*fixture, "attention.v", 0);
    size_t width = fixture_dimension(*fixture, "annotations", 2);
    begin(subject, D, A, width, lengths, count, quantum);
    param_block_read(subject->block, &subject->list, *fixture);
    set(subject->q.values, fixture_reals(*fixture, "q", NULL), count * D);
    set(subject->dcontext.values, fixture_reals(*fixture, "d_context", NULL), count * width);
    padded_read(subject->memory.annotations, *fixture, "annotations", BATCH_FIRST, &subject->ragged,
                NULL, SENTENCE_MAJOR);
    forward(subject);
}

static void assert_forward(const Subject *subject, const Fixture *fixture)
{
    size_t S = fixture_dimension(fixture, "alpha", 1);
    const double *alpha = fixture_reals(fixture, "alpha", NULL);
    for (size_t b = 0; b < subject->step.rows; b++)
        assert_close(subject->alpha[b], alpha + b * S, subject->ragged.lengths[b], RTOL, ATOL,
                     "alpha");
    matrix_assert(subject->step.context, fixture_reals(fixture, "context", NULL), RTOL, ATOL,
                  "context");
}

START_TEST(test_equals_pytorch)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1);
    assert_forward(&subject, fixture);
    backward(&subject);
    param_block_assert(subject.grad_block, &subject.list, fixture, "grad.", RTOL, ATOL);
    matrix_assert(subject.dq, fixture_reals(fixture, "grad.q", NULL), RTOL, ATOL, "grad.q");
    padded_assert(subject.dmemory.dannotations, fixture, "grad.annotations", BATCH_FIRST,
                  &subject.ragged, NULL, SENTENCE_MAJOR, RTOL, ATOL);
    fixture_close(fixture);
    end(&subject);
}
END_TEST

START_TEST(test_rounded_products)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 24);
    assert_forward(&subject, fixture);
    fixture_close(fixture);
    end(&subject);
}
END_TEST

START_TEST(test_gradients_accumulate)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1);
    backward(&subject);
    real *once = param_block_new(&subject.list);
    memcpy(once, subject.grad_block, subject.list.block_size * sizeof *once);
    backward(&subject);
    param_block_assert_scaled(subject.grad_block, &subject.list, once, 2, RTOL, ATOL);
    memory_free(once);
    fixture_close(fixture);
    end(&subject);
}
END_TEST

START_TEST(test_weights_sum_to_one)
{
    Subject subject;
    begin(&subject, 3, 5, 4, (const uint32_t[]){8, 3, 2, 1}, 4, 1);
    for (double spread = 0.01; spread < 1e5; spread *= 100) { // from even to one-hot
        draw(&subject);
        param_block_draw(subject.block, &subject.list, 4, spread);
        forward(&subject);
        for (size_t b = 0; b < 4; b++) {
            double sum = 0;
            for (size_t j = 0; j < subject.ragged.lengths[b]; j++) {
                ck_assert(subject.alpha[b][j] >= 0 && subject.alpha[b][j] <= 1);
                sum += (double)subject.alpha[b][j];
            }
            ck_assert_double_eq_tol(sum, 1, 1e-6);
        }
        ck_assert_double_eq_tol((double)subject.alpha[3][0], 1, 1e-6); // one word to look at
    }
    end(&subject);
}
END_TEST

START_TEST(test_a_sentence_does_not_see_its_batch)
{
    Subject alone, among;
    begin(&alone, 3, 5, 4, (const uint32_t[]){3}, 1, gemm_row_quantum());
    begin(&among, 3, 5, 4, (const uint32_t[]){6, 3, 2}, 3, gemm_row_quantum());
    draw(&alone);
    draw(&among);
    // the sentence of three is the second of its batch
    size_t first = among.memory.begin[1];
    memcpy(alone.memory.annotations.values, matrix_row(among.memory.annotations, first),
           3 * 4 * sizeof(real));
    memcpy(alone.q.values, matrix_row(among.q, 1), 3 * sizeof(real));
    forward(&alone);
    forward(&among);
    assert_rows_exact(alone.alpha[0], among.alpha[1], 3, "alpha");
    assert_rows_exact(alone.step.context.values, matrix_row(among.step.context, 1), 4, "context");
    end(&alone);
    end(&among);
}
END_TEST

START_TEST(test_is_found_by_name)
{
    ck_assert_ptr_eq(attention_scorer_named("additive"), &attention_additive);
    ck_assert_ptr_null(attention_scorer_named("Additive"));
    ck_assert_ptr_null(attention_scorer_named(""));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("additive attention");
    suite_add(suite, "by hand", test_by_hand);
    suite_add(suite, "softmax and weighted sum by hand", test_softmax_and_weighted_sum_by_hand);
    suite_add(suite, "gradients", test_gradients);
    suite_add(suite, "equals NumPy", test_equals_numpy);
    suite_add(suite, "equals PyTorch", test_equals_pytorch);
    suite_add(suite, "rounded products", test_rounded_products);
    suite_add(suite, "gradients accumulate", test_gradients_accumulate);
    suite_add(suite, "weights sum to one", test_weights_sum_to_one);
    suite_add(suite, "a sentence does not see its batch", test_a_sentence_does_not_see_its_batch);
    suite_add(suite, "is found by name", test_is_found_by_name);
    return suite_run(suite);
}
