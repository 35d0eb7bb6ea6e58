#include "support/attention_case.h"

#include "base/memory.h"
#include "linalg/backend/backend.h"
#include "math/kernels.h"
#include "support/assert_close.h"
#include "support/param_checks.h"
#include "support/ragged_checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What PyTorch's numbers, computed in double, may differ by.
#ifdef REGARD_DOUBLE
static const double RTOL = 1e-10, ATOL = 1e-12;
#else
static const double RTOL = 5e-5, ATOL = 2e-6;
#endif

static void layout(AttentionCase *subject, Arena *arena)
{
    const AttentionWidths *widths = &subject->widths;
    const Ragged *ragged = &subject->ragged;
    AttentionStep *step = &subject->step;
    size_t B = ragged->count, N = ragged->tokens, D = subject->sizes.decoder;
    size_t width = subject->sizes.annotation, weights = widths->heads * ragged->steps;
    size_t step_room = ragged_rounded(ragged, B);
    attention_memory_layout(&subject->memory, arena, ragged_take(arena, ragged, width), ragged,
                            widths);
    subject->memory.scorer = subject->scorer;
    attention_grads_layout(&subject->dmemory, arena, N, width, widths);
    subject->q = matrix_take_padded(arena, B, step_room, D);
    subject->dq = matrix_take(arena, B, D);
    subject->dcontext = matrix_take(arena, B, width);
    step->query = matrix_take_padded(arena, B, step_room, widths->query);
    step->context = matrix_take_padded(arena, B, step_room, width);
    step->mixed =
        widths->mixed ? matrix_take_padded(arena, B, step_room, widths->mixed) : step->context;
    step->dquery = matrix_take(arena, B, widths->query);
    step->dmixed = matrix_take(arena, B, widths->mixed);
    for (size_t b = 0; b < B; b++) {
        subject->alpha[b] = arena_take(arena, weights, sizeof(real));
        subject->dalphas[b] = subject->dalpha[b] = arena_take(arena, weights, sizeof(real));
    }
}

void attention_case_begin(AttentionCase *subject, const AttentionScorer *scorer,
                          AttentionSizes sizes, const uint32_t *lengths, size_t count,
                          size_t row_multiple)
{
    *subject = (AttentionCase){
        .scorer = scorer, .sizes = sizes, .widths = attention_widths(scorer, &sizes)};
    ParamVisitor listing = param_visitor_listing(&subject->list);
    attention_visit(&subject->params, &subject->dparams, &listing, "attention.", scorer, &sizes);
    subject->block = param_block_new(&subject->list);
    subject->grad_block = param_block_new(&subject->list);
    ParamVisitor binding = param_block_visitor(&subject->list, subject->block, subject->grad_block);
    attention_visit(&subject->params, &subject->dparams, &binding, "attention.", scorer, &sizes);
    param_block_visited(&binding);
    ragged_make(&subject->ragged, &subject->ragged_arena, lengths, count, row_multiple);
    ck_assert_uint_le(subject->widths.heads * subject->ragged.steps, MAX_ATTENTION_ROWS);
    ck_assert_uint_le(count, MAX_ATTENTION_SENTENCES);
    Arena measure = arena_measuring();
    layout(subject, &measure);
    assert_ok(arena_reserve(&subject->arena, measure.used, NULL));
    memset(subject->arena.memory, 0, measure.used);
    layout(subject, &subject->arena);
    for (uint32_t b = 0; b < count; b++) subject->sentence[b] = b;
    subject->step.rows = count;
    subject->step.sentence = subject->sentence;
    subject->step.alpha = subject->alpha;
    subject->step.dalpha = subject->dalphas;
}

void attention_case_end(AttentionCase *subject)
{
    param_list_free(&subject->list);
    memory_free(subject->block);
    memory_free(subject->grad_block);
    arena_free(&subject->arena);
    arena_free(&subject->ragged_arena);
}

