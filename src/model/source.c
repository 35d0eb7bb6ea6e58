#include "model/source.h"

#include "layers/dropout.h"

void source_layout(SourceActs *acts, Arena *arena, const Ragged *source,
                   const Seq2SeqParams *params, const AttentionScorer *scorer, bool with_backward)
{
    Matrix annotations = encoder_take_annotations(arena, source, &params->encoder);
    acts->encoder.annotations = annotations;
    acts->means = ragged_take_sentences(arena, source, annotations.columns);
    if (params->self_attention.heads) {
        self_attention_acts_layout(&acts->self_attention, arena, source, &params->self_attention,
                                   with_backward);
        annotations = acts->self_attention.annotations;
    }
    attention_memory_layout(&acts->memory, arena, annotations, source,
                            &params->decoder.attention.widths);
    acts->memory.scorer = scorer;
    acts->lasting = arena->used;
    encoder_acts_layout(&acts->encoder, arena, source, &params->encoder, with_backward);
}

void source_layout_backward(SourceActs *acts, Arena *arena, const Ragged *source,
                            const Seq2SeqParams *params)
{
    size_t width = acts->means.columns;
    acts->dmeans = matrix_take(arena, source->count, width);
    attention_grads_layout(&acts->dmemory, arena, source->tokens, width,
                           &params->decoder.attention.widths);
}

void annotation_means(Matrix means, Matrix annotations, const size_t *begin,
                      const uint32_t *sentences)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < means.rows; i++) {
        Matrix h = attention_sentence(annotations, begin, sentences[i]); // (S, C)
        real *mean = matrix_row(means, i);
        memset(mean, 0, means.columns * sizeof *mean);
        for (size_t j = 0; j < h.rows; j++)
            k->add_scaled(mean, 1 / (real)h.rows, matrix_row(h, j), means.columns);
    }
}

void annotation_means_backward(Matrix dannotations, Matrix dmeans, const size_t *begin,
                               const uint32_t *sentences)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < dmeans.rows; i++) {
        Matrix dh = attention_sentence(dannotations, begin, sentences[i]); // (S, C)
        for (size_t j = 0; j < dh.rows; j++)
            k->add_scaled(matrix_row(dh, j), 1 / (real)dh.rows, matrix_row(dmeans, i),
                          dmeans.columns);
    }
}

static EncoderInput input_of(const SourceActs *acts, const Batch *batch)
{
    return (EncoderInput){&batch->source, batch->source_tokens, acts->embedding_mask};
}

void source_forward(SourceActs *acts, Matrix s, const Batch *batch, const Seq2SeqParams *params)
{
    const Ragged *source = &batch->source;
    const EncoderInput input = input_of(acts, batch);
    encoder_forward(&acts->encoder, &input, params->source_embedding, &params->encoder);
    if (params->self_attention.heads)
        self_attention_forward(&acts->self_attention, acts->encoder.annotations, source,
                               &params->self_attention);
    annotation_means(acts->means, acts->memory.annotations, source->sentence_begin,
                     batch->source_of);
    ragged_clear_padding(acts->means, source);
    linear_tanh_forward(s, acts->means, source, &params->bridge);
    dropout_apply(acts->memory.annotations, acts->annotation_mask);
    attention_memory_forward(&acts->memory, source, &params->decoder.attention);
}

void source_backward(Seq2SeqGrads *grads, Matrix ds, Matrix s, SourceActs *acts, const Batch *batch,
                     const Seq2SeqParams *params)
{
    const Ragged *source = &batch->source;
    const EncoderInput input = input_of(acts, batch);
    Matrix dannotations = acts->dmemory.dannotations;
    dropout_apply(dannotations, acts->annotation_mask);
    linear_tanh_backward(acts->dmeans, &grads->bridge, ds, s, acts->means, &params->bridge);
    annotation_means_backward(dannotations, acts->dmeans, source->sentence_begin, batch->source_of);
    if (params->self_attention.heads)
        self_attention_backward(dannotations, &grads->self_attention, &acts->self_attention,
                                acts->encoder.annotations, source, &params->self_attention);
    encoder_backward(&grads->encoder, grads->source_embedding, dannotations, &acts->encoder, &input,
                     &params->encoder);
}
