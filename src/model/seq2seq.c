#include "model/seq2seq.h"

#include "base/memory.h"
#include "layers/loss.h"
#include "math/kernels.h"

#include <string.h>

DecoderSizes seq2seq_decoder_sizes(const ModelConfig *config)
{
    return (DecoderSizes){.scorer = attention_scorer_named(config->attention),
                          .embedding = config->embedding,
                          .attention = {.attention = config->attention_size,
                                        .decoder = config->decoder_hidden,
                                        .annotation = 2 * config->hidden,
                                        .heads = config->heads}};
}

/* Names every tensor of the model once. */
static void seq2seq_visit(Seq2SeqParams *params, ParamVisitor *visitor, const ModelConfig *config)
{
    size_t E = config->embedding;
    DecoderSizes sizes = seq2seq_decoder_sizes(config);
    if (config->joint) {
        param_visit_matrix(visitor, &params->source_embedding, "", "embedding.weight",
                           config->source_vocabulary, E);
        params->target_embedding = params->source_embedding;
    } else {
        param_visit_matrix(visitor, &params->source_embedding, "", "source_embedding.weight",
                           config->source_vocabulary, E);
        param_visit_matrix(visitor, &params->target_embedding, "", "target_embedding.weight",
                           config->target_vocabulary, E);
        param_multiplied(visitor, "source_embedding.weight", PARAM_NOT_MULTIPLIED);
    }
    if (!config->tied) {
        param_multiplied(visitor, "embedding.weight", PARAM_NOT_MULTIPLIED);
        param_multiplied(visitor, "target_embedding.weight", PARAM_NOT_MULTIPLIED);
    }
    encoder_visit(&params->encoder, visitor, "encoder.", E, config->hidden);
    if (config->self_attention)
        self_attention_visit(&params->self_attention, visitor, "self_attention.",
                             2 * config->hidden, config->heads);
    linear_visit(&params->bridge, visitor, "bridge.", config->decoder_hidden, 2 * config->hidden,
                 true);
    decoder_visit(&params->decoder, visitor, &sizes);
    if (config->tied) {
        params->output.weight = params->target_embedding;
        param_visit_vector(visitor, &params->output.bias, "output.", "bias",
                           config->target_vocabulary);
        param_in_blocks(visitor, config->joint ? "embedding.weight" : "target_embedding.weight",
                        LOSS_BLOCK);
    } else {
        linear_visit(&params->output, visitor, "output.", config->target_vocabulary, E, true);
        param_in_blocks(visitor, "output.weight", LOSS_BLOCK);
    }
}

void seq2seq_params_list(Seq2SeqParams *params, const ModelConfig *config)
{
    *params = (Seq2SeqParams){0};
    ParamVisitor listing = param_visitor_listing(&params->list);
    seq2seq_visit(params, &listing, config);
}

void seq2seq_params_place(Seq2SeqParams *params, const ModelConfig *config, real *const *places)
{
    memmove(params->places, places, params->list.count * sizeof *places);
    ParamVisitor placing = param_visitor_placing(&params->list, params->places);
    placing.packed = params->packed;
    placing.untouched = params->untouched;
    seq2seq_visit(params, &placing, config);
}

Status seq2seq_params_new(Seq2SeqParams *params, const ModelConfig *config, Error *error)
{
    seq2seq_params_list(params, config);
    size_t size = params->list.block_size;
    params->block = memory_in_large_pages(size, sizeof(real));
    if (!params->block) return error_memory(error, size * sizeof(real), "the model's parameters");
    memset(params->block, 0, size * sizeof(real));
    for (size_t i = 0; i < params->list.count; i++)
        params->places[i] = params->block + params->list.tensors[i].offset;
    seq2seq_params_place(params, config, params->places);
    return STATUS_OK;
}

Status seq2seq_gradients_new(Seq2SeqParams *grads, const ModelConfig *config, Error *error)
{
    Status status = seq2seq_params_new(grads, config, error);
    if (status) return status;
    grads->untouched = memory_new(grads->list.count, sizeof *grads->untouched);
    if (!grads->untouched) {
        seq2seq_params_free(grads);
        return error_memory(error, grads->list.count, "gradients");
    }
    seq2seq_params_place(grads, config, grads->places);
    return STATUS_OK;
}

static void clear_tensor(Seq2SeqParams *grads, size_t i)
{
    const ParamInfo *info = &grads->list.tensors[i];
    memset(grads->block + info->offset, 0, info->count * sizeof(real));
}

