#include "decoder/teacher_forcing.h"

#include "base/memory.h"
#include "linalg/backend/backend.h"
#include "support/assert_close.h"
#include "support/param_checks.h"
#include "support/ragged_checks.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

#ifdef REGARD_DOUBLE
static const double RTOL = 1e-10, ATOL = 1e-12;
#else
static const double RTOL = 5e-5, ATOL = 1e-6;
#endif

enum { MAX_STEPS = 16, MAX_SENTENCES = 24, MAX_HEADS = 2 };

/* The decoder alone: teacher forcing from given s_0, y and annotations to the readouts. */
typedef struct Subject {
    ParamList list;
    real *block, *grad_block;
    DecoderParams params;
    DecoderGrads dparams;
    DecoderSizes sizes;
    Arena source_arena, target_arena, arena;
    Ragged source, target;
    uint32_t order[MAX_SENTENCES]; // the source of each place of the target's order
    AttentionMemory memory;
    AttentionMemoryGrads dmemory;
    TeacherForcingActs acts;
    Matrix s_0;       // (B, D) what goes into the acts
    Matrix y;         // (N_t, E) time-major, likewise
    Matrix dreadouts; // (N_t, E): the loss is Σ r · dreadouts
    Matrix dr;        // (N_t, E)
    Matrix ds;        // (B, D)
    Matrix dconcat;   // (N_t, D+E+2H)
    Matrix dmixed;    // (N_t, 2H)
    real scratch[MAX_HEADS * MAX_STEPS];
} Subject;

static void layout(Subject *subject, Arena *arena)
{
    const Ragged *source = &subject->source, *target = &subject->target;
    const DecoderSizes *sizes = &subject->sizes;
    size_t N_s = source->tokens, N_t = target->tokens, B = target->count;
    size_t E = sizes->embedding, D = sizes->attention.decoder, width = sizes->attention.annotation;
    AttentionWidths widths = attention_widths(sizes->scorer, &sizes->attention);
    attention_memory_layout(&subject->memory, arena, ragged_take(arena, source, width), source,
                            &widths);
    subject->memory.scorer = sizes->scorer;
    attention_grads_layout(&subject->dmemory, arena, N_s, width, &widths);
    const TeacherForcingBatch batch = {target, subject->order, source->sentence_begin};
    teacher_forcing_layout(&subject->acts, arena, &batch, &subject->params,
                           target->row_multiple == 1);
    subject->s_0 = matrix_take(arena, B, D);
    subject->y = matrix_take(arena, N_t, E);
    subject->dreadouts = matrix_take(arena, N_t, E);
    subject->dr = matrix_take(arena, N_t, E);
    subject->ds = matrix_take(arena, B, D);
    subject->dconcat = matrix_take(arena, N_t, D + E + width);
    subject->dmixed = matrix_take(arena, N_t, width);
}

/* `order` (B) tells for each place of the target's order which source it belongs to. */
static void begin(Subject *subject, DecoderSizes sizes, const uint32_t *source_lengths,
                  const uint32_t *target_lengths, const uint32_t *order, size_t count,
                  size_t row_multiple)
{
    *subject = (Subject){.sizes = sizes};
    ParamVisitor listing = param_visitor_listing(&subject->list);
    decoder_visit(&subject->params, &subject->dparams, &listing, &sizes);
    subject->block = param_block_new(&subject->list);
    subject->grad_block = param_block_new(&subject->list);
    ParamVisitor binding = param_block_visitor(&subject->list, subject->block, subject->grad_block);
    decoder_visit(&subject->params, &subject->dparams, &binding, &sizes);
    param_block_visited(&binding);
    ck_assert_uint_le(count, MAX_SENTENCES);
    memcpy(subject->order, order, count * sizeof *order);
    ragged_make(&subject->source, &subject->source_arena, source_lengths, count, row_multiple);
    ragged_make(&subject->target, &subject->target_arena, target_lengths, count, row_multiple);
    ck_assert_uint_le(subject->source.steps, MAX_STEPS);
    Arena measure = arena_measuring();
    layout(subject, &measure);
    ck_assert_int_eq(arena_reserve(&subject->arena, measure.used, NULL), STATUS_OK);
    layout(subject, &subject->arena);
}

static void end(Subject *subject)
{
    param_list_free(&subject->list);
    memory_free(subject->block);
    memory_free(subject->grad_block);
    arena_free(&subject->arena);
    arena_free(&subject->source_arena);
    arena_free(&subject->target_arena);
}