void attention_case_forward(AttentionCase *subject)
{
    const Ragged *ragged = &subject->ragged;
    attention_memory_forward(&subject->memory, ragged, &subject->params);
    Matrix q = matrix_with_rows(subject->q, ragged_rounded(ragged, ragged->count));
    attention_step_forward(&subject->step, q, &subject->memory, &subject->params);
}

/* Σ_t α_tj dmixed_t, which is left to the caller. */
static void values_backward(AttentionCase *subject)
{
    for (size_t b = 0; b < subject->step.rows; b++) {
        Matrix dv = attention_sentence(subject->dmemory.dvalues, subject->memory.begin,
                                       subject->sentence[b]);
        for (size_t head = 0; head < subject->widths.heads; head++) {
            Matrix part = attention_head(dv, head, subject->widths.heads);
            kernels()->ger(part.values, subject->alpha[b] + head * part.rows,
                           matrix_row(subject->step.dmixed, b) + head * part.columns, part.rows,
                           part.columns, part.stride);
        }
    }
}

void attention_case_backward(AttentionCase *subject)
{
    real scratch[MAX_ATTENTION_ROWS];
    attention_grads_clear(&subject->dmemory);
    memset(subject->dq.values, 0, subject->dq.rows * subject->dq.columns * sizeof(real));
    subject->step.dcontext = subject->dcontext;
    subject->step.scratch = scratch;
    attention_step_backward(subject->dq, &subject->dparams, &subject->dmemory, &subject->step,
                            &subject->memory, &subject->params);
    attention_steps_backward(&subject->dparams, &subject->step, subject->q, subject->dcontext);
    values_backward(subject);
    attention_memory_backward(&subject->dmemory, &subject->dparams, &subject->memory,
                              &subject->params);
}

static double loss(void *context)
{
    AttentionCase *subject = context;
    attention_case_forward(subject);
    double sum = 0;
    for (size_t i = 0; i < subject->step.rows * subject->dcontext.columns; i++)
        sum += (double)subject->step.context.values[i] * (double)subject->dcontext.values[i];
    for (size_t b = 0; b < subject->step.rows && subject->step.dalpha; b++) {
        size_t S = subject->ragged.lengths[subject->sentence[b]];
        for (size_t i = 0; i < subject->widths.heads * S && subject->dalphas[b]; i++)
            sum += (double)subject->alpha[b][i] * (double)subject->dalphas[b][i];
    }
    return sum;
}

void attention_case_set(real *to, const double *from, size_t count)
{
    for (size_t i = 0; i < count; i++) to[i] = (real)from[i];
}

void attention_case_draw(AttentionCase *subject)
{
    Matrix h = subject->memory.annotations;
    param_block_draw(subject->block, &subject->list, 3, 1);
    for (size_t i = 0; i < h.rows * h.columns; i++) h.values[i] = (real)sin(3.7 * (double)i + 1);
    for (size_t i = 0; i < subject->q.rows * subject->q.columns; i++)
        subject->q.values[i] = (real)sin(1.9 * (double)i + 2);
    for (size_t i = 0; i < subject->dcontext.rows * subject->dcontext.columns; i++)
        subject->dcontext.values[i] = (real)cos(2.3 * (double)i);
}

/* `shared`: every row looks at sentence 0. `direct`: gradients reach the weights directly too, but
 * for those of row 1. */
static void check_gradients(const AttentionScorer *scorer, AttentionSizes sizes,
                            const uint32_t *lengths, size_t count, bool shared, bool direct)
{
    AttentionCase subject;
    attention_case_begin(&subject, scorer, sizes, lengths, count, 1);
    attention_case_draw(&subject);
    if (shared) memset(subject.sentence, 0, sizeof subject.sentence);
    for (size_t b = 0; b < count && direct; b++)
        for (size_t i = 0; i < subject.widths.heads * lengths[subject.sentence[b]]; i++)
            subject.dalpha[b][i] = (real)sin(2.9 * (double)(i + 7 * b));
    if (direct)
        subject.dalphas[1] = NULL;
    else
        subject.step.dalpha = NULL;
    attention_case_forward(&subject);
    attention_case_backward(&subject);
    if (subject.list.count)
        param_block_gradcheck(subject.block, subject.grad_block, &subject.list, SIZE_MAX, loss,
                              &subject);
    gradcheck(subject.q.values, subject.dq.values, count * sizes.decoder, SIZE_MAX, loss, &subject,
              "q");
    gradcheck(subject.memory.annotations.values, subject.dmemory.dannotations.values,
              subject.ragged.tokens * sizes.annotation, SIZE_MAX, loss, &subject, "annotations");
    attention_case_end(&subject);
}

