// What the tests of beam search share: a small random model, sources for it, and the search.
#pragma once

#include "model/inference.h"
#include "search/beam.h"
#include "support/small_model.h"
#include "support/suite.h"

static SmallModel model;
static SmallPairs drawn;
static SearchModel *network;

static void set_up(size_t vocabulary, double scale, uint64_t seed)
{
    small_model_new(&model, 9, vocabulary, scale, seed);
    small_pairs_draw(&drawn, &model.config, 12, 6, seed + 100);
    assert_ok(inference_new(&network, &model.params, NULL, NULL, NULL));
}

static void tear_down(void)
{
    if (network) network->free(network);
    network = NULL;
    small_model_free(&model);
}

TESTS_EACH(NULL, tear_down)

static void search(const TokenPair *sources, size_t count, SearchOptions options,
                   Hypotheses *results)
{
    Error error = {0};
    Status status = beam_search(network, sources, count, &options, results, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

static void free_all(Hypotheses *results, size_t count)
{
    for (size_t i = 0; i < count; i++) hypotheses_free(&results[i]);
}

// A source with what was made of it as its target.
static TokenPair with_target(const TokenPair *source, const int32_t *tokens, size_t length)
{
    TokenPair pair = *source;
    pair.target = tokens;
    pair.target_length = (uint32_t)length;
    return pair;
}
