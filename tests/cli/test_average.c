// regard average: the mean of models, what it says of itself, and what it refuses.
#define _POSIX_C_SOURCE 200809L // access
#include "model/model_file.h"
#include "support/suite.h"
#include "support/trained_model.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static TrainedModel trained;
static const char *others[2]; // of the same corpus, by other seeds

static void open(Model *model, const char *path)
{
    Error error = {0};
    Status status = model_open(model, path, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
}

static void train_all(void)
{
    trained = trained_model_make();
    for (size_t i = 0; i < 2; i++) {
        const char *seed = scratch_format("%zu", i + 5);
        others[i] = scratch_path(i ? "other-2" : "other-1");
        run_expect_done(RUN("", "train", "--train", trained.corpus, "--model", others[i],
                            TRAINED_FLAGS, "--seed", seed, "--max-epochs", "2"));
    }
}

TESTS_SHARE(train_all, .seconds = 60)

// The last models of a run are kept in turn, also of one that was resumed, for a mean that needs no --force.
TEST(kept_models)
{
    const char *uncut = scratch_path("uncut"), *cut = scratch_path("cut");
    const char *kept[] = {scratch_path("uncut.kept-1"), scratch_path("uncut.kept-2")};
    const char *of_cut[] = {scratch_path("cut.kept-1"), scratch_path("cut.kept-2")};
    const char *mean = scratch_path("mean-of-kept");
#define KEEP(model, epochs)                                                                        \
    "train", "--train", trained.corpus, "--model", model, TRAINED_FLAGS, "--keep", "2",            \
        "--max-epochs", epochs
    run_expect_done(RUN("", KEEP(uncut, "3")));
    Bytes models[] = {scratch_read(kept[0]), scratch_read(kept[1])};
    assert_contains(models[0].data + 8, "\\\"epoch\\\":3"); // after the first
    assert_contains(models[1].data + 8, "\\\"epoch\\\":2");
    Run run = run_expect_done(RUN("", "average", kept[0], kept[1], "-o", mean));
    ck_assert_str_eq(run.error.data, "");
    run_expect_done(RUN("", KEEP(cut, "1")));
    run_expect_done(RUN("", "train", "--model", cut, "--resume", "--max-epochs", "3"));
    for (size_t i = 0; i < 2; i++) scratch_expect_equal(kept[i], of_cut[i]);
    ck_assert(access(scratch_path("cut.kept-3"), F_OK) != 0);
    ck_assert(remove(cut) == 0 && remove(scratch_path("cut.checkpoint")) == 0);
    run_expect_failure(RUN("", KEEP(cut, "1")), 2, "cut.kept-1");
    run_expect_failure(RUN("", KEEP(cut, "1"), "--overwrite", "--init", of_cut[1]), 2,
                       "is both read and written");
}

// Every weight is the mean of its parts, whatever their order.
TEST(mean)
{
    const char *mean = scratch_path("mean"), *turned = scratch_path("turned");
    Run run = run_expect_done(
        RUN("", "average", others[0], trained.model, others[1], "-o", mean, "--force"));
    assert_contains(run.out.data, "mean: the mean of 3 models\n");
    run_expect_done(
        RUN("", "average", others[1], others[0], trained.model, "--output", turned, "--force"));
    Model parts[3], means[2];
    open(&parts[0], trained.model);
    open(&parts[1], others[0]);
    open(&parts[2], others[1]);
    open(&means[0], mean);
    open(&means[1], turned);
    const ParamList *list = &means[0].params.list;
    size_t different = 0;
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < list->tensors[i].count; j++) {
            double sum = 0;
            for (size_t part = 0; part < 3; part++) sum += parts[part].params.places[i][j];
            ck_assert_double_eq_tol(means[0].params.places[i][j], sum / 3, 1e-6);
            ck_assert_double_eq_tol(means[1].params.places[i][j], sum / 3, 1e-6);
            different += parts[0].params.places[i][j] != parts[1].params.places[i][j];
        }
    ck_assert_uint_gt(different, 1000); // or it was the mean of equal models
    for (size_t i = 0; i < 3; i++) model_close(&parts[i]);
    for (size_t i = 0; i < 2; i++) model_close(&means[i]);
}

// It names its parts without folders, and keeps what all have in common, but no score.
TEST(description)
{
    const char *mean = scratch_path("described");
    run_expect_done(RUN("", "average", others[0], others[1], "-o", mean, "--force"));
    Run info = run_expect_done(RUN("", "info", mean));
    ck_assert_msg(strstr(info.out.data, "average_of: [\"other-1\",\"other-2\"]\n") &&
                      strstr(info.out.data, "corpus: [\"corpus.tsv\"]\n") &&
                      strstr(info.out.data, "source_units: \"words\"\n") &&
                      strstr(info.out.data, "\"hidden\":16,"),
                  "%s", info.out.data);
    static const char *const absent[] = {
        "validation_", "steps:", "epoch:", "run:", "\"seed\"", "shortlist "};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        ck_assert_msg(!strstr(info.out.data, absent[i]), "has %s: %s", absent[i], info.out.data);
    run_expect_done(RUN("", "evaluate", "--model", mean, trained.corpus));
}

