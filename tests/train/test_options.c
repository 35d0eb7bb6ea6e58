#include "train/options.h"

#include "support/suite.h"

#include <string.h>

// Every option another value, none a default.
static const TrainOptions odd = {
    .preset = PRESET_BEST,
    .vocabulary_size = 301,
    .joint_vocabulary = true,
    .separate_vocabulary = true,
    .embedding = 2,
    .hidden = 3,
    .decoder_hidden = 4,
    .attention = 5, // multi-head
    .heads = 3,
    .attention_size = 5,
    .self_attention = true,
    .decoder = DECODER_GRU,
    .annotations = ANNOTATION_STATES,
    .precision = PRECISION_BF16,
    .untied = true,
    .deduplicate = true,
    .dropout = 0.1,
    .label_smoothing = 1.0 / 3,
    .batch_tokens = 6,
    .max_length = 7,
    .learning_rate = 1e-300,
    .optimiser = OPTIMISER_ADADELTA,
    .warmup = 8,
    .clip_norm = 0.7,
    .seed = 4000000000u,
    .threads = 9,
    .guide_weight = 2,
    .guide_end_weight = 4,
    .r_drop = 3,
    .max_epochs = 10,
    .patience = 11,
    .max_minutes = 12,
    .keep = 13,
};
static const TrainOptions defaults = TRAIN_OPTIONS_DEFAULT;

// The rows from `option` on that a checkpoint has, one by one; NULL behind the last.
static const TrainOption *in_checkpoint(const TrainOption *option)
{
    while (option->flag && option->on_resume == TRAIN_FREE) option++;
    return option->flag ? option : NULL;
}

#define EACH_IN_CHECKPOINT(option)                                                                 \
    const TrainOption *option = in_checkpoint(train_option_table);                                 \
    option;                                                                                        \
    option = in_checkpoint(option + 1)

TEST(json_and_back)
{
    json_t *json = train_options_to_json(&odd, false);
    size_t count = 0;
    for (EACH_IN_CHECKPOINT(option)) count++;
    // the first choices, as it was before there were others
    ck_assert_ptr_null(json_object_get(json, "decoder"));
    ck_assert_ptr_null(json_object_get(json, "annotations"));
    ck_assert_uint_eq(json_object_size(json), count - 2); // and none of the stopping rules
    json_t *all = train_options_to_json(&odd, true);
    for (const TrainOption *option = train_option_table; option->flag; option++)
        ck_assert_ptr_nonnull(json_object_get(all, option->field.name));
    json_decref(all);
    char *text = json_dumps(json, JSON_REAL_PRECISION(17));
    json_t *read = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    TrainOptions options = {.max_epochs = 1, .patience = 2, .max_minutes = 3};
    assert_ok(train_options_from_json(&options, read, NULL));
    for (EACH_IN_CHECKPOINT(option))
        ck_assert_msg(json_field_equal(&option->field, &options, &odd), "%s differs",
                      option->field.name);
    ck_assert_uint_eq(options.max_epochs, 1);
    ck_assert_uint_eq(options.patience, 2);
    ck_assert_double_eq(options.max_minutes, 3);
    json_decref(json);
    json_decref(read);
    free(text);
}

// What has names is kept by its name, which does not depend on its place in a list.
TEST(names)
{
    json_t *json = train_options_to_json(&odd, false);
    ck_assert_str_eq(json_string_value(json_object_get(json, "attention")), "multi-head");
    ck_assert_str_eq(json_string_value(json_object_get(json, "precision")), "bf16");
    json_decref(json);
}

TEST(equal)
{
    for (const TrainOption *option = train_option_table; option->flag; option++) {
        ck_assert(json_field_equal(&option->field, &odd, &odd));
        ck_assert_msg(!json_field_equal(&option->field, &defaults, &odd), "%s is equal",
                      option->field.name);
    }
}

TEST(resume_may_change)
{
    for (const TrainOption *option = train_option_table; option->flag; option++) {
        bool outside =
            !strcmp(option->field.name, "preset") || !strcmp(option->field.name, "max_epochs") ||
            !strcmp(option->field.name, "max_minutes") || !strcmp(option->field.name, "patience") ||
            !strcmp(option->field.name, "keep") || !strcmp(option->field.name, "disk_wait");
        ck_assert_msg((option->on_resume == TRAIN_FREE) == outside, "%s", option->field.name);
        bool threads = !strcmp(option->field.name, "threads");
        ck_assert_msg((option->on_resume == TRAIN_NOTED) == threads, "%s", option->field.name);
    }
}

