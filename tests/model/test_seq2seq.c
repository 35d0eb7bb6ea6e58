#include "model/source.h"

#include "support/assert_close.h"
#include "support/gradcheck.h"
#include "support/suite.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static ModelConfig small(bool joint, bool tied)
{
    return (ModelConfig){.source_vocabulary = joint ? 13 : 17,
                         .target_vocabulary = 13,
                         .embedding = 4,
                         .hidden = 5,
                         .decoder_hidden = 6,
                         .attention_size = 3,
                         .joint = joint,
                         .tied = tied,
                         .attention = "additive",
                         .heads = 1};
}

TEST(means_by_hand)
{
    // sentence 0 is (1, 2) (3, 4) (8, 0): its mean is (4, 2); sentence 1 is (5, 7) alone
    real annotations[] = {1, 2, 3, 4, 8, 0, 5, 7}, means[6];
    const size_t begins[] = {0, 3, 4};
    const uint32_t sentences[] = {1, 0, 1}; // any order, and one twice
    annotation_means(matrix_of(means, 3, 2), matrix_of(annotations, 4, 2), begins, sentences);
    assert_close(means, (const double[]){5, 7, 4, 2, 5, 7}, 6, 1e-6, 0, "means");
    // backwards each of the three positions gets a third, the single one all, and twice
    real dannotations[8] = {1, 1, 1, 1, 1, 1, 1, 1}, dmeans[] = {10, 20, 3, -6, 100, 200};
    annotation_means_backward(matrix_of(dannotations, 4, 2), matrix_of(dmeans, 3, 2), begins,
                              sentences);
    assert_close(dannotations, (const double[]){2, -1, 2, -1, 2, -1, 111, 221}, 8, 1e-6, 0,
                 "dannotations");
}

TEST(bridge_by_hand)
{
    /* W = [1 0], b = ln 2 − 3: s = tanh(3·1 + b) = tanh(ln 2) = 3/5, and with a mean of 3 − ln 2 it
     * is tanh(0) = 0. ds/dx = 1 − s² = 16/25 and 1. */
    real weight[] = {1, 0}, bias[] = {(real)(log(2) - 3)}, dweight[2] = {0}, dbias[1] = {0};
    real means[] = {3, 9, (real)(3 - log(2)), 4}, s[2], dmeans[4];
    const LinearParams bridge = {weight_of(matrix_of(weight, 1, 2)), bias};
    LinearGrads dbridge = {gradient_of(matrix_of(dweight, 1, 2)), dbias};
    linear_tanh_forward(matrix_of(s, 2, 1), matrix_of(means, 2, 2), &(Ragged){.row_multiple = 1},
                        &bridge);
    assert_close(s, (const double[]){0.6, 0}, 2, 1e-6, 1e-6, "s");
    for (int times = 1; times <= 2; times++) { // gradients of the parameters accumulate
        real ds[] = {1, 10};
        linear_tanh_backward(matrix_of(dmeans, 2, 2), &dbridge, matrix_of(ds, 2, 1),
                             matrix_of(s, 2, 1), matrix_of(means, 2, 2), &bridge);
        const double per_mean[] = {0.64, 0, 10, 0};
        assert_close(dmeans, per_mean, 4, 1e-5, 0, "dmeans");
        const double per_weight[] = {times * (0.64 * 3 + 10 * (3 - log(2))),
                                     times * (0.64 * 9 + 10 * 4)};
        assert_close(dweight, per_weight, 2, 1e-5, 0, "dweight");
        assert_close(dbias, (const double[]){times * 10.64}, 1, 1e-5, 0, "dbias");
    }
}

// From annotations by their means and the bridge to s, and Σ s · ds.
typedef struct Start {
    real annotations[5 * 4], weight[3 * 4], bias[3];
    real means[2 * 4], s[2 * 3], ds[2 * 3];
    const size_t *begins;
    const uint32_t *sentences;
} Start;

