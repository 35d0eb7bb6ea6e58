#include "decoder/teacher_forcing.h"

#include "linalg/backend/backend.h"
#include "support/assert_close.h"
#include "support/decoder_subject.h"
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

TEST(a_step_by_hand)
{
    /* All sizes 1. v = 0, so both annotations, 0 and ln 3, count half: c = ln √3. y = 1, s = 1.
     * W_izy = ln 3: z = σ(ln 3) = 3/4.  W_inc = 1: n = tanh c = 1/2.  All else 0.
     * s' = n/4 + 3s/4 = 0.875
     * r = tanh(w_s s' + w_y y + w_c c + b); (ln 2)/s', ln 2, 2, −ln 6 make it
     *     tanh(ln 2 + ln 2 + ln 3 − ln 6) = tanh(ln 2) = (2 − 1/2)/(2 + 1/2) = 3/5 */
    DecoderSubject subject;
    decoder_subject_begin(&subject, (DecoderSizes){&attention_additive, false, 1, {1, 1, 1, 1}},
                          (const uint32_t[]){2}, (const uint32_t[]){1}, (const uint32_t[]){0}, 1,
                          1);
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
    decoder_subject_forward(&subject);
    const double concat[] = {0.875, 1, log(sqrt(3))};
    matrix_assert(subject.acts.all.concat, concat, 1e-6, 0, "[s; y; c]");
    matrix_assert(subject.acts.r, (const double[]){0.6}, 1e-6, 0, "r");
    decoder_subject_end(&subject);
}

TEST(a_step_of_the_conditional_gru_by_hand)
{
    /* All sizes 1. First transition: W_iny = ln 2 and y = 1, z = σ(0) = 1/2: n = tanh(ln 2) = 3/5,
     * s' = n/2 + s/2 = 0.8 of s = 1. Attention asks with s': of its energies v tanh(W_a s' + U_a h)
     * with v = 1, W_a = 0, U_a = 1 over h = 0 and atanh(1/2), the difference is 1/2, so that
     * α = (1, √e)/(1 + √e) and c = α_2 atanh(1/2).
     * Second: W_inc = 1, W_izc = 0: s = tanh(c)/2 + s'/2 = tanh(c)/2 + 0.4. */
    DecoderSubject subject;
    decoder_subject_begin(&subject, (DecoderSizes){&attention_additive, true, 1, {1, 1, 1, 1}},
                          (const uint32_t[]){2}, (const uint32_t[]){1}, (const uint32_t[]){0}, 1,
                          1);
    subject.memory.annotations.values[0] = 0;
    subject.memory.annotations.values[1] = (real)atanh(0.5);
    subject.y.values[0] = subject.s_0.values[0] = 1;
    matrix_row(subject.params.gru.weight_ih.matrix, 2)[0] = (real)log(2);
    matrix_row(subject.params.second.weight_ih.matrix, 2)[0] = 1;
    subject.params.attention.key.matrix.values[0] = subject.params.attention.v[0] = 1;
    decoder_subject_forward(&subject);
    const double alpha = sqrt(exp(1)) / (1 + sqrt(exp(1))), c = alpha * atanh(0.5);
    matrix_assert(subject.acts.all.s_between, (const double[]){0.8}, 1e-6, 0, "s'");
    matrix_assert(subject.acts.all.concat, (const double[]){tanh(c) / 2 + 0.4, 1, c}, 1e-6, 0,
                  "[s; y; c]");
    assert_close(matrix_row(teacher_forcing_alpha(&subject.acts, 0, 0), 0),
                 (const double[]){1 - alpha, alpha}, 2, 1e-6, 0, "alpha");
    decoder_subject_end(&subject);
}

// A decoder whose sizes are all different.
typedef struct Kind {
    const AttentionScorer *scorer;
    bool conditional;
} Kind;

/* All gradients by central differences. */
static void check_gradients(Kind kind, const uint32_t *source_lengths,
                            const uint32_t *target_lengths, const uint32_t *order, size_t count)
{
    DecoderSubject subject;
    DecoderSizes sizes = {.scorer = kind.scorer,
                          .conditional = kind.conditional,
                          .embedding = 3,
                          .attention = {.annotation = 4, .decoder = 5, .attention = 2, .heads = 2}};
    decoder_subject_begin(&subject, sizes, source_lengths, target_lengths, order, count, 1);
    decoder_subject_draw(&subject, 0.6);
    decoder_subject_forward(&subject);
    decoder_subject_backward(&subject);
    param_block_gradcheck(subject.block, subject.grad_block, &subject.list, 30,
                          decoder_subject_loss, &subject);
    gradcheck(subject.s_0.values, subject.ds.values, count * 5, SIZE_MAX, decoder_subject_loss,
              &subject, "s_0");
    gradcheck(subject.memory.annotations.values, subject.dmemory.dannotations.values,
              subject.source.tokens * 4, SIZE_MAX, decoder_subject_loss, &subject, "annotations");
    decoder_subject_copy_rows(subject.dr,
                              decoder_input_of(subject.dconcat, &subject.params)); // dense dy
    gradcheck(subject.y.values, subject.dr.values, subject.target.tokens * 3, SIZE_MAX,
              decoder_subject_loss, &subject, "y");
    decoder_subject_end(&subject);
}

