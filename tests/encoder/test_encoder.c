#include "encoder/encoder.h"

#include "base/memory.h"
#include "linalg/backend/backend.h"
#include "math/kernels.h"
#include "support/assert_close.h"
#include "support/param_checks.h"
#include "support/ragged_checks.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

#ifdef REGARD_DOUBLE
static const double RTOL = 1e-10, ATOL = 1e-12;
#else
static const double RTOL = 2e-5, ATOL = 1e-6;
#endif

enum { WORDS = 13, MAX_ROWS = 16 };

// An embedding and an encoder of their own over one ragged batch.
typedef struct Subject {
    ParamList list;
    real *block;
    real *grad_block;
    Weight table;    // (V, E)
    Gradient dtable; // (V, E)
    EncoderParams params;
    EncoderGrads dparams;
    Arena ragged_arena;
    Arena arena;
    Ragged ragged;
    EncoderActs acts;
    int32_t tokens[MAX_ROWS]; // time-major
    EncoderInput input;       // with a mask (N, E) or none
    Matrix dannotations;      // (N, C): the loss is Σ annotations · dannotations
} Subject;

static void visit(Subject *subject, ParamVisitor *visitor, EncoderSizes sizes)
{
    param_visit_weight(visitor, &subject->table, &subject->dtable, "embedding.", "weight",
                       (ParamShape){WORDS, sizes.embedding});
    encoder_visit(&subject->params, &subject->dparams, visitor, "encoder.", sizes);
}

static void layout(Subject *subject, Arena *arena, EncoderSizes sizes)
{
    const Ragged *ragged = &subject->ragged;
    subject->acts.annotations = encoder_take_annotations(arena, ragged, &subject->params);
    encoder_acts_layout(&subject->acts, arena, ragged, &subject->params, true);
    encoder_take_states(&subject->acts, arena, ragged, &subject->params);
    subject->dannotations = matrix_take(arena, ragged->tokens, sizes.annotation);
    subject->acts.dx = encoder_take_dx(arena, ragged, &subject->params);
    subject->input.mask = matrix_take(arena, ragged->tokens, sizes.embedding);
}

/* All parameters are 0, and there is no mask. */
static void begin(Subject *subject, EncoderSizes sizes, const uint32_t *lengths, size_t count,
                  size_t row_multiple)
{
    *subject = (Subject){0};
    ParamVisitor listing = param_visitor_listing(&subject->list);
    visit(subject, &listing, sizes);
    subject->block = param_block_new(&subject->list);
    subject->grad_block = param_block_new(&subject->list);
    ParamVisitor binding = param_block_visitor(&subject->list, subject->block, subject->grad_block);
    visit(subject, &binding, sizes);
    param_block_visited(&binding);
    ragged_make(&subject->ragged, &subject->ragged_arena, lengths, count, row_multiple);
    ck_assert_uint_le(subject->ragged.tokens, MAX_ROWS);
    Arena measure = arena_measuring();
    layout(subject, &measure, sizes);
    assert_ok(arena_reserve(&subject->arena, measure.used, NULL));
    // not numbers, as memory that was used before may be
    memset(subject->arena.memory, 0xff, measure.used);
    layout(subject, &subject->arena, sizes);
    subject->input.ragged = &subject->ragged;
    subject->input.tokens = subject->tokens;
    subject->input.mask.values = NULL;
}

static void end(Subject *subject)
{
    param_list_free(&subject->list);
    memory_free(subject->block);
    memory_free(subject->grad_block);
    arena_free(&subject->arena);
    arena_free(&subject->ragged_arena);
}

static void forward(Subject *subject)
{
    encoder_forward(&subject->acts, &subject->input, subject->table, &subject->params);
}

static void backward(Subject *subject)
{
    encoder_backward(&subject->dparams, subject->dtable, subject->dannotations, &subject->acts,
                     &subject->input, &subject->params);
}

static double loss(void *context)
{
    Subject *subject = context;
    forward(subject);
    double sum = 0;
    for (size_t i = 0; i < subject->ragged.tokens * subject->acts.annotations.columns; i++)
        sum += (double)subject->acts.annotations.values[i] * subject->dannotations.values[i];
    return sum;
}