static void copy_rows(Matrix to, Matrix from)
{
    for (size_t i = 0; i < from.rows; i++)
        memcpy(matrix_row(to, i), matrix_row(from, i), from.columns * sizeof(real));
}

static void forward(Subject *subject)
{
    const Ragged *source = &subject->source;
    copy_rows(subject->acts.all.s_before, subject->s_0);
    copy_rows(decoder_input_of(subject->acts.all.concat, &subject->params), subject->y);
    attention_memory_forward(&subject->memory, source, &subject->params.attention);
    teacher_forcing_forward(&subject->acts, &subject->memory, &subject->params);
}

/* The memory's gradients start at 0, the parameters' go on. */
static void backward(Subject *subject)
{
    attention_grads_clear(&subject->dmemory);
    copy_rows(subject->dr, subject->dreadouts);
    TeacherForcingGrads grads = {subject->dr, subject->ds, subject->dconcat, subject->dmixed,
                                 subject->scratch};
    teacher_forcing_backward(&grads, &subject->dparams, &subject->dmemory, &subject->acts,
                             &subject->memory, &subject->params);
}

static double loss(void *context)
{
    Subject *subject = context;
    forward(subject);
    double sum = 0;
    for (size_t i = 0; i < subject->dreadouts.rows * subject->dreadouts.columns; i++)
        sum += (double)subject->acts.r.values[i] * (double)subject->dreadouts.values[i];
    return sum;
}

START_TEST(test_a_step_by_hand)
{
    /* All sizes 1. v = 0, so both annotations, 0 and ln 3, count half: c = ln √3. y = 1, s = 1.
     * W_izy = ln 3: z = σ(ln 3) = 3/4.  W_inc = 1: n = tanh c = 1/2.  All else 0.
     * s' = n/4 + 3s/4 = 0.875
     * r = tanh(w_s s' + w_y y + w_c c + b); (ln 2)/s', ln 2, 2, −ln 6 make it
     *     tanh(ln 2 + ln 2 + ln 3 − ln 6) = tanh(ln 2) = (2 − 1/2)/(2 + 1/2) = 3/5 */
    Subject subject;
    begin(&subject, (DecoderSizes){&attention_additive, 1, {1, 1, 1, 1}}, (const uint32_t[]){2},
          (const uint32_t[]){1}, (const uint32_t[]){0}, 1, 1);
    subject.memory.annotations.values[0] = 0;
    subject.memory.annotations.values[1] = (real)log(3);
    subject.y.values[0] = subject.s_0.values[0] = 1;
    matrix_row(subject.params.gru.weight_ih.matrix, 1)[0] = (real)log(3);
    matrix_row(subject.params.gru.weight_ih.matrix, 2)[1] = 1;
    real *readout = subject.params.readout.weight.matrix.values;
    readout[0] = (real)(log(2) / 0.875);
    readout[1] = (real)log(2);
    readout[2] = 2;
    subject.params.readout.bias[0] = (real)-log(6);
    forward(&subject);
    const double concat[] = {0.875, 1, log(sqrt(3))};
    matrix_assert(subject.acts.all.concat, concat, 1e-6, 0, "[s; y; c]");
    matrix_assert(subject.acts.r, (const double[]){0.6}, 1e-6, 0, "r");
    end(&subject);
}
END_TEST

static void fill(Matrix matrix, double speed)
{
    for (size_t i = 0; i < matrix.rows * matrix.columns; i++)
        matrix.values[i] = (real)sin(speed * (double)i + 1);
}

static void draw(Subject *subject, double spread)
{
    param_block_draw(subject->block, &subject->list, 5, spread);
    fill(subject->memory.annotations, 3.7);
    fill(subject->s_0, 1.9);
    fill(subject->y, 2.3);
    fill(subject->dreadouts, 2.9);
}

