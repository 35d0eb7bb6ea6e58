#include "support/small_model.h"

#include "base/random.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <stdio.h>
#include <string.h>

ModelConfig small_config_of_scorer(const char *scorer)
{
    ModelConfig config = {
        .source_vocabulary = 13,
        .target_vocabulary = 17,
        .embedding = 6,
        .hidden = 5,
        .decoder_hidden = 7,
        .attention_size = 4,
        .tied = true,
        .heads = strcmp(scorer, "multi-head") ? 1 : 2,
    };
    snprintf(config.attention, sizeof config.attention, "%s", scorer);
    return config;
}

void small_model_new(SmallModel *model, size_t source_vocabulary, size_t target_vocabulary,
                     double scale, uint64_t seed)
{
    ModelConfig config = small_config_of_scorer("additive");
    config.source_vocabulary = source_vocabulary;
    config.target_vocabulary = target_vocabulary;
    small_model_make(model, &config, scale, seed);
}

void small_model_make(SmallModel *model, const ModelConfig *config, double scale, uint64_t seed)
{
    assert_ok(backends_start(1, NULL));
    model->config = *config;
    assert_ok(config_check(&model->config, NULL));
    assert_ok(seq2seq_params_new(&model->params, &model->config, NULL));
    seq2seq_initialise(&model->params, seed);
    for (size_t i = 0; i < model->params.list.block_size; i++)
        model->params.block[i] *= (real)scale;
}

void small_model_free(SmallModel *model)
{
    seq2seq_params_free(&model->params);
}

double small_model_log_p(const SmallModel *model, const TokenPair *pair, double *log_p)
{
    Arena arenas[2] = {{0}, {0}};
    Batch batch;
    PassActs acts;
    assert_ok(batch_fill(&batch, &arenas[0], pair, 1, (BatchForm){true, 1}, NULL));
    assert_ok(pass_begin(&acts, &arenas[1], &batch, &model->params, (PassNeeds){0}, NULL));
    (void)pass_forward(&acts, &batch, &model->params, 0);
    double sum = 0;
    for (size_t t = 0; t < pair->target_length; t++) {
        if (log_p) log_p[t] = (double)acts.loss.log_p[t];
        sum += (double)acts.loss.log_p[t];
    }
    arena_free(&arenas[0]);
    arena_free(&arenas[1]);
    return sum;
}

/* A sentence of words and its </s>, which begins at `*next` of the tokens; returns its length. */
static uint32_t draw_sentence(int32_t *tokens, size_t *next, size_t longest, size_t vocabulary,
                              Random *random)
{
    size_t words = vocabulary > TOKEN_EOS + 1 ? (size_t)random_below(random, longest) : 0;
    ck_assert_uint_le(*next + words + 1, MAX_SMALL_TOKENS);
    for (size_t i = 0; i < words; i++)
        tokens[(*next)++] = (int32_t)(TOKEN_EOS + 1 + random_below(random, vocabulary - 4));
    tokens[(*next)++] = TOKEN_EOS;
    return (uint32_t)words + 1;
}

void small_pairs_draw(SmallPairs *pairs, const ModelConfig *config, size_t count, size_t longest,
                      uint64_t seed)
{
    Random random = random_from(seed, 0);
    size_t next = 0;
    ck_assert_uint_le(count, MAX_SMALL_PAIRS);
    pairs->count = count;
    for (size_t i = 0; i < count; i++) {
        TokenPair *pair = &pairs->pairs[i];
        *pair = (TokenPair){.source = pairs->tokens + next, .number = (uint32_t)i};
        pair->source_length =
            draw_sentence(pairs->tokens, &next, longest, config->source_vocabulary, &random);
        pair->target = pairs->tokens + next;
        pair->target_length =
            draw_sentence(pairs->tokens, &next, longest, config->target_vocabulary, &random);
    }
}
