#include "attention/self_attention.h"

#include "attention/attention.h"

#include <math.h>
#include <stdio.h>

void self_attention_visit(SelfAttentionParams *params, SelfAttentionGrads *grads,
                          ParamVisitor *visitor, const char *prefix, size_t width, size_t heads)
{
    char norm[PARAM_NAME_SIZE];
    assert(heads > 0 && width % heads == 0);
    params->heads = heads;
    const ParamShape square = {width, width};
    param_visit_weight(visitor, &params->query, &grads->query, prefix, "query.weight", square);
    param_visit_weight(visitor, &params->key, &grads->key, prefix, "key.weight", square);
    param_visit_weight(visitor, &params->value, &grads->value, prefix, "value.weight", square);
    param_visit_weight(visitor, &params->output, &grads->output, prefix, "output.weight", square);
    snprintf(norm, sizeof norm, "%snorm.", prefix);
    layer_norm_visit(&params->norm, &grads->norm, visitor, norm, width);
}

void self_attention_acts_layout(SelfAttentionActs *acts, Arena *arena, const Ragged *ragged,
                                const SelfAttentionParams *params, bool with_backward)
{
    size_t width = params->query.matrix.columns, heads = params->heads;
    acts->query = ragged_take(arena, ragged, width);
    acts->key = ragged_take(arena, ragged, width);
    acts->value = ragged_take(arena, ragged, width);
    acts->context = ragged_take(arena, ragged, width);
    acts->normalised = ragged_take(arena, ragged, width);
    acts->annotations = ragged_take(arena, ragged, width);
    acts->scales = arena_take(arena, ragged->tokens, sizeof(real));
    acts->weights_begin = arena_take(arena, ragged->count, sizeof *acts->weights_begin);
    size_t values = 0, longest = ragged->steps * ragged->steps;
    for (size_t b = 0; b < ragged->count; b++) {
        if (acts->weights_begin) acts->weights_begin[b] = values;
        if (with_backward) values += heads * ragged->lengths[b] * ragged->lengths[b];
    }
    acts->weights =
        arena_take(arena, with_backward ? values : heads * longest, sizeof *acts->weights);
    acts->dquery = with_backward ? ragged_take(arena, ragged, width) : (Matrix){0};
    acts->dweights = with_backward ? arena_take(arena, longest, sizeof *acts->dweights) : NULL;
}

// One head's weights of sentence b: (S, S), rows sum to 1.
static Matrix weights_of(const SelfAttentionActs *acts, const Ragged *ragged, size_t b, size_t head)
{
    size_t S = ragged->lengths[b];
    return matrix_of(acts->weights + acts->weights_begin[b] + head * S * S, S, S);
}

/* The part of a (N, C) matrix that belongs to one sentence and one head: (S, d). */
static Matrix part_of(Matrix matrix, const Ragged *ragged, size_t b, size_t head, size_t heads)
{
    return attention_head(attention_sentence(matrix, ragged->sentence_begin, b), head, heads);
}

// Times 1/√d.
static void scale_row(real *row, size_t n, size_t d)
{
    const real scale = (real)(1 / sqrt((double)d));
    for (size_t i = 0; i < n; i++) row[i] *= scale;
}

/* c_k = softmax(Q_k K_kᵀ / √d) V_k for one sentence and one head. */
static void head_forward(SelfAttentionActs *acts, const Ragged *ragged, size_t b, size_t head,
                         size_t heads)
{
    const Kernels *k = kernels();
    Matrix query = part_of(acts->query, ragged, b, head, heads); // (S, d)
    Matrix weights = weights_of(acts, ragged, b, head);          // (S, S)
    product_nt(weights, query, part_of(acts->key, ragged, b, head, heads), PRODUCT_SET);
    for (size_t i = 0; i < weights.rows; i++) {
        scale_row(matrix_row(weights, i), weights.columns, query.columns);
        k->softmax(matrix_row(weights, i), weights.columns);
    }
    product(part_of(acts->context, ragged, b, head, heads), weights,
            part_of(acts->value, ragged, b, head, heads), PRODUCT_SET);
}