/* All gradients by central differences. */
static void check_gradients(const AttentionScorer *scorer, const uint32_t *source_lengths,
                            const uint32_t *target_lengths, const uint32_t *order, size_t count)
{
    Subject subject;
    DecoderSizes sizes = {.scorer = scorer,
                          .embedding = 3,
                          .attention = {.annotation = 4, .decoder = 5, .attention = 2, .heads = 2}};
    begin(&subject, sizes, source_lengths, target_lengths, order, count, 1);
    draw(&subject, 0.6);
    forward(&subject);
    backward(&subject);
    param_block_gradcheck(subject.block, subject.grad_block, &subject.list, 30, loss, &subject);
    gradcheck(subject.s_0.values, subject.ds.values, count * 5, SIZE_MAX, loss, &subject, "s_0");
    gradcheck(subject.memory.annotations.values, subject.dmemory.dannotations.values,
              subject.source.tokens * 4, SIZE_MAX, loss, &subject, "annotations");
    copy_rows(subject.dr, decoder_input_of(subject.dconcat, &subject.params)); // dense dy
    gradcheck(subject.y.values, subject.dr.values, subject.target.tokens * 3, SIZE_MAX, loss,
              &subject, "y");
    end(&subject);
}

START_TEST(test_gradients)
{
    const uint32_t first[] = {0}, one[] = {1}, four[] = {4};
    for (size_t i = 0; attention_scorer_names[i]; i++) {
        const AttentionScorer *scorer = attention_scorer_named(attention_scorer_names[i]);
        check_gradients(scorer, one, one, first, 1);
        check_gradients(scorer, four, one, first, 1);
        check_gradients(scorer, one, four, first, 1);
        check_gradients(scorer, (const uint32_t[]){5, 3, 1}, (const uint32_t[]){4, 4, 1},
                        (const uint32_t[]){2, 0, 1}, 3);
        // two targets of one source, as in forced decoding of an n-best list
        check_gradients(scorer, (const uint32_t[]){5, 3, 1}, (const uint32_t[]){4, 3, 1},
                        (const uint32_t[]){1, 1, 0}, 3);
    }
}
END_TEST

static void begin_fixture(Subject *subject, Fixture **fixture, size_t row_multiple)
{
    *fixture = fixture_open("tests/fixtures/decoder.safetensors");
    // targets are 3, 1 and 4 long; the decoder's order is longest first
    static const uint32_t order[] = {2, 0, 1};
    const int64_t *sources = fixture_integers(*fixture, "lengths", NULL);
    const int64_t *targets = fixture_integers(*fixture, "target_lengths", NULL);
    uint32_t source_lengths[3], target_lengths[3];
    for (size_t b = 0; b < 3; b++) {
        source_lengths[b] = (uint32_t)sources[b];
        target_lengths[b] = (uint32_t)targets[order[b]];
    }
    DecoderSizes sizes = {.scorer = &attention_additive,
                          .embedding = fixture_dimension(*fixture, "readout.bias", 0),
                          .attention = {.annotation = fixture_dimension(*fixture, "annotations", 2),
                                        .decoder = fixture_dimension(*fixture, "s_0", 1),
                                        .attention = fixture_dimension(*fixture, "attention.v", 0),
                                        .heads = 1}};
    begin(subject, sizes, source_lengths, target_lengths, order, 3, row_multiple);
    param_block_read(subject->block, &subject->list, *fixture);
    const double *s_0 = fixture_reals(*fixture, "s_0", NULL);
    for (size_t b = 0; b < 3; b++)
        for (size_t k = 0; k < subject->s_0.columns; k++)
            matrix_row(subject->s_0, b)[k] = (real)s_0[order[b] * subject->s_0.columns + k];
    padded_read(subject->y, *fixture, "y", TIME_FIRST, &subject->target, order, TIME_MAJOR);
    padded_read(subject->dreadouts, *fixture, "d_readouts", TIME_FIRST, &subject->target, order,
                TIME_MAJOR);
    padded_read(subject->memory.annotations, *fixture, "annotations", BATCH_FIRST, &subject->source,
                NULL, SENTENCE_MAJOR);
    forward(subject);
}

static void assert_steps(Matrix matrix, const Subject *subject, const Fixture *fixture,
                         const char *name)
{
    padded_assert(matrix, fixture, name, TIME_FIRST, &subject->target, subject->order, TIME_MAJOR,
                  RTOL, ATOL);
}