TEST(quantised_parts)
{
    const char *small = scratch_path("small"), *mean = scratch_path("of-small");
    run_expect_done(RUN("", "quantize", trained.model, "-o", small));
    Run run = run_expect_done(RUN("", "average", others[0], small, "-o", mean, "--force"));
    assert_contains(run.error.data, "small is quantised: the mean is of its rounded");
    Run info = RUN("", "info", mean);
    assert_contains(info.out.data, "weights in float32");
}

// Trains for a moment with one more option.
static const char *train(const char *name, const char *corpus, const char *flag, const char *value)
{
    const char *path = scratch_path(name);
    run_expect_done(RUN("", "train", "--train", corpus, "--model", path, "--vocab-size", "320",
                        "--embedding", "16", "--hidden", "16", "--max-epochs", "1", flag, value));
    return path;
}

// The mean has the aligner of the first model, and none if that has none.
TEST(keeps_the_aligner)
{
    const char *guided = train("guided", trained.corpus, "--guide", "auto");
    const char *first = scratch_path("guided-first"), *last = scratch_path("guided-last");
    const char *plain = train("plain", trained.corpus, "--guide", "none");
    run_expect_done(RUN("", "average", guided, plain, "-o", first, "--force"));
    run_expect_done(RUN("", "average", plain, guided, "-o", last, "--force"));
    Run alone = RUN("", "align", "--model", guided, "--from", "table", trained.corpus);
    Run kept = RUN("", "align", "--model", first, "--from", "table", trained.corpus);
    run_expect_done(alone);
    run_expect_done(kept);
    ck_assert_str_eq(kept.out.data, alone.out.data);
    run_expect_failure(RUN("", "align", "--model", last, "--from", "table", trained.corpus), 1,
                       "guided-last: carries no aligner");
}

// What has one origin, however many trainings ago, and nothing else, unless it is forced.
TEST(origin)
{
    const char *later = scratch_path("later"), *last = scratch_path("last");
    const char *mean = scratch_path("of-origin"), *again = scratch_path("mean-of-later");
    run_expect_done(RUN("", "train", "--init", trained.model, "--train", trained.corpus, "--model",
                        later, "--guide", "none", "--max-epochs", "1"));
    run_expect_done(RUN("", "train", "--init", later, "--train", trained.corpus, "--model", last,
                        "--guide", "none", "--max-epochs", "1", "--seed", "2"));
    Run run = run_expect_done(RUN("", "average", later, last, "-o", again));
    ck_assert_uint_eq(run.error.length, 0);
    run = run_expect_done(RUN("", "average", again, trained.model, "-o", mean));
    ck_assert_uint_eq(run.error.length, 0);
    const char *strange = train("strange", trained.corpus, "--seed", "3");
    run_expect_failure(RUN("", "average", trained.model, strange, "-o", mean, "--overwrite"), 2,
                       "strange: is of another run than ");
    run = run_expect_done(
        RUN("", "average", trained.model, strange, "-o", mean, "--overwrite", "--force"));
    ck_assert_uint_eq(run.error.length, 0);
    run = run_expect_done(RUN("", "average", mean, trained.model, "-o", again, "--overwrite"));
    assert_contains(run.error.data, "is of the run of ");
}

TEST(refuses)
{
    const char *out = scratch_path("out"), *part = trained.model;
    run_expect_failure(RUN("", "average", part, others[0], "-o", others[0], "--overwrite"), 2,
                       "other-1: is both read and written; name another file with --output");
    run_expect_failure(RUN("", "average", part, others[0], "-o", trained.corpus), 2,
                       "exists; --overwrite replaces it, --output names another file");
    run_expect_failure(RUN("", "average", part, "-o", out), 2, "MODEL is missing");
    run_expect_failure(RUN("", "average", part, others[0]), 2, "--output FILE is missing");
    run_expect_failure(RUN("", "average", part, scratch_path("none"), "-o", out), 1,
                       "none: cannot be opened");
    run_expect_failure(RUN("", "average", part, part,
                           train("wide", trained.corpus, "--decoder-hidden", "17"), "-o", out),
                       2, "wide: its decoder_hidden is not that of ");
    Run run = run_expect_done(RUN(
        "", "average", part, train("untied", trained.corpus, "--seed", "1"), "-o", out, "--force"));
    run = RUN("", "average", train("dot", trained.corpus, "--attention", "general"),
              train("scaled", trained.corpus, "--attention", "cosine"), "-o", out, "--overwrite",
              "--force");
    ck_assert_int_eq(run.status, 2);
    const char *corpus = scratch_text(
        "corpus-2.tsv", "one two\tun deux\nthree four\ttrois quatre\nfive six\tcinq six\n");
    run_expect_failure(
        RUN("", "average", part, train("foreign", corpus, "--seed", "2"), "-o", out, "--overwrite"),
        2, "foreign: its source vocabulary is not that of ");
}
