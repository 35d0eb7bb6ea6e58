#include "model/pass.h"

#include "layers/embedding.h"

#include <assert.h>
#include <string.h>

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

/* The loss and its gradient are done before the decoder's backward begins, and that before the
 * encoder's: what only one of them needs shares its memory with the others'. */
static void backward_layout(PassActs *acts, Arena *arena, const Batch *batch,
                            const ModelConfig *config, PassNeeds needs)
{
    const Ragged *source = &batch->source, *target = &batch->target;
    const DecoderSizes sizes = seq2seq_decoder_sizes(config);
    TeacherForcingGrads *ddecoder = &acts->ddecoder;
    AttentionWidths widths = attention_widths(sizes.scorer, &sizes.attention);
    ddecoder->dr = matrix_take(arena, target->tokens, config->embedding);
    if (batch->links) teacher_forcing_layout_dalpha(&acts->decoder, arena);
    real *log_p = arena_take(arena, target->tokens, sizeof *log_p);
    size_t mark = arena->used;
    loss_layout(acts, arena, target, config, needs);
    acts->loss.log_p = log_p; // for the caller, when the rest of the loss's memory is overwritten
    arena_release(arena, mark);
    ddecoder->ds = matrix_take(arena, target->count, config->decoder_hidden);
    source_layout_backward(&acts->source, arena, source, config);
    mark = arena->used;
    ddecoder->dconcat = matrix_take(arena, target->tokens, acts->decoder.concat.columns);
    ddecoder->dmixed = matrix_take(arena, target->tokens, sizes.attention.annotation);
    ddecoder->scratch = arena_take(arena, widths.heads * source->steps, sizeof(real));
    arena_release(arena, mark);
    acts->source.encoder.dx = encoder_take_dx(arena, source, seq2seq_encoder_sizes(config));
}

static void layout(PassActs *acts, Arena *arena, const Batch *batch, const ModelConfig *config,
                   PassNeeds needs)
{
    const Ragged *source = &batch->source, *target = &batch->target;
    const DecoderSizes sizes = seq2seq_decoder_sizes(config);
    *acts = (PassActs){0};
    source_layout(&acts->source, arena, source, config, sizes.scorer, needs.backward);
    const TeacherForcingBatch decoded = {target, batch->source_of, source->sentence_begin};
    teacher_forcing_layout(&acts->decoder, arena, &decoded, &sizes, needs.backward);
    if (needs.masks) {
        source_layout_masks(&acts->source, arena, source, config);
        acts->embedding_mask = matrix_take(arena, target->tokens, config->embedding);
        acts->readout_mask = matrix_take(arena, target->tokens, config->embedding);
    }
    if (needs.backward)
        backward_layout(acts, arena, batch, config, needs);
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

// Draws a row of a mask for the token of a sentence at a position.
static void draw(Matrix mask, size_t row, const DropoutKey *key, DropoutPlace place,
                 uint32_t sentence, size_t position)
{
    dropout_mask(matrix_row(mask, row), mask.columns, key, place, sentence, (uint32_t)position);
}

void pass_draw_masks(PassActs *acts, const Batch *batch, const DropoutKey *key)
{
    const Ragged *source = &batch->source, *target = &batch->target;
    for (size_t b = 0; b < source->count; b++) {
        uint32_t number = batch->pairs[batch->source_pair[b]].number;
        for (size_t t = 0; t < source->lengths[b]; t++) {
            draw(acts->source.embedding_mask, source->step_begin[t] + b, key,
                 DROPOUT_SOURCE_EMBEDDING, number, t);
            draw(acts->source.annotation_mask, source->sentence_begin[b] + t, key,
                 DROPOUT_ANNOTATION, number, t);
        }
    }
    for (size_t b = 0; b < target->count; b++) {
        uint32_t number = batch->pairs[batch->target_pair[b]].number;
        for (size_t t = 0; t < target->lengths[b]; t++) {
            size_t row = target->step_begin[t] + b;
            draw(acts->embedding_mask, row, key, DROPOUT_TARGET_EMBEDDING, number, t);
            draw(acts->readout_mask, row, key, DROPOUT_READOUT, number, t);
        }
    }
}

void pass_forward_attention(PassActs *acts, const Batch *batch, const Seq2SeqParams *params)
{
    acts->source.phases = acts->decoder.phases = acts->phases;
    source_forward(&acts->source, matrix_with_rows(acts->decoder.s_before, batch->target.count),
                   batch, params);
    phases_enter(acts->phases, PHASE_DECODER);
    Matrix y = decoder_input_of(acts->decoder.concat, &params->decoder);
    embedding_forward(y, params->target_embedding.matrix, batch->input_tokens);
    dropout_apply(y, acts->embedding_mask);
    teacher_forcing_forward(&acts->decoder, &acts->source.memory, &params->decoder);
}

double pass_forward(PassActs *acts, const Batch *batch, const Seq2SeqParams *params, real smoothing)
{
    pass_forward_attention(acts, batch, params);
    const LossTargets targets = {.tokens = batch->target_tokens, .smoothing = smoothing};
    return loss_forward(&acts->loss, acts->decoder.r, &params->output, &targets,
                        batch->target.row_multiple);
}

/* The loss of the attention weights against given links, and its gradients by the weights. */
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
    SourceActs *source = &acts->source;
    phases_enter(acts->phases, PHASE_ATTENTION);
    attention_grads_clear(&source->dmemory);
    teacher_forcing_backward(&acts->ddecoder, &grads->decoder, &source->dmemory, &acts->decoder,
                             &source->memory, &params->decoder);
    Matrix dy = decoder_input_of(acts->ddecoder.dconcat, &params->decoder);
    dropout_apply(dy, acts->embedding_mask);
    embedding_backward(grads->target_embedding, dy, batch->input_tokens);
    source_backward(grads, acts->ddecoder.ds,
                    matrix_with_rows(acts->decoder.s_before, batch->target.count), source, batch,
                    params);
}

double pass_forward_backward(PassActs *acts, Seq2SeqGrads *grads, const Batch *batch,
                             const Seq2SeqParams *params, real smoothing, real scale)
{
    assert(batch->target.row_multiple == 1);
    pass_forward_attention(acts, batch, params);
    acts->guide_loss = 0;
    if (batch->links) guide(acts, batch, scale);
    phases_enter(acts->phases, PHASE_READOUT);
    // the tanh's backward needs r as it was, so dropout works on a copy, which then takes the
    // gradient
    memcpy(acts->ddecoder.dr.values, acts->decoder.r.values,
           acts->ddecoder.dr.rows * acts->ddecoder.dr.columns * sizeof(real));
    dropout_apply(acts->ddecoder.dr, acts->readout_mask);
    const LossTargets targets = {batch->target_tokens, smoothing, scale};
    double loss = loss_forward_backward(acts->ddecoder.dr, &grads->output, &acts->loss,
                                        acts->ddecoder.dr, &params->output, &targets);
    dropout_apply(acts->ddecoder.dr, acts->readout_mask);
    backward(acts, grads, batch, params);
    return loss;
}
