#include "model/seq2seq.h"

#include "support/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ModelConfig sizes = {
    .source_vocabulary = 400,
    .target_vocabulary = 300,
    .embedding = 36,
    .hidden = 25,
    .decoder_hidden = 49,
    .attention_size = 64,
    .joint = false,
    .tied = false,
    .attention = "additive",
    .heads = 1,
};

/* What PyTorch's defaults and model/seq2seq.h say of each tensor: the width of a uniform distribution
 * ±1/√fan, or the deviation of a normal one. */
static const struct Expected {
    const char *name;
    bool normal;
    size_t fan;
} expected[] = {
    {"source_embedding.weight", true, 36},
    {"target_embedding.weight", true, 36},
    {"encoder.weight_ih_l0", false, 25},
    {"encoder.weight_hh_l0", false, 25},
    {"encoder.bias_ih_l0", false, 25},
    {"encoder.bias_hh_l0", false, 25},
    {"encoder.weight_ih_l0_reverse", false, 25},
    {"encoder.weight_hh_l0_reverse", false, 25},
    {"encoder.bias_ih_l0_reverse", false, 25},
    {"encoder.bias_hh_l0_reverse", false, 25},
    {"bridge.weight", false, 50},
    {"bridge.bias", false, 50},
    {"attention.query.weight", false, 49},
    {"attention.query.bias", false, 49},
    {"attention.key.weight", false, 50},
    {"attention.v", false, 64},
    {"decoder.weight_ih", false, 49},
    {"decoder.weight_hh", false, 49},
    {"decoder.bias_ih", false, 49},
    {"decoder.bias_hh", false, 49},
    {"readout.weight", false, 49 + 36 + 50},
    {"readout.bias", false, 49 + 36 + 50},
    {"output.weight", false, 36},
    {"output.bias", false, 36},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static Seq2SeqParams drawn(const ModelConfig *config, uint64_t seed)
{
    Seq2SeqParams params;
    assert_ok(seq2seq_params_new(&params, config, NULL));
    seq2seq_initialise(&params, seed);
    return params;
}

/* Mean, deviation and largest of n values against the distribution's, by five of their standard
 * errors: σ/√n for the mean, at most σ/√(2n) for the deviation of a normal one. */
static void check_tensor(const real *values, size_t n, const struct Expected *tensor)
{
    double sum = 0, squares = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        double value = (double)values[i];
        sum += value;
        squares += value * value;
        most = fmax(most, fabs(value));
    }
    double scale = 1 / sqrt((double)tensor->fan);
    double sigma = tensor->normal ? scale : scale / sqrt(3);
    ck_assert_msg(fabs(sum / (double)n) < 5 * sigma / sqrt((double)n), "%s: mean", tensor->name);
    ck_assert_msg(fabs(sqrt(squares / (double)n) - sigma) < 5 * sigma / sqrt(2 * (double)n),
                  "%s: deviation", tensor->name);
    if (tensor->normal)
        ck_assert_msg(most > 3 * sigma && most < 6 * sigma, "%s: tails", tensor->name);
    else
        ck_assert_msg(most <= scale * 1.000001 && most > 0.9 * scale, "%s: range", tensor->name);
}

TEST(distributions)
{
    Seq2SeqParams params = drawn(&sizes, 1);
    ck_assert_uint_eq(params.list.count, EXPECTED);
    for (size_t i = 0; i < EXPECTED; i++) {
        const ParamInfo *info = param_list_find(&params.list, expected[i].name);
        ck_assert_msg(info != NULL, "no tensor %s", expected[i].name);
        check_tensor(params.block + info->offset, info->count, &expected[i]);
    }
    seq2seq_params_free(&params);
}

TEST(self_attention)
{
    static const char *const projections[] = {"query", "key", "value", "output"};
    ModelConfig config = sizes;
    config.self_attention = true;
    config.heads = 10;
    Seq2SeqParams params = drawn(&config, 1);
    for (size_t i = 0; i < 4; i++) {
        char name[PARAM_NAME_SIZE];
        snprintf(name, sizeof name, "self_attention.%s.weight", projections[i]);
        const ParamInfo *info = param_list_find(&params.list, name);
        check_tensor(params.block + info->offset, info->count, &(struct Expected){name, false, 50});
    }
    for (size_t i = 0; i < 50; i++) { // the layer norm only normalises
        ck_assert(params.self_attention.norm.weight[i] == 1);
        ck_assert(params.self_attention.norm.bias[i] == 0);
    }
    seq2seq_params_free(&params);
}

TEST(joint_embedding)
{
    ModelConfig config = sizes;
    config.joint = config.tied = true;
    config.source_vocabulary = config.target_vocabulary;
    Seq2SeqParams params = drawn(&config, 1);
    const struct Expected joint = {"embedding.weight", true, 36};
    check_tensor(params.source_embedding.matrix.values, 300 * 36, &joint);
    ck_assert_ptr_null(param_list_find(&params.list, "output.weight"));
    seq2seq_params_free(&params);
}

TEST(a_seed_decides)
{
    Seq2SeqParams first = drawn(&sizes, 5), again = drawn(&sizes, 5), other = drawn(&sizes, 6);
    size_t bytes = first.list.block_size * sizeof(real);
    ck_assert_mem_eq(first.block, again.block, bytes);
    for (size_t i = 0; i < first.list.count; i++) {
        const ParamInfo *info = &first.list.tensors[i];
        ck_assert_msg(memcmp(first.block + info->offset, other.block + info->offset,
                             info->count * sizeof(real)) != 0,
                      "%s is the same for two seeds", info->name);
    }
    seq2seq_params_free(&first);
    seq2seq_params_free(&again);
    seq2seq_params_free(&other);
}

TEST(one_tensor_does_not_move_another)
{
    ModelConfig larger = sizes;
    larger.source_vocabulary = 500; // the first tensor takes more draws
    Seq2SeqParams first = drawn(&sizes, 5), second = drawn(&larger, 5);
    for (size_t i = 1; i < first.list.count; i++) {
        const ParamInfo *one = &first.list.tensors[i], *two = &second.list.tensors[i];
        ck_assert_str_eq(one->name, two->name);
        ck_assert_mem_eq(first.block + one->offset, second.block + two->offset,
                         one->count * sizeof(real));
    }
    // two tensors of one shape and scale are not copies of each other
    ck_assert_mem_ne(first.encoder.gru[GRU_FORWARDS].weight_hh.matrix.values,
                     first.encoder.gru[GRU_BACKWARDS].weight_hh.matrix.values,
                     3 * 25 * 25 * sizeof(real));
    ck_assert_mem_ne(first.decoder.gru.bias_ih, first.decoder.gru.bias_hh, 3 * 49 * sizeof(real));
    seq2seq_params_free(&first);
    seq2seq_params_free(&second);
}
