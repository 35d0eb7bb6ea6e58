// regard train --init: a model is taught further, alone or with pairs that are mixed in.

#include "support/suite.h"
#include "support/trained_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEACH(path, ...)                                                                           \
    RUN("", "train", "--init", old.model, "--train", corpus, "--model", path, "--batch-tokens",    \
        "400", "--warmup", "20", "--threads", "2", __VA_ARGS__)

static TrainedModel old; // what is taught
static const char *corpus, *model;

static void set_up(void)
{
    corpus = scratch_path("new");
    model = scratch_path("taught");
    trained_corpus_write(corpus, 100);
}

// Two lists of scores, a line each, that differ by no more than rounding.
static void expect_same_scores(const char *a, const char *b)
{
    char *after[2];
    while (*a && *b) {
        ck_assert_double_eq_tol(strtod(a, &after[0]), strtod(b, &after[1]), 1e-4);
        ck_assert(*after[0] == '\n' && *after[1] == '\n');
        a = after[0] + 1;
        b = after[1] + 1;
    }
    ck_assert(*a == *b);
}

static void train_once(void)
{
    old = trained_model_make();
}

TESTS_SHARE(train_once, .seconds = 60)

// Weights, vocabulary and sizes are the model's; corpus, rate and dropout are new.
TEST(begins_with_the_model)
{
    set_up();
    const char *still = scratch_path("still");
    // a rate that changes hardly anything
    run_expect_said(TEACH(still, "--learning-rate", "1e-9", "--max-epochs", "1", "--dropout", "0.4",
                          "--overwrite"),
                    0, "validation at step 0 (epoch 0.0, ");
    Run before = RUN("", "score", "--model", old.model, corpus);
    Run after = RUN("", "score", "--model", still, corpus);
    run_expect_done(before);
    expect_same_scores(before.out.data, after.out.data);
    Run again = TEACH(still, "--max-epochs", "1", "--overwrite");
    assert_contains(run_expect_done(again).error.data,
                    "may be forgotten; compare both on its kind");
    assert_contains(again.error.data, "--mix OLD-PAIRS:0.5 trains some again");
    assert_contains(again.error.data, "still.checkpoint (");
    Run info = RUN("", "info", still);
    ck_assert_msg(strstr(info.out.data, "training      init: \"model.safetensors\"\n") &&
                      strstr(info.out.data, "training      pairs: 98\n") &&
                      strstr(info.out.data, "\"dropout\":0.4,") &&
                      strstr(info.out.data, "shortlist     "),
                  "%s", info.out.data);
}

// What the model knew is measured on the pairs beside it.
TEST(measures_what_is_forgotten)
{
    const char *beside[2];
    Bytes pairs = {0};
    set_up();
    for (int i = 0; i < 100; i++)
        assert_ok(bytes_append_format(&pairs, NULL, "the red cat %d\tle le le\n", i));
    scratch_write(corpus, pairs.data, pairs.length);
    bytes_free(&pairs);
    int stem = (int)(strlen(old.model) - strlen(".safetensors"));
    for (int i = 0; i < 2; i++) {
        beside[i] = scratch_format("%.*s.everyday%s.tsv", stem, old.model, i ? "" : "-test");
        trained_corpus_write(beside[i], 30);
    }
    Run run = TEACH(model, "--max-epochs", "6", "--learning-rate", "0.01", "--overwrite");
    run_expect_said(run, 0, beside[0]);
    assert_contains(run.error.data, "everyday text, ");
    assert_contains(run.error.data, ", before 2");
    assert_contains(run.error.data, beside[1]);
    for (int i = 0; i < 2; i++) remove(beside[i]);
}

