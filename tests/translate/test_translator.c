#include "translate/translator.h"

#include "support/scratch.h"
#include "support/small_translator.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

static const char *const alphabet = "{\"alphabet\":[\" \",\"a\"],\"merges\":[]}"; // of 262 tokens

static Translator translator;

// Saves a model of these texts, its sizes as given, and returns the path.
static const char *save(size_t source, size_t target, bool joint, ModelTexts texts)
{
    SmallModel model;
    small_model_new(&model, source, target, 1, 1);
    model.config.joint = joint;
    const char *path = scratch_path("model");
    Seq2SeqParams params;
    assert_ok(seq2seq_params_new(&params, &model.config, NULL));
    assert_ok(model_save(path, &params, &texts, NULL, NULL));
    seq2seq_params_free(&params);
    small_model_free(&model);
    return path;
}

static void expect_refusal(const char *path, const char *part)
{
    Error error = {0};
    ck_assert_int_eq(translator_open(&translator, path, &error), STATUS_FORMAT);
    assert_contains(error.text, part);
    assert_contains(error.text, path);
    ck_assert_ptr_null(translator.model.file);
    ck_assert_ptr_null(translator.source_vocabulary);
    ck_assert_ptr_null(translator.training);
}

TEST(opens)
{
    SmallTranslator small;
    const char *path = scratch_path("model");
    small_translator_new(&small, 1, 1);
    small_translator_save(&small, path, "{\"target_units\":\"characters\",\"steps\":7}");
    assert_ok(translator_open(&translator, path, NULL));
    ck_assert_ptr_ne(translator.source_vocabulary, translator.target_vocabulary);
    ck_assert_uint_eq(vocabulary_size(translator.source_vocabulary),
                      vocabulary_size(small.source_vocabulary));
    ck_assert_int_eq(translator.source_units, UNITS_WORDS); // what it is if nothing is said
    ck_assert_int_eq(translator.target_units, UNITS_CHARACTERS);
    ck_assert_int_eq(translator.bleu_tokenizer, BLEU_13A);
    ck_assert(translator.length_normalization == 1);
    ck_assert_int_eq(json_integer_value(json_object_get(translator.training, "steps")), 7);
    translator_close(&translator);
    ck_assert_ptr_null(translator.model.file);
    translator_close(&translator);
    small_translator_save(&small, path, "{\"bleu_tokenizer\":\"zh\",\"length_normalization\":0}");
    assert_ok(translator_open(&translator, path, NULL));
    ck_assert_int_eq(translator.bleu_tokenizer, BLEU_ZH);
    ck_assert(translator.length_normalization == 0);
    translator_close(&translator);
    small_translator_free(&small);
}

TEST(joint)
{
    const char *path = save(262, 262, true, (ModelTexts){alphabet, alphabet, "{}"});
    assert_ok(translator_open(&translator, path, NULL));
    ck_assert_ptr_eq(translator.source_vocabulary, translator.target_vocabulary);
    translator_close(&translator);
}

TEST(wrong_vocabularies)
{
    const char *whole = "source vocabulary has 262 tokens, its config says 263";
    expect_refusal(save(263, 262, false, (ModelTexts){alphabet, alphabet, "{}"}), whole);
    expect_refusal(save(262, 300, false, (ModelTexts){alphabet, alphabet, "{}"}),
                   "target vocabulary has 262 tokens, its config says 300");
    expect_refusal(save(300, 300, true, (ModelTexts){alphabet, alphabet, "{}"}),
                   "its vocabulary has 262 tokens, its config says 300");
    expect_refusal(save(262, 262, false, (ModelTexts){"", alphabet, "{}"}), "source vocabulary");
    expect_refusal(save(262, 262, false, (ModelTexts){alphabet, "{", "{}"}), "target vocabulary");
    expect_refusal(save(262, 262, false, (ModelTexts){alphabet, "{}", "{}"}), "target vocabulary");
    expect_refusal(save(262, 262, false, (ModelTexts){"[1]", alphabet, "{}"}), "source vocabulary");
    expect_refusal(save(262, 262, true, (ModelTexts){"null", "null", "{}"}), "vocabulary");
}

TEST(wrong_training)
{
    static const char *const broken[] = {"", "7", "[]", "{"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        expect_refusal(save(262, 262, false, (ModelTexts){alphabet, alphabet, broken[i]}),
                       "the description of its training is not JSON");
    static const char *const unknown[] = {"{\"source_units\":\"syllables\"}",
                                          "{\"target_units\":\"\"}", "{\"target_units\":7}",
                                          "{\"bleu_tokenizer\":\"x\"}"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        expect_refusal(save(262, 262, false, (ModelTexts){alphabet, alphabet, unknown[i]}),
                       "of an unknown kind");
    static const char *const numbers[] = {"-0.1", "10.5", "1e300",   "null",
                                          "true", "[1]",  "\"1.4\"", "{}"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char training[64];
        (void)snprintf(training, sizeof training, "{\"length_normalization\":%s}", numbers[i]);
        expect_refusal(save(262, 262, false, (ModelTexts){alphabet, alphabet, training}),
                       "its length_normalization is ");
    }
    static const char *const no_numbers[] = {"NaN", "Infinity", "1e999"};
    for (size_t i = 0; i < sizeof no_numbers / sizeof *no_numbers; i++) {
        char training[64];
        (void)snprintf(training, sizeof training, "{\"length_normalization\":%s}", no_numbers[i]);
        expect_refusal(save(262, 262, false, (ModelTexts){alphabet, alphabet, training}),
                       "the description of its training is not JSON");
    }
    Error error = {0};
    ck_assert_int_eq(translator_open(&translator, scratch_path("none"), &error), STATUS_IO);
}

/* What is wrong with the model is told, and not what is wrong with its texts besides. */
TEST(damage_comes_first)
{
    const char *path = save(262, 262, false, (ModelTexts){"[1]", alphabet, "{"});
    Bytes file = scratch_read(path);
    file.data[file.length - 1] ^= 1;
    scratch_write(path, file.data, file.length);
    expect_refusal(path, "its checksum should be");
}