static double start_loss(void *context)
{
    Start *start = context;
    const LinearParams bridge = {weight_of(matrix_of(start->weight, 3, 4)), start->bias};
    Matrix means = matrix_of(start->means, 2, 4);
    annotation_means(means, matrix_of(start->annotations, 5, 4), start->begins, start->sentences);
    linear_tanh_forward(matrix_of(start->s, 2, 3), means, &(Ragged){.row_multiple = 1}, &bridge);
    double sum = 0;
    for (size_t i = 0; i < 6; i++) sum += (double)start->s[i] * (double)start->ds[i];
    return sum;
}

TEST(gradients)
{
    const size_t begins[] = {0, 4, 5};
    const uint32_t sentences[] = {1, 0};
    Start start = {.begins = begins, .sentences = sentences};
    for (size_t i = 0; i < 20; i++) start.annotations[i] = (real)sin(1.7 * (double)i);
    for (size_t i = 0; i < 12; i++) start.weight[i] = (real)sin(2.3 * (double)i + 1);
    for (size_t i = 0; i < 3; i++) start.bias[i] = (real)sin(3.1 * (double)i + 2);
    for (size_t i = 0; i < 6; i++) start.ds[i] = (real)cos(1.3 * (double)i);
    start_loss(&start);
    real dannotations[20] = {0}, dweight[12] = {0}, dbias[3] = {0}, dmeans[8], ds[6];
    memcpy(ds, start.ds, sizeof ds);
    const LinearParams bridge = {weight_of(matrix_of(start.weight, 3, 4)), start.bias};
    LinearGrads dbridge = {gradient_of(matrix_of(dweight, 3, 4)), dbias};
    linear_tanh_backward(matrix_of(dmeans, 2, 4), &dbridge, matrix_of(ds, 2, 3),
                         matrix_of(start.s, 2, 3), matrix_of(start.means, 2, 4), &bridge);
    annotation_means_backward(matrix_of(dannotations, 5, 4), matrix_of(dmeans, 2, 4), begins,
                              sentences);
    gradcheck(start.annotations, dannotations, 20, SIZE_MAX, start_loss, &start, "annotations");
    gradcheck(start.weight, dweight, 12, SIZE_MAX, start_loss, &start, "bridge.weight");
    gradcheck(start.bias, dbias, 3, SIZE_MAX, start_loss, &start, "bridge.bias");
}

TEST(bridge_with_rounded_products)
{
    enum { ROOM = 24 };
    real weight[] = {1, 0}, bias[] = {(real)(log(2) - 3)}, s[ROOM];
    real means[2 * ROOM] = {3, 9, 5, 5};
    for (size_t i = 4; i < 2 * ROOM; i++) means[i] = NAN; // what stands behind does not matter
    const LinearParams bridge = {weight_of(matrix_of(weight, 1, 2)), bias};
    linear_tanh_forward(matrix_of(s, 2, 1), matrix_of(means, 2, 2), &(Ragged){.row_multiple = ROOM},
                        &bridge);
    assert_close(s, (const double[]){0.6, tanh(2 + log(2))}, 2, 1e-6, 0, "s");
}

// A model's tensors in their order, each "name rows columns"; a vector has 1 column.
static void expect_tensors(const ModelConfig *config, const char *const *tensors, size_t count)
{
    Seq2SeqParams params;
    assert_ok(seq2seq_params_new(&params, config, NULL));
    ck_assert_uint_eq(params.list.count, count);
    for (size_t i = 0; i < count; i++) {
        const ParamInfo *info = &params.list.tensors[i];
        char text[128];
        snprintf(text, sizeof text, "%s %zu %zu", info->name, info->shape[0], info->shape[1]);
        ck_assert_str_eq(text, tensors[i]);
        ck_assert_uint_eq(info->offset % 16, 0);
        for (size_t k = 0; k < info->count; k++) ck_assert(params.block[info->offset + k] == 0);
    }
    seq2seq_params_free(&params);
    ck_assert_ptr_null(params.block);
}

// E 4, H 5, D 6, A 3, V 13 (source 17): everything but the embeddings and the output
#define ENCODER_TENSORS                                                                            \
    "encoder.weight_ih_l0 15 4", "encoder.weight_hh_l0 15 5", "encoder.bias_ih_l0 15 1",           \
        "encoder.bias_hh_l0 15 1", "encoder.weight_ih_l0_reverse 15 4",                            \
        "encoder.weight_hh_l0_reverse 15 5", "encoder.bias_ih_l0_reverse 15 1",                    \
        "encoder.bias_hh_l0_reverse 15 1"