TEST(refuses)
{
    static const struct {
        const char *flag, *value, *message;
    } cases[] = {
        {"--hidden", "17", "--hidden is 17, and was 16 in "},
        {"--vocab-size", "400", "--vocab-size is 400, and was 320 in "},
        {"--attention", "dot", "--attention is dot, and was additive in "},
        {"--decoder", "gru", "--decoder is gru, and was conditional-gru in "},
        {"--annotations", "states", "--annotations is states, and was states-embedding in "},
        {"--mix", "old.tsv", "--mix is \"old.tsv\"; write PAIRS:W, such as old.tsv:0.5"},
        {"--mix", "old.tsv:0", "with a number W from 0.001 to 1000"},
        {"--mix", ":1", "write PAIRS:W"},
    };
    set_up();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_expect_failure(TEACH(model, cases[i].flag, cases[i].value), 2, cases[i].message);
    }
    run_expect_failure(TEACH(model, "--separate-vocab"), 2,
                       "--separate-vocab is given, and was not given in ");
    run_expect_failure(RUN("", "train", "--init", old.model, "--train", corpus, "--mix",
                           "old.tsv:1", "--model", old.model, "--overwrite"),
                       2, "is both read and written; name another file");
    const char *checkpoint = trained_checkpoint(old.model);
    run_expect_failure(RUN("", "train", "--init", checkpoint, "--train", corpus, "--model", model),
                       1, "is a checkpoint, not a model");
    Run missing = TEACH(model, "--mix", "no-such-file:0.5");
    ck_assert_int_eq(missing.status, 1);
    ck_assert_int_ne(access(model, F_OK), 0);
}

TEST(quantised_model)
{
    set_up();
    const char *small = scratch_path("small");
    const char *from_small = scratch_path("from-small");
    run_expect_done(RUN("", "quantize", old.model, "-o", small, "--overwrite"));
    Run run = RUN("", "train", "--init", small, "--train", corpus, "--model", from_small,
                  "--max-epochs", "1");
    run_expect_said(run, 0, "small is quantised: training begins with its rounded weights");
    Run info = RUN("", "info", from_small);
    assert_contains(info.out.data, "weights in float32");
}

// Resumed at once or later, with the same pairs mixed in, and without the model it began with.
TEST(resumed_run_equals_uncut)
{
    set_up();
    const char *whole = scratch_path("whole"), *cut = scratch_path("cut");
    const char *mix = scratch_format("%s:0.3", old.corpus);
    const char *moved = scratch_format("%s.moved", old.model);
    Run uncut = TEACH(whole, "--mix", mix, "--max-epochs", "4", "--overwrite");
    run_expect_said(uncut, 0, "29 of 300 pairs are mixed into each epoch");
    run_expect_done(TEACH(cut, "--mix", mix, "--max-epochs", "2", "--overwrite"));
    run_expect_failure(RUN("", "train", "--model", cut, "--resume", "--mix", "x:0.4"), 2,
                       "--mix is x:0.4, and was ");
    ck_assert_int_eq(rename(old.model, moved), 0);
    Run rest = RUN("", "train", "--model", cut, "--resume", "--max-epochs", "4");
    ck_assert_int_eq(rename(moved, old.model), 0);
    run_expect_done(rest);
    ck_assert_ptr_null(strstr(rest.error.data, "validation at step 0"));
    trained_expect_equal(whole, cut);
}

// Runs that begin with different models are different runs, whatever else they have in common.
TEST(a_run_knows_its_beginning)
{
    set_up();
    const char *first = scratch_path("first"), *second = scratch_path("second");
    const char *small = scratch_path("small");
    run_expect_done(RUN("", "quantize", old.model, "-o", small, "--overwrite"));
    run_expect_done(TEACH(first, "--max-epochs", "1", "--learning-rate", "0.01", "--overwrite"));
    run_expect_done(RUN("", "train", "--init", small, "--train", corpus, "--model", second,
                        "--batch-tokens", "400", "--warmup", "20", "--threads", "2", "--max-epochs",
                        "1", "--learning-rate", "0.01", "--overwrite"));
    Bytes other = scratch_read(first), text = scratch_read(second);
    ck_assert(other.length != text.length || memcmp(other.data, text.data, text.length) != 0);
    scratch_write(first, text.data, text.length);
    run_expect_said(RUN("", "train", "--model", first, "--resume", "--max-epochs", "2"), 2,
                    "it was trained otherwise");
}
