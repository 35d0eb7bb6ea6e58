#include "model/pass.h"

#include "layers/embedding.h"

#include <assert.h>
#include <string.h>

static void masks_layout(DropoutMasks *masks, Arena *arena, const Batch *batch,
                         const ModelConfig *config)
{
    size_t N_s = batch->source.tokens, N_t = batch->target.tokens, E = config->embedding;
    masks->source_embedding = matrix_take(arena, N_s, E);
    masks->annotation = matrix_take(arena, N_s, 2 * config->hidden);
    masks->target_embedding = matrix_take(arena, N_t, E);
    masks->readout = matrix_take(arena, N_t, E);
}

static void loss_layout(PassActs *acts, Arena *arena, const Ragged *target,
                        const ModelConfig *config, PassNeeds needs)
{
    const LossSizes sizes = {.tokens = target->tokens,
                             .embedding = config->embedding,
                             .vocabulary = config->target_vocabulary,
                             .row_multiple = target->row_multiple,
                             .backward = needs.backward,
                             .backend = needs.backend};
    loss_acts_layout(&acts->loss, arena, &sizes);
}

/* The loss and its gradient are done before the decoder's backward begins, and that before the encoder's: what only one of
 * them needs lies in the same memory. */
static void backward_layout(PassActs *acts, Arena *arena, const Batch *batch,
                            const ModelConfig *config, const AttentionWidths *widths,
                            PassNeeds needs)
{
    size_t N_s = batch->source.tokens, N_t = batch->target.tokens, B = batch->source.count;
    size_t E = config->embedding, D = config->decoder_hidden, width = 2 * config->hidden;
    acts->ddecoder.dr = matrix_take(arena, N_t, E);
    if (batch->links) teacher_forcing_layout_dalpha(&acts->decoder, arena);
    real *log_p = arena_take(arena, N_t, sizeof *log_p);
    size_t mark = arena->used;
    loss_layout(acts, arena, &batch->target, config, needs);
    acts->loss.log_p = log_p; // for the caller, when the rest of the loss's memory is overwritten
    arena_release(arena, mark);
    acts->ddecoder.ds = matrix_take(arena, B, D);
    acts->dmeans = matrix_take(arena, B, width);
    attention_grads_layout(&acts->dmemory, arena, N_s, width, widths);
    mark = arena->used;
    acts->ddecoder.dconcat = matrix_take(arena, N_t, D + E + width);
    acts->ddecoder.dmixed = matrix_take(arena, N_t, width);
    acts->ddecoder.scratch = arena_take(arena, widths->heads * batch->source.steps, sizeof(real));
    arena_release(arena, mark);
    acts->dx = matrix_take(arena, N_s, E);
}

static void layout(PassActs *acts, Arena *arena, const Batch *batch, const ModelConfig *config,
                   PassNeeds needs)
{
    const Ragged *source = &batch->source, *target = &batch->target;
    DecoderSizes sizes = seq2seq_decoder_sizes(config);
    AttentionWidths widths = sizes.scorer->widths(&sizes.attention);
    *acts = (PassActs){0};
    encoder_acts_layout(&acts->encoder, arena, source, config->embedding, config->hidden);
    acts->means = matrix_with_rows(
        matrix_take(arena, ragged_rounded(target, target->count), 2 * config->hidden),
        target->count);
    Matrix annotations = acts->encoder.annotations;
    if (config->self_attention) {
        self_attention_acts_layout(&acts->self_attention, arena, source, 2 * config->hidden,
                                   config->heads, needs.backward);
        annotations = acts->self_attention.annotations;
    }
    attention_memory_layout(&acts->memory, arena, annotations,
                            ragged_rounded(source, source->tokens), source->sentence_begin,
                            &widths);
    const TeacherForcingBatch decoded = {target, batch->source_of, source->sentence_begin};
    teacher_forcing_layout(&acts->decoder, arena, &decoded, &sizes, needs.backward);
    if (needs.masks) masks_layout(&acts->masks, arena, batch, config);
    if (needs.backward)
        backward_layout(acts, arena, batch, config, &widths, needs);
    else
        loss_layout(acts, arena, target, config, needs);
}