void attention_check_gradients(const AttentionScorer *scorer, AttentionSizes sizes)
{
    const uint32_t one[] = {1}, five[] = {5}, ragged[] = {6, 3, 3, 1};
    // α = 1: nothing goes through the energies
    check_gradients(scorer, sizes, one, 1, false, false);
    check_gradients(scorer, sizes, five, 1, false, true);
    check_gradients(scorer, sizes, ragged, 4, false, false);
    check_gradients(scorer, sizes, ragged, 4, false, true);
    check_gradients(scorer, sizes, ragged, 3, true, true);
}

static void begin_fixture(AttentionCase *subject, Fixture **fixture, const AttentionScorer *scorer,
                          size_t heads, size_t row_multiple)
{
    char path[96];
    snprintf(path, sizeof path, "tests/fixtures/attention_%s.safetensors", scorer->name);
    *fixture = fixture_open(path);
    size_t count;
    const int64_t *given = fixture_integers(*fixture, "lengths", &count);
    uint32_t lengths[MAX_ATTENTION_SENTENCES];
    for (size_t b = 0; b < count; b++) lengths[b] = (uint32_t)given[b];
    AttentionSizes sizes = {.attention = (size_t)fixture_integers(*fixture, "A", NULL)[0],
                            .decoder = fixture_dimension(*fixture, "q", 1),
                            .annotation = fixture_dimension(*fixture, "annotations", 2),
                            .heads = heads};
    attention_case_begin(subject, scorer, sizes, lengths, count, row_multiple);
    param_block_read(subject->block, &subject->list, *fixture);
    attention_case_set(subject->q.values, fixture_reals(*fixture, "q", NULL),
                       count * sizes.decoder);
    attention_case_set(subject->dcontext.values, fixture_reals(*fixture, "d_context", NULL),
                       count * sizes.annotation);
    padded_read(subject->memory.annotations, *fixture, "annotations", BATCH_FIRST, &subject->ragged,
                NULL, SENTENCE_MAJOR);
    const double *dalpha = fixture_reals(*fixture, "d_alpha", NULL); // (B, heads, S)
    size_t S = fixture_dimension(*fixture, "d_alpha", 2);
    for (size_t b = 0; b < count; b++)
        for (size_t head = 0; head < subject->widths.heads; head++)
            attention_case_set(subject->dalpha[b] + head * lengths[b],
                               dalpha + (b * subject->widths.heads + head) * S, lengths[b]);
    attention_case_forward(subject);
}

/* Energies, where there are any, weights and contexts. */
static void assert_forward(const AttentionCase *subject, const Fixture *fixture)
{
    size_t S = fixture_dimension(fixture, "alpha", 2), heads = subject->widths.heads;
    const double *alpha = fixture_reals(fixture, "alpha", NULL); // (B, heads, S)
    const double *energies = fixture_reals(fixture, "energies", NULL);
    for (size_t b = 0; b < subject->step.rows; b++) {
        size_t length = subject->ragged.lengths[b];
        real computed[MAX_ATTENTION_ROWS];
        if (subject->scorer->energies)
            attention_energies(computed, matrix_row(subject->step.query, b), &subject->memory,
                               (uint32_t)b, &subject->params);
        for (size_t head = 0; head < heads; head++) {
            size_t from = (b * heads + head) * S;
            assert_close(subject->alpha[b] + head * length, alpha + from, length, RTOL, ATOL,
                         "alpha");
            if (subject->scorer->energies)
                assert_close(computed + head * length, energies + from, length, RTOL, ATOL,
                             "energies");
        }
    }
    matrix_assert(subject->step.context, fixture_reals(fixture, "context", NULL), RTOL, ATOL,
                  "context");
}