TEST(resolve)
{
    TrainOptions options = defaults;
    Error error = {0};
    options.hidden = 16; // too narrow for bf16 to gain
    assert_ok(train_options_resolve(&options, NULL));
    ck_assert_int_eq(options.precision, PRECISION_FLOAT32);
    ck_assert_uint_gt(options.threads, 0);
    ck_assert(options.embedding == 384 && options.hidden == 16 && options.dropout == 0.4);
    options = defaults;
    options.joint_vocabulary = options.separate_vocabulary = true;
    ck_assert_int_eq(train_options_resolve(&options, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "conflict");
    options.joint_vocabulary = false;
    options.precision = PRECISION_BF16;
    if (backend_of(COMPUTE_BF16, true)) return;
    ck_assert_int_eq(train_options_resolve(&options, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "precision bf16");
}

// What is given comes after the preset, in whatever order.
TEST(presets)
{
    TrainOptions options = defaults;
    json_t *given = json_pack("{s:i, s:s}", "embedding", 100, "preset", "best");
    assert_ok(train_options_set(&options, given, NULL));
    ck_assert(options.embedding == 100 && options.hidden == 512 && options.dropout == 0.4);
    json_decref(given);
    options = defaults;
    given = json_pack("{s:f, s:s}", "label_smoothing", 0.2, "preset", "bahdanau2014");
    assert_ok(train_options_set(&options, given, NULL));
    json_decref(given);
    train_options_fit(&options, FEW_PAIRS);
    ck_assert(options.embedding == 620 && options.hidden == 1000 && options.untied);
    ck_assert(options.decoder == DECODER_GRU && options.annotations == ANNOTATION_STATES);
    ck_assert(options.optimiser == OPTIMISER_ADADELTA && options.learning_rate == 1);
    ck_assert(options.dropout == 0 && options.label_smoothing == 0.2 && options.clip_norm == 1);
    ck_assert(options.vocabulary_size == 30000 && options.separate_vocabulary);
    ck_assert(options.batch_tokens == 2000 && options.max_length == 50 && options.max_epochs == 30);
    // no guide, unless one is asked for
    ck_assert(options.guide_weight == 0);
    train_options_guide(&options, true, false, (const bool[]){false, false});
    ck_assert(options.guide_weight == defaults.guide_weight);
}

// What a corpus of so many pairs gives; from MANY_PAIRS on always the same.
TEST(fit)
{
    static const struct {
        size_t pairs, vocabulary_size, batch_tokens, max_epochs, patience;
    } cases[] = {
        {0, 2000, 400, 190, 32},          {FEWEST_PAIRS, 2000, 400, 190, 32},
        {1000, 2400, 470, 134, 22},       {3000, 3100, 620, 77, 13},
        {10000, 4200, 840, 42, 7},        {FEW_PAIRS, 5000, 1000, 30, 5},
        {29000, 5500, 1100, 30, 5},       {160000, 8400, 1680, 30, 5},
        {MANY_PAIRS, 13300, 2660, 30, 5}, {SIZE_MAX, 13300, 2660, 30, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TrainOptions options = defaults;
        train_options_fit(&options, cases[i].pairs);
        ck_assert_uint_eq(options.vocabulary_size, cases[i].vocabulary_size);
        ck_assert_uint_eq(options.batch_tokens, cases[i].batch_tokens);
        ck_assert_uint_eq(options.max_epochs, cases[i].max_epochs);
        ck_assert_uint_eq(options.patience, cases[i].patience);
    }
    TrainOptions fast = defaults, best = defaults;
    fast.preset = PRESET_FAST;
    best.preset = PRESET_BEST;
    train_options_fit(&fast, FEW_PAIRS);
    train_options_fit(&best, FEW_PAIRS);
    ck_assert(fast.max_epochs == 10 && fast.patience == 5 && fast.batch_tokens == 1000);
    ck_assert(best.max_epochs == 30 && best.patience == 10 && best.batch_tokens == 1000 &&
              best.vocabulary_size == 5000);
    TrainOptions given = odd;
    train_options_fit(&given, 1000);
    ck_assert_mem_eq(&given, &odd, sizeof odd);
}

static void expect_refusal(const char *name, json_t *value)
{
    TrainOptions options = odd;
    Error error = {0};
    json_t *json = train_options_to_json(&odd, false);
    if (value)
        json_object_set_new(json, name, value);
    else
        json_object_del(json, name);
    ck_assert_int_eq(train_options_from_json(&options, json, &error), STATUS_FORMAT);
    assert_contains(error.text, name);
    json_decref(json);
}

// A run without a guide does not mention one.
TEST(without_a_guide)
{
    TrainOptions options = odd;
    options.guide_weight = 0;
    json_t *json = train_options_to_json(&options, false);
    ck_assert_ptr_null(json_object_get(json, "guide_weight"));
    options.guide_weight = 1;
    assert_ok(train_options_from_json(&options, json, NULL));
    ck_assert_double_eq(options.guide_weight, 0);
    json_decref(json);
}

TEST(wrong_json)
{
    for (EACH_IN_CHECKPOINT(option)) {
        if (option->on_resume != TRAIN_FIXED_IF_SET) expect_refusal(option->field.name, NULL);
        expect_refusal(option->field.name, json_string("1"));
        expect_refusal(option->field.name, json_null());
    }
    expect_refusal("embedding", json_integer(-1));
    expect_refusal("embedding", json_real(2));
    expect_refusal("attention", json_integer(1)); // its place in the list
    expect_refusal("attention", json_string("additive "));
    expect_refusal("untied", json_integer(1));
    expect_refusal("bpe_dropout", json_real(0.1)); // of an earlier version
    ck_assert_int_eq(train_options_from_json(&(TrainOptions){0}, NULL, NULL), STATUS_FORMAT);
}