Status pass_begin(PassActs *acts, Arena *arena, const Batch *batch, const ModelConfig *config,
                  PassNeeds needs, Error *error)
{
    Arena measure = arena_measuring();
    layout(acts, &measure, batch, config, needs);
    Status status = arena_reserve(arena, measure.high, error);
    if (!status) layout(acts, arena, batch, config, needs);
    return status;
}

size_t pass_row_multiple(const Seq2SeqParams *params)
{
    return seq2seq_row_promise(params, true).multiple;
}

void pass_draw_masks(PassActs *acts, const Batch *batch, const DropoutKey *key)
{
    const Ragged *source = &batch->source, *target = &batch->target;
    DropoutMasks *masks = &acts->masks;
    for (size_t b = 0; b < source->count; b++) {
        uint32_t number = batch->pairs[batch->source_pair[b]].number;
        for (size_t t = 0; t < source->lengths[b]; t++) {
            dropout_mask(matrix_row(masks->source_embedding, source->step_begin[t] + b),
                         masks->source_embedding.columns, key, DROPOUT_SOURCE_EMBEDDING, number,
                         (uint32_t)t);
            dropout_mask(matrix_row(masks->annotation, source->sentence_begin[b] + t),
                         masks->annotation.columns, key, DROPOUT_ANNOTATION, number, (uint32_t)t);
        }
    }
    for (size_t b = 0; b < target->count; b++) {
        uint32_t number = batch->pairs[batch->target_pair[b]].number;
        for (size_t t = 0; t < target->lengths[b]; t++) {
            size_t row = target->step_begin[t] + b;
            dropout_mask(matrix_row(masks->target_embedding, row), masks->target_embedding.columns,
                         key, DROPOUT_TARGET_EMBEDDING, number, (uint32_t)t);
            dropout_mask(matrix_row(masks->readout, row), masks->readout.columns, key,
                         DROPOUT_READOUT, number, (uint32_t)t);
        }
    }
}

/* From tokens to r, and everything on the way. */
static void forward(PassActs *acts, const Batch *batch, const Seq2SeqParams *params)
{
    const Ragged *source = &batch->source, *target = &batch->target;
    phases_enter(acts->phases, PHASE_ENCODER);
    encoder_forward(&acts->encoder, source, batch->source_tokens, params->source_embedding.matrix,
                    acts->masks.source_embedding, &params->encoder);
    if (params->self_attention.heads)
        self_attention_forward(&acts->self_attention, acts->encoder.annotations, source,
                               &params->self_attention);
    phases_enter(acts->phases, PHASE_DECODER);
    // the bridge sees the annotations as they are, attention sees them dropped
    annotation_means(acts->means, acts->memory.annotations, source->sentence_begin,
                     batch->source_of);
    bridge_forward(matrix_with_rows(acts->decoder.s_before, target->count), acts->means,
                   ragged_rounded(target, target->count), &params->bridge);
    phases_enter(acts->phases, PHASE_ATTENTION);
    dropout_apply(acts->memory.annotations, acts->masks.annotation);
    params->decoder.scorer->memory_forward(&acts->memory, ragged_rounded(source, source->tokens),
                                           &params->decoder.attention);
    phases_enter(acts->phases, PHASE_DECODER);
    Matrix y = decoder_input_of(acts->decoder.concat, &params->decoder);
    embedding_forward(y, params->target_embedding.matrix, batch->input_tokens);
    dropout_apply(y, acts->masks.target_embedding);
    acts->decoder.phases = acts->phases;
    teacher_forcing_forward(&acts->decoder, &acts->memory, &params->decoder);
}

void pass_forward_attention(PassActs *acts, const Batch *batch, const Seq2SeqParams *params)
{
    forward(acts, batch, params);
}

