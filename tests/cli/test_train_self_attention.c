// regard train --self-attention, and what the other verbs make of such a model.

#include "support/suite.h"
#include "support/trained_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *corpus, *model;

#define TRAIN "train", "--train", corpus, "--model", model, TRAINED_FLAGS, "--self-attention"

static void set_up(void)
{
    corpus = scratch_path("corpus.tsv");
    model = scratch_path("model.safetensors");
    trained_corpus_write(corpus, 120);
}

static void learn(const char *epochs)
{
    run_expect_done(RUN("", TRAIN, "--heads", "2", "--max-epochs", epochs, "--overwrite"));
}

TESTS_EACH(set_up, NULL)

TEST(info_says_it)
{
    learn("1");
    Run run = run_expect_done(RUN("", "info", "--tensors", model));
    assert_contains(run.out.data, "16 units in each direction, beside them the embedding, then "
                                  "self-attention of 2 heads\n");
    assert_contains(run.out.data, "self_attention.query.weight (48, 48)\n");
    assert_contains(run.out.data, "self_attention.norm.bias (48)\n");
}

/* What beam search says a translation's score is, training's own pass says too; with length
 * normalisation 0 and without a lexicon that is its log-probability. */
TEST(translate_and_score_agree)
{
    learn("4");
    Run said =
        run_expect_done(RUN("the red cat sees the old dog .\n", "translate", "--model", model,
                            "--n-best", "1", "--length-normalization", "0", "--lexicon", "0"));
    char text[512] = "", pair[1024];
    double score = 0;
    ck_assert_int_eq(sscanf(said.out.data, "%*d ||| %511[^|]||| %lf", text, &score), 2);
    text[strlen(text) - 1] = 0; // the blank before the bars
    int length = snprintf(pair, sizeof pair, "the red cat sees the old dog .\t%s\n", text);
    ck_assert_int_lt(length, (int)sizeof pair);
    Run scored = run_expect_done(RUN(pair, "score", "--model", model, "-"));
    ck_assert_double_eq_tol(strtod(scored.out.data, NULL), score, 2e-3);
}

TEST(resumed_equals_uncut)
{
    learn("3");
    Bytes whole = scratch_read(model);
    learn("2");
    run_expect_done(RUN("", TRAIN, "--heads", "2", "--max-epochs", "3", "--resume"));
    Bytes subwords = scratch_read(model);
    ck_assert_uint_eq(whole.length, subwords.length);
    ck_assert_mem_eq(whole.data, subwords.data, whole.length);
    run_expect_failure(RUN("", TRAIN, "--heads", "4", "--max-epochs", "3", "--resume"), 2,
                       "--heads is 4, and was ");
}

TEST(heads_that_do_not_divide)
{
    run_expect_failure(RUN("", TRAIN, "--heads", "5"), 2,
                       "48 numbers (2 × hidden + embedding) evenly among 5 heads");
}
