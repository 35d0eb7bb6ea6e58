/* Models with random weights, too small to be good at anything, and sentences for them to read. Any
 * failure fails the test. */
#pragma once

#include "model/pass.h"

typedef struct SmallModel {
    ModelConfig config;
    Seq2SeqParams params; // free to be written to
} SmallModel;

/* A kind with that scorer, whose sizes are all different. Two heads share 4 units of attention and
 * annotations of 10 numbers. */
ModelConfig small_config_of_scorer(const char *scorer);

/* Separate vocabularies of these sizes, tied; the weights as training starts from them, times
 * `scale`: what a model says is the surer the larger that is. Freed by small_model_free. */
void small_model_new(SmallModel *model, size_t source_vocabulary, size_t target_vocabulary,
                     double scale, uint64_t seed);

// The same of any kind and size.
void small_model_make(SmallModel *model, const ModelConfig *config, double scale, uint64_t seed);

void small_model_free(SmallModel *model);

/* The sum of the target's log-probabilities given the source, by teacher forcing: training's way to
 * the number that search adds up step by step. log_p (target_length) takes each token's unless
 * NULL. */
double small_model_log_p(const SmallModel *model, const TokenPair *pair, double *log_p);

enum { MAX_SMALL_PAIRS = 128, MAX_SMALL_TOKENS = 8192 };

typedef struct SmallPairs {
    TokenPair pairs[MAX_SMALL_PAIRS]; // (count) numbered
    size_t count;
    int32_t tokens[MAX_SMALL_TOKENS]; // what the pairs point to
} SmallPairs;

/* Pairs whose sides have 1 to `longest` tokens, </s> counted. They point into `pairs`, which
 * must stay where it is. */
void small_pairs_draw(SmallPairs *pairs, const ModelConfig *config, size_t count, size_t longest,
                      uint64_t seed);