double pass_forward(PassActs *acts, const Batch *batch, const Seq2SeqParams *params, real smoothing)
{
    forward(acts, batch, params);
    const LossTargets targets = {.tokens = batch->target_tokens, .smoothing = smoothing};
    return loss_forward(&acts->loss, acts->decoder.r, &params->output, &targets,
                        batch->target.row_multiple);
}

/* The loss of where attention looked beside where it should have, and its gradients by the weights. */
static void guide(PassActs *acts, const Batch *batch, real scale)
{
    const TeacherForcingActs *decoder = &acts->decoder;
    size_t heads = decoder->heads;
    phases_enter(acts->phases, PHASE_ATTENTION);
    memset(decoder->dalpha, 0, decoder->alpha_values * sizeof *decoder->dalpha);
    for (size_t b = 0; b < batch->target.count; b++) {
        const TokenPair *pair = &batch->pairs[batch->target_pair[b]];
        Matrix alpha = teacher_forcing_alpha(decoder, b, 0);
        Matrix dalpha = teacher_forcing_dalpha(decoder, b);
        acts->guide_loss += alignment_loss_forward(alpha, heads, pair->links, pair->link_count);
        alignment_loss_backward(dalpha, alpha, heads, pair->links, pair->link_count,
                                acts->guide_weight * scale);
    }
}

/* From dr to the source embedding, mirroring forward from its last line to its first. */
static void backward(PassActs *acts, Seq2SeqGrads *grads, const Batch *batch,
                     const Seq2SeqParams *params)
{
    const Ragged *source = &batch->source, *target = &batch->target;
    Matrix dannotations = acts->dmemory.dannotations;
    phases_enter(acts->phases, PHASE_ATTENTION);
    attention_grads_clear(&acts->dmemory);
    teacher_forcing_backward(&acts->ddecoder, &grads->decoder, &acts->dmemory, &acts->decoder,
                             &acts->memory, &params->decoder);
    Matrix dy = decoder_input_of(acts->ddecoder.dconcat, &params->decoder);
    dropout_apply(dy, acts->masks.target_embedding);
    embedding_backward(grads->target_embedding, dy, batch->input_tokens);
    dropout_apply(dannotations, acts->masks.annotation);
    bridge_backward(acts->dmeans, &grads->bridge, acts->ddecoder.ds,
                    matrix_with_rows(acts->decoder.s_before, target->count), acts->means,
                    &params->bridge);
    annotation_means_backward(dannotations, acts->dmeans, source->sentence_begin, batch->source_of);
    phases_enter(acts->phases, PHASE_ENCODER);
    if (params->self_attention.heads)
        self_attention_backward(dannotations, &grads->self_attention, &acts->self_attention,
                                acts->encoder.annotations, source, &params->self_attention);
    encoder_backward(grads->source_embedding, &grads->encoder, acts->dx, dannotations,
                     &acts->encoder, &params->encoder);
}

double pass_forward_backward(PassActs *acts, Seq2SeqGrads *grads, const Batch *batch,
                             const Seq2SeqParams *params, real smoothing, real scale)
{
    assert(batch->target.row_multiple == 1);
    forward(acts, batch, params);
    acts->guide_loss = 0;
    if (batch->links) guide(acts, batch, scale);
    phases_enter(acts->phases, PHASE_READOUT);
    // the tanh's backward needs r as it was, so dropout works on a copy, which then takes the
    // gradient
    memcpy(acts->ddecoder.dr.values, acts->decoder.r.values,
           acts->ddecoder.dr.rows * acts->ddecoder.dr.columns * sizeof(real));
    dropout_apply(acts->ddecoder.dr, acts->masks.readout);
    const LossTargets targets = {batch->target_tokens, smoothing, scale};
    double loss = loss_forward_backward(acts->ddecoder.dr, &grads->output, &acts->loss,
                                        acts->ddecoder.dr, &params->output, &targets);
    dropout_apply(acts->ddecoder.dr, acts->masks.readout);
    backward(acts, grads, batch, params);
    return loss;
}