#define DECODER_TENSORS                                                                            \
    "bridge.weight 6 10", "bridge.bias 6 1", "attention.query.weight 3 6",                         \
        "attention.query.bias 3 1", "attention.key.weight 3 10", "attention.v 3 1",                \
        "decoder.weight_ih 18 14", "decoder.weight_hh 18 6", "decoder.bias_ih 18 1",               \
        "decoder.bias_hh 18 1", "readout.weight 4 20", "readout.bias 4 1"
#define INNER_TENSORS ENCODER_TENSORS, DECODER_TENSORS

TEST(names_and_shapes)
{
    static const char *const joint[] = {"embedding.weight 13 4", INNER_TENSORS, "output.bias 13 1"};
    static const char *const separate[] = {"source_embedding.weight 17 4",
                                           "target_embedding.weight 13 4", INNER_TENSORS,
                                           "output.bias 13 1"};
    static const char *const untied[] = {"embedding.weight 13 4", INNER_TENSORS,
                                         "output.weight 13 4", "output.bias 13 1"};
    static const char *const self_attention[] = {"embedding.weight 13 4",
                                                 ENCODER_TENSORS,
                                                 "self_attention.query.weight 10 10",
                                                 "self_attention.key.weight 10 10",
                                                 "self_attention.value.weight 10 10",
                                                 "self_attention.output.weight 10 10",
                                                 "self_attention.norm.weight 10 1",
                                                 "self_attention.norm.bias 10 1",
                                                 DECODER_TENSORS,
                                                 "output.bias 13 1"};
    ModelConfig config = small(true, true);
    expect_tensors(&config, joint, sizeof joint / sizeof *joint);
    config = small(false, true);
    expect_tensors(&config, separate, sizeof separate / sizeof *separate);
    config = small(true, false);
    expect_tensors(&config, untied, sizeof untied / sizeof *untied);
    config = small(true, true);
    config.self_attention = true;
    config.heads = 2;
    expect_tensors(&config, self_attention, sizeof self_attention / sizeof *self_attention);
}

TEST(what_is_shared)
{
    for (int kind = 0; kind < 4; kind++) {
        bool joint = kind & 1, tied = kind & 2;
        ModelConfig config = small(joint, tied);
        Seq2SeqParams params;
        assert_ok(seq2seq_params_new(&params, &config, NULL));
        real *target = params.target_embedding.matrix.values,
             *output = params.output.weight.matrix.values;
        ck_assert(joint == (target == params.source_embedding.matrix.values));
        ck_assert(tied == (target == output));
        ck_assert_uint_eq(params.source_embedding.matrix.rows, joint ? 13 : 17);
        ck_assert_uint_eq(params.output.weight.matrix.rows, 13);
        ck_assert_ptr_eq(params.decoder.scorer, &attention_additive);
        seq2seq_params_free(&params);
    }
}

TEST(decoder_sizes)
{
    ModelConfig config = small(true, true);
    DecoderSizes decoder = seq2seq_decoder_sizes(&config);
    ck_assert_uint_eq(decoder.embedding, 4);
    ck_assert_uint_eq(decoder.attention.annotation, 10);
    ck_assert_uint_eq(decoder.attention.decoder, 6);
    ck_assert_uint_eq(decoder.attention.attention, 3);
    ck_assert_uint_eq(decoder.attention.heads, 1);
    ck_assert_ptr_eq(decoder.scorer, &attention_additive);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(out_of_memory)
{
    // a legal model of 64 GB and more in a process that may have 2
    const struct rlimit limit = {2u << 30, 2u << 30};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    ModelConfig config = small(true, true);
    config.source_vocabulary = config.target_vocabulary = 1000000;
    config.embedding = CONFIG_MAX_SIZE;
    Seq2SeqParams params;
    Error error = {0};
    assert_ok(config_check(&config, &error));
    ck_assert_int_eq(seq2seq_params_new(&params, &config, &error), STATUS_MEMORY);
    assert_contains(error.text, "the model's parameters");
    seq2seq_params_free(&params); // of what was made before
}
#endif
