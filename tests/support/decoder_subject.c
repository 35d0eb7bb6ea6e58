#include "support/decoder_subject.h"

#include "base/memory.h"
#include "support/param_checks.h"
#include "support/ragged_checks.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

static void layout(DecoderSubject *subject, Arena *arena)
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
    const TeacherForcingBatch batch = {target, subject->order, source->sentence_begin, NULL};
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

void decoder_subject_begin(DecoderSubject *subject, DecoderSizes sizes,
                           const uint32_t *source_lengths, const uint32_t *target_lengths,
                           const uint32_t *order, size_t count, size_t row_multiple)
{
    *subject = (DecoderSubject){.sizes = sizes};
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
    assert_ok(arena_reserve(&subject->arena, measure.used, NULL));
    layout(subject, &subject->arena);
}

void decoder_subject_end(DecoderSubject *subject)
{
    param_list_free(&subject->list);
    memory_free(subject->block);
    memory_free(subject->grad_block);
    arena_free(&subject->arena);
    arena_free(&subject->source_arena);
    arena_free(&subject->target_arena);
}

void decoder_subject_copy_rows(Matrix to, Matrix from)
{
    for (size_t i = 0; i < from.rows; i++)
        memcpy(matrix_row(to, i), matrix_row(from, i), from.columns * sizeof(real));
}

void decoder_subject_forward(DecoderSubject *subject)
{
    const Ragged *source = &subject->source;
    decoder_subject_copy_rows(subject->acts.all.s_before, subject->s_0);
    decoder_subject_copy_rows(decoder_input_of(subject->acts.all.concat, &subject->params),
                              subject->y);
    attention_memory_forward(&subject->memory, source, &subject->params.attention);
    teacher_forcing_forward(&subject->acts, &subject->memory, &subject->params);
}

void decoder_subject_backward(DecoderSubject *subject)
{
    attention_grads_clear(&subject->dmemory);
    decoder_subject_copy_rows(subject->dr, subject->dreadouts);
    TeacherForcingGrads grads = {subject->dr, subject->ds, subject->dconcat, subject->dmixed,
                                 subject->scratch};
    teacher_forcing_backward(&grads, &subject->dparams, &subject->dmemory, &subject->acts,
                             &subject->memory, &subject->params);
}

double decoder_subject_loss(void *context)
{
    DecoderSubject *subject = context;
    decoder_subject_forward(subject);
    double sum = 0;
    for (size_t i = 0; i < subject->dreadouts.rows * subject->dreadouts.columns; i++)
        sum += (double)subject->acts.r.values[i] * (double)subject->dreadouts.values[i];
    return sum;
}

static void fill(Matrix matrix, double speed)
{
    for (size_t i = 0; i < matrix.rows * matrix.columns; i++)
        matrix.values[i] = (real)sin(speed * (double)i + 1);
}

void decoder_subject_draw(DecoderSubject *subject, double spread)
{
    param_block_draw(subject->block, &subject->list, 5, spread);
    fill(subject->memory.annotations, 3.7);
    fill(subject->s_0, 1.9);
    fill(subject->y, 2.3);
    fill(subject->dreadouts, 2.9);
}