static void assert_backward(const AttentionCase *subject, const Fixture *fixture)
{
    param_block_assert(subject->grad_block, &subject->list, fixture, "grad.", RTOL, ATOL);
    matrix_assert(subject->dq, fixture_reals(fixture, "grad.q", NULL), RTOL, ATOL, "grad.q");
    padded_assert(subject->dmemory.dannotations, fixture, "grad.annotations", BATCH_FIRST,
                  &subject->ragged, NULL, SENTENCE_MAJOR, RTOL, ATOL);
}

void attention_check_fixture(const AttentionScorer *scorer, size_t heads)
{
    AttentionCase subject;
    Fixture *fixture;
    begin_fixture(&subject, &fixture, scorer, heads, 24);
    assert_forward(&subject, fixture);
    fixture_close(fixture);
    attention_case_end(&subject);

    begin_fixture(&subject, &fixture, scorer, heads, 1);
    assert_forward(&subject, fixture);
    attention_case_backward(&subject);
    assert_backward(&subject, fixture);
    real *once = param_block_new(&subject.list);
    memcpy(once, subject.grad_block, subject.list.block_size * sizeof *once);
    attention_case_backward(&subject);
    param_block_assert_scaled(subject.grad_block, &subject.list, once, 2, RTOL, ATOL);
    memory_free(once);
    fixture_close(fixture);
    attention_case_end(&subject);
}

void attention_check_sums(const AttentionScorer *scorer, AttentionSizes sizes)
{
    AttentionCase subject;
    attention_case_begin(&subject, scorer, sizes, (const uint32_t[]){8, 3, 2, 1}, 4, 1);
    for (double spread = 0.01; spread < 1e5; spread *= 100) { // from even to one-hot
        attention_case_draw(&subject);
        param_block_draw(subject.block, &subject.list, 4, spread);
        attention_case_forward(&subject);
        for (size_t b = 0; b < 4; b++)
            for (size_t head = 0; head < subject.widths.heads; head++) {
                double sum = 0;
                for (size_t j = 0; j < subject.ragged.lengths[b]; j++) {
                    real weight = subject.alpha[b][head * subject.ragged.lengths[b] + j];
                    ck_assert(weight >= 0 && weight <= 1);
                    sum += (double)weight;
                }
                ck_assert_double_eq_tol(sum, 1, 1e-6);
            }
    }
    attention_case_end(&subject);
}

void attention_check_batch(const AttentionScorer *scorer, AttentionSizes sizes)
{
    AttentionCase alone, among;
    attention_case_begin(&alone, scorer, sizes, (const uint32_t[]){3}, 1,
                         backend_openblas.row_multiple);
    attention_case_begin(&among, scorer, sizes, (const uint32_t[]){6, 3, 2}, 3,
                         backend_openblas.row_multiple);
    attention_case_draw(&alone);
    attention_case_draw(&among);
    // the sentence of three is the second of its batch
    size_t first = among.memory.begin[1], width = sizes.annotation;
    memcpy(alone.memory.annotations.values, matrix_row(among.memory.annotations, first),
           3 * width * sizeof(real));
    memcpy(alone.q.values, matrix_row(among.q, 1), sizes.decoder * sizeof(real));
    attention_case_forward(&alone);
    attention_case_forward(&among);
    assert_rows_exact(alone.alpha[0], among.alpha[1], 3 * alone.widths.heads, "alpha");
    assert_rows_exact(alone.step.context.values, matrix_row(among.step.context, 1), width,
                      "context");
    attention_case_end(&alone);
    attention_case_end(&among);
}