static void assert_forward(const Subject *subject, const Fixture *fixture)
{
    Matrix concat = subject->acts.all.concat;
    assert_steps(decoder_state_of(concat, &subject->params), subject, fixture, "states");
    assert_steps(decoder_input_of(concat, &subject->params), subject, fixture, "y");
    assert_steps(decoder_context_of(concat, &subject->params), subject, fixture, "contexts");
    assert_steps(subject->acts.r, subject, fixture, "readouts");
    const double *expected = fixture_reals(fixture, "alpha", NULL); // (T, B, S)
    size_t B = fixture_dimension(fixture, "alpha", 1), S = fixture_dimension(fixture, "alpha", 2);
    for (size_t b = 0; b < B; b++) {
        Matrix alpha = teacher_forcing_alpha(&subject->acts, b, 0);
        ck_assert_uint_eq(alpha.rows, subject->target.lengths[b]);
        ck_assert_uint_eq(alpha.columns, subject->source.lengths[subject->order[b]]);
        for (size_t t = 0; t < alpha.rows; t++)
            assert_close(matrix_row(alpha, t), expected + (t * B + subject->order[b]) * S,
                         alpha.columns, RTOL, ATOL, "alpha");
    }
}

START_TEST(test_equals_pytorch)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1);
    assert_forward(&subject, fixture);
    backward(&subject);
    param_block_assert(subject.grad_block, &subject.list, fixture, "grad.", RTOL, ATOL);
    assert_steps(decoder_input_of(subject.dconcat, &subject.params), &subject, fixture, "grad.y");
    padded_assert(subject.dmemory.dannotations, fixture, "grad.annotations", BATCH_FIRST,
                  &subject.source, NULL, SENTENCE_MAJOR, RTOL, ATOL);
    const double *ds = fixture_reals(fixture, "grad.s_0", NULL);
    for (size_t b = 0; b < 3; b++)
        assert_close(matrix_row(subject.ds, b), ds + subject.order[b] * subject.ds.columns,
                     subject.ds.columns, RTOL, ATOL, "grad.s_0");
    fixture_close(fixture);
    end(&subject);
}
END_TEST

START_TEST(test_padded_products)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 24);
    assert_forward(&subject, fixture);
    fixture_close(fixture);
    end(&subject);
}
END_TEST

static void pass(void *context)
{
    forward(context);
    backward(context);
}

START_TEST(test_gradients_accumulate)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1);
    param_block_assert_accumulates(subject.grad_block, &subject.list, pass, &subject, RTOL, ATOL);
    fixture_close(fixture);
    end(&subject);
}
END_TEST

static void check_batch(const AttentionScorer *scorer)
{
    // a batch as large as products are rounded to, where a step has no room left over
    enum { B = 24 };
    Subject alone, among;
    // so wide that a product sums in several parts
    DecoderSizes sizes = {
        .scorer = scorer,
        .embedding = 60,
        .attention = {.annotation = 1000, .decoder = 60, .attention = 60, .heads = 2}};
    uint32_t source_lengths[B], target_lengths[B], order[B];
    for (uint32_t b = 0; b < B; b++) {
        source_lengths[b] = b < 5 ? 4 : 3;
        target_lengths[b] = b < 9 ? 3 : 2;
        order[b] = b;
    }
    ck_assert_uint_eq(backend_openblas.row_multiple, B);
    begin(&alone, sizes, source_lengths, target_lengths, order, 1, B);
    begin(&among, sizes, source_lengths, target_lengths, order, B, B);
    draw(&alone, 0.03); // nothing saturates
    draw(&among, 0.03);
    for (size_t t = 0; t < 3; t++)
        copy_rows(matrix_rows(alone.y, t, 1), matrix_rows(among.y, among.target.step_begin[t], 1));
    forward(&among);
    forward(&alone);
    // every step's first row is the first sentence
    for (size_t t = 0; t < 3; t++) {
        size_t row = among.target.step_begin[t];
        assert_rows_exact(matrix_row(alone.acts.all.concat, t),
                          matrix_row(among.acts.all.concat, row), alone.acts.all.concat.columns,
                          "[s; y; c]");
        assert_rows_exact(matrix_row(alone.acts.r, t), matrix_row(among.acts.r, row), 60, "r");
    }
    end(&alone);
    end(&among);
}

START_TEST(test_a_sentence_does_not_see_its_batch)
{
    for (size_t i = 0; attention_scorer_names[i]; i++)
        check_batch(attention_scorer_named(attention_scorer_names[i]));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decoder");
    suite_add(suite, "a step by hand", test_a_step_by_hand);
    suite_add(suite, "gradients", test_gradients);
    suite_add(suite, "equals PyTorch", test_equals_pytorch);
    suite_add(suite, "padded products", test_padded_products);
    suite_add(suite, "gradients accumulate", test_gradients_accumulate);
    suite_add(suite, "a sentence does not see its batch", test_a_sentence_does_not_see_its_batch);
    return suite_run(suite);
}
