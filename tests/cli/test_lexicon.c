// --lexicon, which training with word alignments leaves in its models.

#include "support/trained_model.h"

#include "support/suite.h"

#include <string.h>

// 500 pairs, of more words than the vocabulary has.
#define CORPUS "data/en-fr/valid.tsv"

static const char sentences[] = "My brother is buying two yellow oranges.\nYou work here.\n";
static const char *model;

static void train_once(void)
{
    model = scratch_path("model.safetensors");
    run_expect_done(
        RUN("", "train", "--train", CORPUS, "--model", model, TRAINED_FLAGS, "--max-epochs", "1"));
}

TESTS_SHARE(train_once, .seconds = 60)

TEST(translates_with_it)
{
    Run info = RUN("", "info", model);
    assert_contains(info.out.data, "\nlexicon       ");
    const char *small = scratch_path("int8"), *mean = scratch_path("mean");
    run_expect_done(RUN("", "quantize", model, "-o", small));
    run_expect_done(RUN("", "average", model, model, "-o", mean));
    const char *models[] = {model, small, mean};
    for (size_t i = 0; i < 3; i++) {
        assert_contains(RUN("", "info", models[i]).out.data, "\nlexicon       ");
        run_expect_done(RUN(sentences, "translate", "--model", models[i]));
        Run with = RUN(sentences, "translate", "--model", models[i], "--lexicon", "0.3");
        Run without = RUN(sentences, "translate", "--model", models[i], "--lexicon", "0");
        run_expect_done(with);
        run_expect_done(without);
        ck_assert_str_eq(with.out.data, RUN(sentences, "translate", "--model", models[i]).out.data);
    }
}

TEST(shares)
{
    run_expect_failure(RUN("a\n", "translate", model, "--lexicon", "1"), 2, "--lexicon");
    run_expect_done(RUN("", "evaluate", "--model", model, "--lexicon", "0.9", CORPUS));
}

// Without links there is none, and a share of none is no error.
TEST(a_model_without)
{
    const char *none = scratch_path("none.safetensors");
    run_expect_done(RUN("", "train", "--train", CORPUS, "--model", none, TRAINED_FLAGS,
                        "--max-epochs", "1", "--guide", "none"));
    ck_assert_ptr_null(strstr(RUN("", "info", none).out.data, "\nlexicon "));
    run_expect_done(RUN("a\n", "translate", none, "--lexicon", "0.5"));
}

// A short text of training is looked up, alone and as one sentence of several; of these it is in all
// combinations.
TEST(short_texts)
{
    const char *with = scratch_path("with.safetensors");
    const char *pairs = scratch_text("pairs.tsv", "my dog\tmon chien\nmy dog\tmon chien\n");
    run_expect_done(RUN("", "train", "--train", CORPUS, "--train", pairs, "--model", with,
                        TRAINED_FLAGS, "--max-epochs", "1"));
    Run alone = RUN("My dog!\n", "translate", with);
    Run beside = RUN("You work here. My dog!\n", "translate", with, "--n-best", "3");
    assert_contains(alone.out.data, "Mon chien");
    size_t found = 0;
    for (const char *at = beside.out.data; (at = strstr(at, "Mon chien")); at++) found++;
    ck_assert_uint_eq(found, 3);
}
