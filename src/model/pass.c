#include "model/pass.h"

#include "layers/embedding.h"

/* The encoder's states are needed until they are annotations; the loss and its gradient are done
 * before the decoder's backward begins, and that before the encoder's: what only one of them needs
 * shares its memory with the others'. */
static void backward_layout(PassActs *acts, Arena *arena, const Batch *batch,
                            const Seq2SeqParams *params)
{
    const Ragged *source = &batch->source, *target = &batch->target;
    TeacherForcingGrads *ddecoder = &acts->ddecoder;
    ddecoder->dr = matrix_take(arena, target->tokens, params->config.embedding);
    if (batch->links) teacher_forcing_layout_dalpha(&acts->decoder, arena);
    real *log_p = arena_take(arena, target->tokens, sizeof *log_p);
    size_t mark = arena->used;
    loss_acts_layout(&acts->loss, arena, target, &params->output, true);
    acts->loss.log_p = log_p; // for the caller, when the rest of the loss's memory is overwritten
    arena_release(arena, mark);
    ddecoder->ds = matrix_take(arena, target->count, params->config.decoder_hidden);
    source_layout_backward(&acts->source, arena, source, params);
    mark = arena->used;
    ddecoder->dconcat = matrix_take(arena, target->tokens, acts->decoder.all.concat.columns);
    ddecoder->dmixed = matrix_take(arena, target->tokens, acts->source.means.columns);
    ddecoder->scratch = arena_take(arena, acts->decoder.heads * source->steps, sizeof(real));
    arena_release(arena, mark);
    encoder_take_states(&acts->source.encoder, arena, source, &params->encoder);
    acts->source.encoder.dx = encoder_take_dx(arena, source, &params->encoder);
}

static void layout(PassActs *acts, Arena *arena, const Batch *batch, const Seq2SeqParams *params,
                   PassNeeds needs)
{
    const Ragged *source = &batch->source, *target = &batch->target;
    const TeacherForcingBatch decoded = {target, batch->source_of, source->sentence_begin, NULL};
    *acts = (PassActs){0};
    source_layout(&acts->source, arena, source, params, params->decoder.scorer, needs.backward);
    teacher_forcing_layout(&acts->decoder, arena, &decoded, &params->decoder, needs.backward);
    if (needs.masks) {
        size_t E = params->config.embedding;
        acts->source.embedding_mask = matrix_take(arena, source->tokens, E);
        acts->source.annotation_mask =
            matrix_take(arena, source->tokens, acts->source.means.columns);
        acts->embedding_mask = matrix_take(arena, target->tokens, E);
        acts->readout_mask = matrix_take(arena, target->tokens, E);
    }
    if (needs.backward)
        backward_layout(acts, arena, batch, params);
    else
        loss_acts_layout(&acts->loss, arena, target, &params->output, false);
}

Status pass_begin(PassActs *acts, Arena *arena, const Batch *batch, const Seq2SeqParams *params,
                  PassNeeds needs, Error *error)
{
    return arena_lay_out(arena, layout(acts, arena, batch, params, needs), error);
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
    source_forward(&acts->source, matrix_with_rows(acts->decoder.all.s_before, batch->target.count),
                   batch, params);
    Matrix y = decoder_input_of(acts->decoder.all.concat, &params->decoder);
    embedding_forward(y, params->target_embedding, batch->input_tokens);
    dropout_apply(y, acts->embedding_mask);
    teacher_forcing_forward(&acts->decoder, &acts->source.memory, &params->decoder);
}

double pass_forward(PassActs *acts, const Batch *batch, const Seq2SeqParams *params, real smoothing)
{
    pass_forward_attention(acts, batch, params);
    const LossTargets targets = {.tokens = batch->target_tokens, .smoothing = smoothing};
    return loss_forward(&acts->loss, acts->decoder.r, &params->output, &targets);
}

/* The loss of the attention weights against given links, and its gradients by the weights. */
static void guide(PassActs *acts, const Batch *batch, real scale)
{
    const TeacherForcingActs *decoder = &acts->decoder;
    size_t heads = decoder->heads;
    memset(decoder->dalpha, 0, decoder->alpha_values * sizeof *decoder->dalpha);
    for (size_t b = 0; b < batch->target.count; b++) {
        const TokenPair *pair = &batch->pairs[batch->target_pair[b]];
        Matrix alpha = teacher_forcing_alpha(decoder, b, 0);
        Matrix dalpha = teacher_forcing_dalpha(decoder, b);
        acts->guide_loss += alignment_loss(dalpha, alpha, heads, pair->links, pair->link_count,
                                           acts->guide_weight * scale);
    }
}

/* From dr to the source embedding, mirroring forward from its last line to its first. */
static void backward(PassActs *acts, Seq2SeqGrads *grads, const Batch *batch,
                     const Seq2SeqParams *params)
{
    SourceActs *source = &acts->source;
    attention_grads_clear(&source->dmemory);
    teacher_forcing_backward(&acts->ddecoder, &grads->decoder, &source->dmemory, &acts->decoder,
                             &source->memory, &params->decoder);
    Matrix dy = decoder_input_of(acts->ddecoder.dconcat, &params->decoder);
    dropout_apply(dy, acts->embedding_mask);
    embedding_backward(grads->target_embedding, dy, batch->input_tokens);
    source_backward(grads, acts->ddecoder.ds,
                    matrix_with_rows(acts->decoder.all.s_before, batch->target.count), source,
                    batch, params);
}

double pass_forward_backward(PassActs *acts, Seq2SeqGrads *grads, const Batch *batch,
                             const Seq2SeqParams *params, real smoothing, real scale)
{
    assert(batch->target.row_multiple == 1);
    pass_forward_attention(acts, batch, params);
    acts->guide_loss = 0;
    if (batch->links) guide(acts, batch, scale);
    // the tanh's backward needs r as it was, so dropout works on a copy, which then takes the
    // gradient
    Matrix dr = acts->ddecoder.dr;
    matrix_copy(dr, acts->decoder.r);
    dropout_apply(dr, acts->readout_mask);
    const LossTargets targets = {batch->target_tokens, smoothing, scale, acts->r_drop};
    double loss =
        loss_forward_backward(dr, &grads->output, &acts->loss, dr, &params->output, &targets);
    acts->divergence = acts->loss.divergence;
    dropout_apply(dr, acts->readout_mask);
    backward(acts, grads, batch, params);
    return loss;
}