void self_attention_forward(SelfAttentionActs *acts, Matrix h, const Ragged *ragged,
                            const SelfAttentionParams *params)
{
    const Kernels *k = kernels();
    Matrix h_all = ragged_padded(h, ragged);
    product_forward(ragged_padded(acts->query, ragged), h_all, params->query, PRODUCT_SET);
    product_forward(ragged_padded(acts->key, ragged), h_all, params->key, PRODUCT_SET);
    product_forward(ragged_padded(acts->value, ragged), h_all, params->value, PRODUCT_SET);
    for (size_t b = 0; b < ragged->count; b++)
        for (size_t head = 0; head < params->heads; head++)
            head_forward(acts, ragged, b, head, params->heads);
    ragged_clear_padding(acts->context, ragged);
    product_forward(ragged_padded(acts->normalised, ragged), ragged_padded(acts->context, ragged),
                    params->output, PRODUCT_SET);
    for (size_t i = 0; i < h.rows; i++)
        k->add(matrix_row(acts->normalised, i), matrix_row(h, i), h.columns);
    layer_norm_forward(acts->annotations, acts->normalised, acts->scales, &params->norm);
    ragged_clear_padding(acts->annotations, ragged);
}

/* From the gradient of c_k, in acts->context, those of Q_k, K_k and V_k of one sentence and one
 * head. With α the weights and e = Q Kᵀ / √d:
 *
 *     dα = dc Vᵀ    dV = αᵀ dc    de = softmax's    dQ = de K / √d    dK = deᵀ Q / √d
 */
static void head_backward(SelfAttentionActs *acts, const Ragged *ragged, size_t b, size_t head,
                          size_t heads)
{
    const Kernels *k = kernels();
    Matrix query = part_of(acts->query, ragged, b, head, heads);
    Matrix key = part_of(acts->key, ragged, b, head, heads);
    Matrix value = part_of(acts->value, ragged, b, head, heads);
    Matrix dcontext = part_of(acts->context, ragged, b, head, heads);
    Matrix weights = weights_of(acts, ragged, b, head); // (S, S)
    Matrix dweights = matrix_of(acts->dweights, weights.rows, weights.columns);
    product_nt(dweights, dcontext, value, PRODUCT_SET);
    product_tn(value, weights, dcontext, PRODUCT_SET); // a gradient replaces what it is of
    for (size_t i = 0; i < weights.rows; i++) {
        real *row = matrix_row(dweights, i);
        k->softmax_backward(row, row, matrix_row(weights, i), weights.columns);
        scale_row(row, weights.columns, query.columns);
    }
    product(part_of(acts->dquery, ragged, b, head, heads), dweights, key, PRODUCT_SET);
    product_tn(key, dweights, query, PRODUCT_SET);
}

void self_attention_backward(Matrix dannotations, SelfAttentionGrads *dparams,
                             SelfAttentionActs *acts, Matrix h, const Ragged *ragged,
                             const SelfAttentionParams *params)
{
    layer_norm_backward(dannotations, &dparams->norm, dannotations, acts->normalised, acts->scales,
                        &params->norm);
    // dannotations is now d(h + W_O c), and with that already h's gradient by way of the residual
    product_backward_weight(dparams->output, dannotations, acts->context);
    product_backward_input(acts->context, dannotations, params->output, PRODUCT_SET);
    for (size_t b = 0; b < ragged->count; b++)
        for (size_t head = 0; head < params->heads; head++)
            head_backward(acts, ragged, b, head, params->heads);
    product_backward_weight(dparams->query, acts->dquery, h);
    product_backward_weight(dparams->key, acts->key, h);
    product_backward_weight(dparams->value, acts->value, h);
    product_backward_input(dannotations, acts->dquery, params->query, PRODUCT_ADD);
    product_backward_input(dannotations, acts->key, params->key, PRODUCT_ADD);
    product_backward_input(dannotations, acts->value, params->value, PRODUCT_ADD);
}
