#include "train/options.h"

#include "support/suite.h"

#include <string.h>

// Every field another value, none a default.
static const TrainOptions odd = {
    .vocabulary_size = 301,
    .vocabulary_kind = VOCABULARY_SEPARATE,
    .embedding = 2,
    .hidden = 3,
    .decoder_hidden = 4,
    .attention = 1,
    .heads = 3,
    .attention_size = 5,
    .self_attention = 1,
    .precision = 1,
    .untied = 1,
    .deduplicate = 1,
    .dropout = 0.1,
    .label_smoothing = 1.0 / 3,
    .batch_tokens = 6,
    .max_length = 7,
    .learning_rate = 1e-300,
    .warmup = 8,
    .clip_norm = 0.7,
    .seed = 4000000000u,
    .threads = 9,
    .guide_weight = 0.5,
    .max_epochs = 10,
    .patience = 11,
    .max_minutes = 12,
};

static const char *const names[] = {
    "vocabulary_size", "vocabulary_kind", "embedding", "hidden",       "decoder_hidden",
    "attention_size",  "untied",          "dropout",   "batch_tokens", "label_smoothing",
    "max_length",      "learning_rate",   "warmup",    "clip_norm",    "seed",
    "threads",         "deduplicate",     "attention", "heads",        "self_attention",
    "precision",       "guide_weight",
};
enum { NAMES = sizeof names / sizeof *names };
enum { LATER = 5 }; // the last of them, which older checkpoints lack

START_TEST(test_json_and_back)
{
    json_t *json = train_options_to_json(&odd);
    ck_assert_uint_eq(json_object_size(json), NAMES); // and none of the stopping rules
    char *text = json_dumps(json, JSON_REAL_PRECISION(17));
    json_t *read = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    TrainOptions options = {.max_epochs = 1, .patience = 2, .max_minutes = 3};
    ck_assert_int_eq(train_options_from_json(&options, read, NULL), STATUS_OK);
    for (size_t i = 0; i < NAMES; i++)
        ck_assert_msg(train_options_same(&options, &odd, names[i]), "%s differs", names[i]);
    ck_assert_uint_eq(options.max_epochs, 1);
    ck_assert_uint_eq(options.patience, 2);
    ck_assert_double_eq(options.max_minutes, 3);
    json_decref(json);
    json_decref(read);
    free(text);
}
END_TEST

START_TEST(test_same)
{
    const TrainOptions defaults = TRAIN_OPTIONS_DEFAULT;
    for (size_t i = 0; i < NAMES; i++) {
        ck_assert(train_options_same(&odd, &odd, names[i]));
        ck_assert_msg(!train_options_same(&defaults, &odd, names[i]), "%s is the same", names[i]);
    }
}
END_TEST

static void expect_refusal(const char *name, json_t *value)
{
    TrainOptions options = odd;
    Error error = {0};
    json_t *json = train_options_to_json(&odd);
    if (value)
        json_object_set_new(json, name, value);
    else
        json_object_del(json, name);
    ck_assert_int_eq(train_options_from_json(&options, json, &error), STATUS_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, name));
    json_decref(json);
}

START_TEST(test_wrong_json)
{
    for (size_t i = 0; i < NAMES; i++) {
        if (i < NAMES - LATER) expect_refusal(names[i], NULL);
        expect_refusal(names[i], json_string("1"));
        expect_refusal(names[i], json_null());
    }
    expect_refusal("embedding", json_integer(-1));
    expect_refusal("embedding", json_real(2));
    expect_refusal("attention", json_integer(100)); // there are not so many
    ck_assert_int_eq(train_options_from_json(&(TrainOptions){0}, NULL, NULL), STATUS_FORMAT);
}
END_TEST

// A checkpoint from before there was self-attention is one without it.
START_TEST(test_older_json)
{
    const TrainOptions defaults = TRAIN_OPTIONS_DEFAULT;
    TrainOptions options = odd;
    json_t *json = train_options_to_json(&odd);
    for (size_t i = NAMES - LATER; i < NAMES; i++) json_object_del(json, names[i]);
    ck_assert_int_eq(train_options_from_json(&options, json, NULL), STATUS_OK);
    for (size_t i = 0; i < NAMES; i++)
        ck_assert(train_options_same(&options, i < NAMES - LATER ? &odd : &defaults, names[i]));
    json_decref(json);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("train_options");
    suite_add(suite, "JSON and back", test_json_and_back);
    suite_add(suite, "same", test_same);
    suite_add(suite, "wrong JSON", test_wrong_json);
    suite_add(suite, "older JSON", test_older_json);
    return suite_run(suite);
}
