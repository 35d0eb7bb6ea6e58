// Every attention scorer through the program: trained, described, asked where it looked.

#define _GNU_SOURCE
#include "attention/attention.h"
#include "support/suite.h"
#include "support/trained_model.h"

#include <string.h>

#define TRAIN(scorer, model, ...)                                                                  \
    "train", "--train", corpus, "--model", model, "--max-epochs", "2", "--attention", scorer,      \
        TRAINED_FLAGS, __VA_ARGS__

static const char *corpus, *model;

static const char pair[] = "the red cat .\tle chat rouge .\n";

static void set_up(void)
{
    corpus = scratch_path("corpus.tsv");
    model = scratch_path("model.safetensors");
    trained_corpus_write(corpus, 60);
}

// What `regard` says on standard output must hold a part.
static void expect_said(Run run, const char *part)
{
    run_expect_done(run);
    ck_assert_msg(strstr(run.out.data ? run.out.data : "", part) != NULL, "\"%s\" lacks \"%s\"",
                  run.out.data, part);
}

TESTS_SHARE(set_up, .seconds = 120)

TEST(every_scorer)
{
    for (size_t i = 0; attention_scorer_names[i]; i++) {
        const char *name = attention_scorer_names[i];
        run_expect_done(RUN("", TRAIN(name, model, "--overwrite")));
        char attention[64] = "attention     ";
        strcat(attention, name);
        expect_said(RUN("", "info", model), attention);
        expect_said(RUN("the red cat .\n", "translate", "--model", model), "\n");
        expect_said(RUN(pair, "align", "--model", model, "--threshold=0.01", "-"), "-");
        expect_said(RUN(pair, "align", "--model", model, "--threshold=0.01", "--head=1", "-"), "-");
        expect_said(RUN(pair, "align", "--model", model, "--explain", "0", "-"),
                    attention_scorer_named(name)->context_formula);
    }
}

TEST(heads)
{
    run_expect_done(RUN("", TRAIN("multi-head", model, "--heads", "2", "--overwrite")));
    expect_said(RUN("", "info", model), "multi-head, 16 units in 2 heads");
    Run mean = RUN(pair, "align", "--model", model, "--format", "soft", "-");
    Run first = RUN(pair, "align", "--model", model, "--format", "soft", "--head", "1", "-");
    Run second = RUN(pair, "align", "--model", model, "--format", "soft", "--head", "2", "-");
    run_expect_done(mean);
    run_expect_done(first);
    run_expect_done(second);
    ck_assert_str_ne(first.out.data, second.out.data);
    ck_assert_str_ne(first.out.data, mean.out.data);
    run_expect_failure(RUN(pair, "align", "--model", model, "--head", "3", "-"), 1,
                       "there is no head 3: the model's attention, multi-head, has 2");
    run_expect_failure(RUN(pair, "align", "--model", model, "--head", "0", "-"), 2, "--head");
}

TEST(which_dot)
{
    Run run = run_expect_done(RUN("", TRAIN("dot", model, "--overwrite")));
    assert_contains(run.error.data, "16 units are projected to the annotations' 48 numbers");
    run = run_expect_done(RUN("", TRAIN("dot", model, "--overwrite", "--decoder-hidden", "48")));
    assert_contains(run.error.data, "48 units equal the annotations' 48");
    run = run_expect_done(RUN("", TRAIN("dot", model, "--overwrite", "--annotations", "states")));
    assert_contains(run.error.data, "16 units are projected to the annotations' 32 numbers");
}

TEST(refusals)
{
    run_expect_failure(RUN("", TRAIN("bilinear", model, "--seed", "1")), 2,
                       "additive, dot, general, scaled-dot, cosine, multi-head or none");
    Run run = RUN("", TRAIN("multi-head", model, "--heads", "3"));
    run_expect_said(run, 2, "3 heads cannot divide 16 attention units");
    run_expect_failure(RUN("", TRAIN("cosine", model, "--heads", "3")), 2,
                       "--heads has no effect with --attention cosine; leave it out");
    run_expect_failure(RUN("", TRAIN("dot", model, "--attention-size", "8")), 2,
                       "--attention-size has no effect with --attention dot; leave it");
    run_expect_done(RUN("", TRAIN("cosine", model, "--overwrite")));
    run_expect_failure(RUN("", TRAIN("dot", model, "--resume")), 2,
                       "--attention is dot, and was cosine when the run began");
}