void seq2seq_gradients_clear(Seq2SeqParams *grads)
{
    for (size_t i = 0; i < grads->list.count; i++) {
        grads->untouched[i] = grads->list.tensors[i].rank == 2;
        if (!grads->untouched[i]) clear_tensor(grads, i);
    }
}

void seq2seq_gradients_complete(Seq2SeqParams *grads)
{
    for (size_t i = 0; i < grads->list.count; i++) {
        if (grads->untouched[i]) clear_tensor(grads, i);
        grads->untouched[i] = false;
    }
}

Status seq2seq_params_pack(Seq2SeqParams *params, const ModelConfig *config,
                           GemmPrecision precision, PackedPurpose purpose, Error *error)
{
    Status status = packed_weights_new(&params->packed, &params->list, precision, purpose, error);
    params->precision = precision;
    // the views get to know the packed forms
    if (!status) seq2seq_params_place(params, config, params->places);
    return status;
}

void seq2seq_params_share_packed(Seq2SeqParams *params, const ModelConfig *config,
                                 const Seq2SeqParams *owner)
{
    params->packed = owner->packed;
    params->packed_shared = true;
    params->precision = owner->precision;
    seq2seq_params_place(params, config, params->places);
}

void seq2seq_params_fill_packed(const Seq2SeqParams *params, size_t worker, size_t workers)
{
    if (params->packed) packed_weights_fill(params->packed, params->places, worker, workers);
}

typedef struct Filling {
    const Seq2SeqParams *params;
    size_t workers;
} Filling;

static void fill(void *context, size_t worker)
{
    const Filling *filling = context;
    seq2seq_params_fill_packed(filling->params, worker, filling->workers);
}

void seq2seq_params_fill_all(const Seq2SeqParams *params, Threads *threads)
{
    Filling filling = {params, threads_count(threads)};
    threads_run(threads, fill, &filling);
}

bool seq2seq_packs(const ModelConfig *config, GemmPrecision precision)
{
    bool wide = config->embedding >= MIN_PACKED_WIDTH && config->hidden >= MIN_PACKED_WIDTH &&
                config->decoder_hidden >= MIN_PACKED_WIDTH;
    return wide && packed_possible(precision);
}

size_t seq2seq_row_multiple(const Seq2SeqParams *params)
{
    if (!params->packed) return gemm_row_multiple();
    size_t row_multiple = packed_row_multiple(params->precision);
    // some of the products are OpenBLAS's
    return packed_weights_whole(params->packed) ? row_multiple : row_multiple * gemm_row_multiple();
}

size_t seq2seq_pass_row_multiple(const Seq2SeqParams *params)
{
    // the loss multiplies blocks of outputs, and those that are not packed are OpenBLAS's
    size_t own = seq2seq_row_multiple(params), common = own;
    while (common % gemm_row_multiple()) common += own;
    return common;
}

bool seq2seq_rows_exact(const Seq2SeqParams *params)
{
    if (!params->packed) return gemm_rows_exact();
    return packed_rows_exact(params->precision) &&
           (packed_weights_whole(params->packed) || gemm_rows_exact());
}

void seq2seq_params_free(Seq2SeqParams *params)
{
    if (!params->packed_shared) packed_weights_free(params->packed);
    memory_free(params->untouched);
    memory_free(params->block);
    *params = (Seq2SeqParams){0};
}

void bridge_forward(Matrix s, Matrix means, size_t product_rows, const LinearParams *bridge)
{
    const Kernels *k = kernels();
    gemm_forward(matrix_with_rows(s, product_rows), matrix_with_rows(means, product_rows),
                 bridge->weight, GEMM_SET);
    for (size_t i = 0; i < s.rows; i++) k->bias_tanh(matrix_row(s, i), bridge->bias, s.columns);
}

void bridge_backward(Matrix dmeans, LinearParams *dbridge, Matrix ds, Matrix s, Matrix means,
                     const LinearParams *bridge)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < s.rows; i++)
        k->tanh_backward(matrix_row(ds, i), matrix_row(ds, i), matrix_row(s, i), s.columns);
    linear_backward(dmeans, dbridge, ds, means, bridge, GEMM_SET);
}

void annotation_means(Matrix means, Matrix annotations, const size_t *begin,
                      const uint32_t *sentences)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < means.rows; i++) {
        Matrix h = attention_sentence(annotations, begin, sentences[i]); // (S, 2H)
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
        Matrix dh = attention_sentence(dannotations, begin, sentences[i]); // (S, 2H)
        for (size_t j = 0; j < dh.rows; j++)
            k->add_scaled(matrix_row(dh, j), 1 / (real)dh.rows, matrix_row(dmeans, i),
                          dmeans.columns);
    }
}