TEST(by_hand)
{
    /* E = H = 1, two words: x(1) = ln √3 and x(2) = ln 2, whose tanh are 1/2 and 3/5. With W_in = 1
     * and all else 0, r = z = 1/2 and n = tanh x, so forwards h' = n/2 + h/2. Backwards b_z = ln 3,
     * so z = 3/4 and h' = n/4 + 3h/4.
     *     "1 2":  forwards 1/4, then 3/10 + 1/8 = 0.425
     *             backwards from 2: 0.15, then 1/8 + 0.1125 = 0.2375
     *     "2":    forwards 0.3, backwards 0.15 */
    Subject subject;
    begin(&subject, (EncoderSizes){1, 1, 2}, (const uint32_t[]){2, 1}, 2, 1);
    subject.table.matrix.values[1] = (real)log(sqrt(3));
    subject.table.matrix.values[2] = (real)log(2);
    subject.params.gru[GRU_FORWARDS].weight_ih.matrix.values[2] = 1;
    subject.params.gru[GRU_BACKWARDS].weight_ih.matrix.values[2] = 1;
    subject.params.gru[GRU_BACKWARDS].bias_hh[1] = (real)log(3);
    memcpy(subject.tokens, (const int32_t[]){1, 2, 2}, 3 * sizeof(int32_t)); // time-major
    forward(&subject);
    const double expected[] = {0.25, 0.2375, 0.425, 0.15, 0.3, 0.15};
    matrix_assert(subject.acts.annotations, expected, 1e-6, 0, "annotations");
    end(&subject);
}

TEST(embeddings_by_hand)
{
    // as above, with E = 2: the second number of a word goes nowhere but into the annotations
    Subject subject;
    begin(&subject, (EncoderSizes){2, 1, 4}, (const uint32_t[]){2, 1}, 2, 1);
    const double first = log(sqrt(3)), second = log(2);
    memcpy(matrix_row(subject.table.matrix, 1), (const real[]){(real)first, 5}, 2 * sizeof(real));
    memcpy(matrix_row(subject.table.matrix, 2), (const real[]){(real)second, 7}, 2 * sizeof(real));
    subject.params.gru[GRU_FORWARDS].weight_ih.matrix.values[4] = 1; // (3, 2): n's row
    subject.params.gru[GRU_BACKWARDS].weight_ih.matrix.values[4] = 1;
    subject.params.gru[GRU_BACKWARDS].bias_hh[1] = (real)log(3);
    memcpy(subject.tokens, (const int32_t[]){1, 2, 2}, 3 * sizeof(int32_t)); // time-major
    forward(&subject);
    const double expected[] = {0.25,   0.2375, first, 5,    0.425,  0.15,
                               second, 7,      0.3,   0.15, second, 7};
    matrix_assert(subject.acts.annotations, expected, 1e-6, 0, "annotations");
    end(&subject);
}

/* All gradients by central differences. */
static void check_gradients(EncoderSizes sizes, const uint32_t *lengths, size_t count, bool masked)
{
    size_t E = sizes.embedding;
    Subject subject;
    begin(&subject, sizes, lengths, count, 1);
    param_block_draw(subject.block, &subject.list, 1, 0.7);
    for (size_t i = 0; i < subject.ragged.tokens; i++) {
        subject.tokens[i] = (int32_t)(i * i % 5); // some several times
        for (size_t k = 0; k < sizes.annotation; k++)
            matrix_row(subject.dannotations, i)[k] = (real)sin((double)(7 * i + k));
    }
    if (masked) {
        subject.input.mask = matrix_of(memory_new(subject.ragged.tokens * E, sizeof(real)),
                                       subject.ragged.tokens, E);
        for (size_t i = 0; i < subject.ragged.tokens * E; i++)
            subject.input.mask.values[i] = i % 3 ? (real)1.5 : 0;
    }
    forward(&subject);
    backward(&subject);
    param_block_gradcheck(subject.block, subject.grad_block, &subject.list, 40, loss, &subject);
    memory_free(subject.input.mask.values);
    end(&subject);
}

TEST(gradients)
{
    const EncoderSizes plain = {3, 2, 4}, with_embedding = {3, 2, 7};
    check_gradients(plain, (const uint32_t[]){1}, 1, false);
    check_gradients(plain, (const uint32_t[]){4}, 1, false);
    check_gradients(plain, (const uint32_t[]){1, 1, 1}, 3, false);
    check_gradients(plain, (const uint32_t[]){5, 3, 3, 1}, 4, false);
    check_gradients(plain, (const uint32_t[]){5, 3, 3, 1}, 4, true);
    check_gradients(with_embedding, (const uint32_t[]){5, 3, 3, 1}, 4, false);
    check_gradients(with_embedding, (const uint32_t[]){5, 3, 3, 1}, 4, true);
}