static void check_all_gradients(bool conditional)
{
    const uint32_t first[] = {0}, one[] = {1}, four[] = {4};
    for (size_t i = 0; attention_scorer_names[i]; i++) {
        const Kind kind = {attention_scorer_named(attention_scorer_names[i]), conditional};
        check_gradients(kind, one, one, first, 1);
        check_gradients(kind, four, one, first, 1);
        check_gradients(kind, one, four, first, 1);
        check_gradients(kind, (const uint32_t[]){5, 3, 1}, (const uint32_t[]){4, 4, 1},
                        (const uint32_t[]){2, 0, 1}, 3);
        // two targets of one source, as in forced decoding of an n-best list
        check_gradients(kind, (const uint32_t[]){5, 3, 1}, (const uint32_t[]){4, 3, 1},
                        (const uint32_t[]){1, 1, 0}, 3);
    }
}

TEST(gradients)
{
    check_all_gradients(false);
}

TEST(gradients_of_the_conditional_gru)
{
    check_all_gradients(true);
}

static void begin_fixture(DecoderSubject *subject, Fixture **fixture, size_t row_multiple)
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
    decoder_subject_begin(subject, sizes, source_lengths, target_lengths, order, 3, row_multiple);
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
    decoder_subject_forward(subject);
}

static void assert_steps(Matrix matrix, const DecoderSubject *subject, const Fixture *fixture,
                         const char *name)
{
    padded_assert(matrix, fixture, name, TIME_FIRST, &subject->target, subject->order, TIME_MAJOR,
                  RTOL, ATOL);
}

static void assert_forward(const DecoderSubject *subject, const Fixture *fixture)
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

TEST(equals_pytorch)
{
    DecoderSubject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1);
    assert_forward(&subject, fixture);
    decoder_subject_backward(&subject);
    param_block_assert(subject.grad_block, &subject.list, fixture, "grad.", RTOL, ATOL);
    assert_steps(decoder_input_of(subject.dconcat, &subject.params), &subject, fixture, "grad.y");
    padded_assert(subject.dmemory.dannotations, fixture, "grad.annotations", BATCH_FIRST,
                  &subject.source, NULL, SENTENCE_MAJOR, RTOL, ATOL);
    const double *ds = fixture_reals(fixture, "grad.s_0", NULL);
    for (size_t b = 0; b < 3; b++)
        assert_close(matrix_row(subject.ds, b), ds + subject.order[b] * subject.ds.columns,
                     subject.ds.columns, RTOL, ATOL, "grad.s_0");
    fixture_close(fixture);
    decoder_subject_end(&subject);
}

TEST(padded_products)
{
    DecoderSubject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 24);
    assert_forward(&subject, fixture);
    fixture_close(fixture);
    decoder_subject_end(&subject);
}

static void pass(void *context)
{
    decoder_subject_forward(context);
    decoder_subject_backward(context);
}

TEST(gradients_accumulate)
{
    DecoderSubject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1);
    param_block_assert_accumulates(subject.grad_block, &subject.list, pass, &subject, RTOL, ATOL);
    fixture_close(fixture);
    decoder_subject_end(&subject);
}

static void check_batch(Kind kind)
{
    // a batch as large as products are rounded to, where a step has no room left over
    enum { B = 24 };
    DecoderSubject alone, among;
    // so wide that a product sums in several parts
    DecoderSizes sizes = {
        .scorer = kind.scorer,
        .conditional = kind.conditional,
        .embedding = 60,
        .attention = {.annotation = 1000, .decoder = 60, .attention = 60, .heads = 2}};
    uint32_t source_lengths[B], target_lengths[B], order[B];
    for (uint32_t b = 0; b < B; b++) {
        source_lengths[b] = b < 5 ? 4 : 3;
        target_lengths[b] = b < 9 ? 3 : 2;
        order[b] = b;
    }
    ck_assert_uint_eq(backend_openblas.row_multiple, B);
    decoder_subject_begin(&alone, sizes, source_lengths, target_lengths, order, 1, B);
    decoder_subject_begin(&among, sizes, source_lengths, target_lengths, order, B, B);
    decoder_subject_draw(&alone, 0.03); // nothing saturates
    decoder_subject_draw(&among, 0.03);
    for (size_t t = 0; t < 3; t++)
        decoder_subject_copy_rows(matrix_rows(alone.y, t, 1),
                                  matrix_rows(among.y, among.target.step_begin[t], 1));
    decoder_subject_forward(&among);
    decoder_subject_forward(&alone);
    // every step's first row is the first sentence
    for (size_t t = 0; t < 3; t++) {
        size_t row = among.target.step_begin[t];
        assert_rows_exact(matrix_row(alone.acts.all.concat, t),
                          matrix_row(among.acts.all.concat, row), alone.acts.all.concat.columns,
                          "[s; y; c]");
        assert_rows_exact(matrix_row(alone.acts.r, t), matrix_row(among.acts.r, row), 60, "r");
    }
    decoder_subject_end(&alone);
    decoder_subject_end(&among);
}

TEST(a_sentence_does_not_see_its_batch)
{
    for (size_t i = 0; attention_scorer_names[i]; i++)
        check_batch((Kind){attention_scorer_named(attention_scorer_names[i]), false});
    check_batch((Kind){&attention_additive, true});
}
