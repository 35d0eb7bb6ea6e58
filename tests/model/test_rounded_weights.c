/* Products in int8 take the matrices of a file in int8 or int4 as they are. What they give must have
 * the bits that they have with the matrices dequantised, and rounded once more. */
#include "attention/attention.h"
#include "linalg/backend/backend.h"
#include "model/inference.h"
#include "model/model_file.h"
#include "support/scratch.h"
#include "support/small_model.h"
#include "support/suite.h"

#include <string.h>

static const ModelTexts texts = {"{}", "{}", "{}"};
static char path[192];

static void save(const ModelConfig *config, WeightType type)
{
    SmallModel small;
    Model model;
    small_model_make(&small, config, 2, 3);
    assert_ok(model_save(path, &small.params, &texts, NULL, NULL));
    assert_ok(model_open(&model, path, NULL));
    assert_ok(quantise_model(&model, path, type, NULL, path, NULL));
    model_close(&model);
    small_model_free(&small);
}

// Translates with the model's values, or with its rounded matrices where it has no values.
static void translate(Hypotheses *results, const SmallPairs *sources, bool rounded)
{
    Model model;
    Seq2SeqParams params;
    Threads *threads;
    BatchSearch search;
    const SearchOptions options = {.beam = 3, .batch = 4};
    assert_ok(model_open_unread(&model, path, NULL));
    assert_ok(model_read(&model, path, NULL));
    ck_assert_ptr_null(model.params.block); // so much memory is not taken for nothing
    if (!rounded) assert_ok(model_dequantise(&model.params, &model, NULL));
    assert_ok(seq2seq_params_list(&params, &model.params.config, NULL));
    seq2seq_params_place(&params, model.params.places);
    assert_ok(seq2seq_params_pack(&params, backend_of(COMPUTE_INT8, true), PACKED_DECODING, NULL));
    if (rounded) packed_weights_set_rounded(params.packed, model.rounded);
    assert_ok(threads_new(&threads, 2, NULL));
    seq2seq_params_fill_all(&params, threads);
    assert_ok(inference_batch_search(&search, threads, &params, NULL, NULL, NULL));
    assert_ok(batch_search_run(&search, sources->pairs, sources->count, &options, results, NULL));
    batch_search_free(&search);
    threads_free(threads);
    seq2seq_params_free(&params);
    model_close(&model);
}

static void expect_same(Hypotheses *a, Hypotheses *b)
{
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        ck_assert_uint_eq(a->items[i].length, b->items[i].length);
        ck_assert_mem_eq(a->items[i].tokens, b->items[i].tokens,
                         a->items[i].length * sizeof *a->items[i].tokens);
        ck_assert(a->items[i].score == b->items[i].score);
    }
    hypotheses_free(a);
    hypotheses_free(b);
}

static void check(WeightType type, const char *attention, bool tied, bool self_attention)
{
    ModelConfig config = {.source_vocabulary = 50,
                          .target_vocabulary = 800, // blocks of outputs
                          .embedding = 24,
                          .hidden = 20,
                          .decoder_hidden = 40,
                          .attention_size = 24,
                          .tied = tied,
                          .heads = 1,
                          .self_attention = self_attention};
    static SmallPairs sources;
    static Hypotheses with[MAX_SMALL_PAIRS], without[MAX_SMALL_PAIRS];
    strcpy(config.attention, attention);
    if (!strcmp(attention, "multi-head") || self_attention) config.heads = 2;
    assert_ok(config_check(&config, NULL));
    save(&config, type);
    small_pairs_draw(&sources, &config, 9, 7, 5);
    translate(with, &sources, true);
    translate(without, &sources, false);
    for (size_t i = 0; i < sources.count; i++) expect_same(&with[i], &without[i]);
}

TEST(same_bits)
{
    strcpy(path, scratch_path("model.safetensors"));
    for (size_t i = 0; attention_scorer_names[i]; i++)
        check(WEIGHTS_INT8, attention_scorer_names[i], i % 2 == 0, false);
    check(WEIGHTS_INT8, "additive", true, true);
    check(WEIGHTS_INT8, "none", false, false);
    check(WEIGHTS_INT4, "additive", true, false);
    check(WEIGHTS_INT4, "additive", false, false);
}

// −128 and scales that are too large are for dequantised matrices alone.
TEST(what_is_usable)
{
    static const int8_t steps[] = {1, -127, 0, 127, 3, -128};
    const float scales[] = {1, 3e36f, 1};
    ck_assert(rounded_rows_usable(&(RoundedRows){steps, NULL, scales, 2}, 1));
    ck_assert(!rounded_rows_usable(&(RoundedRows){steps, NULL, scales, 2}, 2));
    ck_assert(!rounded_rows_usable(&(RoundedRows){steps, NULL, scales, 6}, 1));
    ck_assert(rounded_rows_usable(&(RoundedRows){steps, NULL, scales, 2}, 0));
}