/* The fixture's batch, forward done. */
static void begin_fixture(Subject *subject, Fixture **fixture, size_t row_multiple)
{
    *fixture = fixture_open("tests/fixtures/encoder.safetensors");
    size_t count, steps = fixture_dimension(*fixture, "tokens", 1);
    const int64_t *given = fixture_integers(*fixture, "lengths", &count);
    const int64_t *tokens = fixture_integers(*fixture, "tokens", NULL);
    uint32_t lengths[4];
    for (size_t b = 0; b < count; b++) lengths[b] = (uint32_t)given[b];
    size_t E = fixture_dimension(*fixture, "embedding.weight", 1);
    size_t H = fixture_dimension(*fixture, "encoder.weight_hh_l0", 1);
    begin(subject, (EncoderSizes){E, H, 2 * H}, lengths, count, row_multiple);
    const Ragged *ragged = &subject->ragged;
    for (size_t t = 0; t < ragged->steps; t++)
        for (size_t b = 0; b < ragged_rows(ragged, t); b++)
            subject->tokens[ragged->step_begin[t] + b] = (int32_t)tokens[b * steps + t];
    param_block_read(subject->block, &subject->list, *fixture);
    padded_read(subject->dannotations, *fixture, "d_annotations", BATCH_FIRST, ragged, NULL,
                SENTENCE_MAJOR);
    forward(subject);
}

TEST(equals_pytorch)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1);
    padded_assert(subject.acts.annotations, fixture, "annotations", BATCH_FIRST, &subject.ragged,
                  NULL, SENTENCE_MAJOR, RTOL, ATOL);
    backward(&subject);
    param_block_assert(subject.grad_block, &subject.list, fixture, "grad.", RTOL, ATOL);
    fixture_close(fixture);
    end(&subject);
}

static void pass(void *context)
{
    forward(context);
    backward(context);
}

TEST(gradients_accumulate)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 1);
    param_block_assert_accumulates(subject.grad_block, &subject.list, pass, &subject, RTOL, ATOL);
    fixture_close(fixture);
    end(&subject);
}

TEST(rounded_products)
{
    Subject subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, 24);
    padded_assert(subject.acts.annotations, fixture, "annotations", BATCH_FIRST, &subject.ragged,
                  NULL, SENTENCE_MAJOR, RTOL, ATOL);
    ragged_assert_rest_clear(subject.acts.gru[GRU_FORWARDS].x, &subject.ragged, "x");
    ragged_assert_rest_clear(subject.acts.annotations, &subject.ragged, "annotations");
    ragged_assert_rest_clear(subject.acts.gru[GRU_FORWARDS].h_before, &subject.ragged,
                             "states forwards");
    ragged_assert_rest_clear(subject.acts.gru[GRU_BACKWARDS].h_before, &subject.ragged,
                             "states backwards");
    fixture_close(fixture);
    end(&subject);
}

static void expect_the_same_bits(size_t annotation)
{
    Subject alone, among;
    begin(&alone, (EncoderSizes){3, 4, annotation}, (const uint32_t[]){3}, 1,
          backend_openblas.row_multiple);
    begin(&among, (EncoderSizes){3, 4, annotation}, (const uint32_t[]){5, 3, 2}, 3,
          backend_openblas.row_multiple);
    param_block_draw(alone.block, &alone.list, 2, 1);
    param_block_draw(among.block, &among.list, 2, 1);
    for (size_t i = 0; i < among.ragged.tokens; i++) among.tokens[i] = (int32_t)(i % WORDS);
    // the sentence of three is the second of its batch
    for (size_t t = 0; t < 3; t++) alone.tokens[t] = among.tokens[among.ragged.step_begin[t] + 1];
    forward(&alone);
    forward(&among);
    const real *one = alone.acts.annotations.values;
    const real *other = matrix_row(among.acts.annotations, among.ragged.sentence_begin[1]);
    assert_rows_exact(one, other, 3 * annotation, "annotations");
    end(&alone);
    end(&among);
}

TEST(a_sentence_does_not_see_its_batch)
{
    expect_the_same_bits(8);
    expect_the_same_bits(11); // with the embedding
}
