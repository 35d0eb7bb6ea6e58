// regard quantize, and every verb that reads what it leaves.

#include "cli/one_model.h"

#include <stdio.h>
#include <string.h>

static void quantize(const char *path, const char *type, const char *model)
{
    Run run = run_expect_done(RUN("", "quantize", model, "-o", path, "--type", type));
    assert_contains(run.out.data, type);
    assert_contains(run.out.data, " bytes instead of ");
}

TESTS_SHARE(train_once, .seconds = 60)

TEST(every_verb_reads_it)
{
    static const char *const types[] = {"int8", "bf16"};
    static const char *const names[] = {"weights in int8, a scale for each row\n",
                                        "weights in bf16\n"};
    for (size_t i = 0; i < 2; i++) {
        const char *path = scratch_path(types[i]);
        quantize(path, types[i], trained.model);
        Run runs[] = {
            RUN("the red cat sees the old dog .\n", "translate", "--model", path),
            RUN("", "align", "--model", path, trained.corpus),
            RUN("", "score", "--model", path, trained.corpus),
            RUN("", "evaluate", "--model", path, trained.corpus),
            RUN("the red cat\n", "tokenize", "--model", path),
            RUN("", "info", "--tensors", path),
        };
        for (size_t j = 0; j < sizeof runs / sizeof *runs; j++) run_expect_done(runs[j]);
        assert_contains(runs[5].out.data, names[i]);
        run_expect_failure(RUN("", "align", "--model", path, "--reverse", path, trained.corpus), 1,
                           "translates in the same direction as"); // both were read, and used
    }
    Run info = RUN("", "info", trained.model);
    assert_contains(info.out.data, "weights in float32\n");
}

// The aligner of a guided model is kept, or no more of it than is wanted; links can be read from both.
TEST(aligner)
{
    const char *guided = scratch_path("guided"), *all = scratch_path("all"),
               *less = scratch_path("less"), *small = scratch_path("in four bits");
    run_expect_done(RUN("", "train", "--train", "data/en-fr/valid.tsv", "--model", guided,
                        TRAINED_FLAGS, "--max-epochs", "1", "--separate-vocab"));
    quantize(all, "int8", guided);
    run_expect_done(RUN("", "quantize", guided, "-o", less, "--aligner-kilobytes", "1"));
    quantize(small, "int4", guided);
    Bytes files[] = {scratch_read(all), scratch_read(less), scratch_read(small)};
    ck_assert_uint_lt(files[1].length, files[0].length);
    ck_assert_uint_lt(files[2].length, files[0].length);
    assert_contains(run_expect_done(RUN("", "info", small)).out.data,
                    "weights in int4 of source embeddings, int8 of others\n");
    const char *models[] = {all, less, small};
    for (size_t i = 0; i < 3; i++)
        run_expect_done(RUN("", "align", "--model", models[i], "--from", "table", trained.corpus));
}

// The figure behind "BLEU ".
static double bleu(const char *model)
{
    double figure = -1;
    Run run = run_expect_done(RUN("", "evaluate", "--model", model, trained.corpus));
    ck_assert_int_eq(sscanf(run.out.data, "BLEU %lf", &figure), 1);
    return figure;
}

TEST(translates_nearly_as_well)
{
    const char *path = scratch_path("small");
    // int8 is the default
    Run run = run_expect_done(RUN("", "quantize", "--output", path, trained.model));
    assert_contains(run.out.data, "small: int8, ");
    double before = bleu(trained.model);
    ck_assert_double_ge(before, 10);
    ck_assert_double_ge(bleu(path), before - 5); // a model of 16 units has little to spare
}

/* In int8 the model itself is rounded as its file would be: the same numbers come out, of search,
 * over all tokens or a shortlist, and of forced decoding. */
TEST(same_as_the_precision)
{
    const char *path = scratch_path("rounded"), *models[] = {trained.model, path};
    quantize(path, "int8", trained.model);
    Run runs[2][3];
    for (size_t i = 0; i < 2; i++) {
        const char *text = "the red cat sees the old dog .\nthe cat sleeps .\n";
        runs[i][0] = RUN(text, "translate", "--model", models[i], "--precision", "int8", "--json",
                         "--n-best", "3", "--alignment");
        runs[i][1] = RUN(text, "translate", "--model", models[i], "--precision", "int8", "--json",
                         "--n-best", "3", "--shortlist");
        runs[i][2] =
            RUN("", "score", "--model", models[i], "--precision", "int8", "--json", trained.corpus);
    }
    for (size_t j = 0; j < 3; j++) {
        run_expect_done(runs[0][j]);
        run_expect_done(runs[1][j]);
        ck_assert_str_eq(runs[0][j].out.data, runs[1][j].out.data);
    }
}

TEST(refuses)
{
    const char *path = scratch_path("again");
    quantize(path, "bf16", trained.model);
    run_expect_failure(RUN("", "quantize", path, "-o", scratch_path("twice")), 1,
                       "again: already quantised to bf16; quantise the original");
    run_expect_failure(RUN("", "quantize", trained.model, "-o", path), 2,
                       "again: exists; --overwrite replaces it, --output names another");
    run_expect_failure(RUN("", "quantize", trained.model, "-o", trained.model, "--overwrite"), 2,
                       "model.safetensors: is both read and written; name another file");
    path = scratch_path("new");
    run_expect_failure(RUN("", "quantize", trained_checkpoint(trained.model), "-o", path), 1,
                       "is a checkpoint, not a model");
    run_expect_failure(RUN("", "quantize", trained.corpus, "-o", path), 1, "corpus.tsv");
    run_expect_failure(RUN("", "quantize", trained.model, "-o", path, "--type", "int2"), 2,
                       "--type is \"int2\"; it must be bf16, int8 or int4");
    run_expect_failure(RUN("", "quantize", trained.model, "-o", path, "--type", "int4"), 1,
                       "has one vocabulary for both languages");
    run_expect_failure(RUN("", "quantize", trained.model), 2, "--output FILE is missing");
    run_expect_failure(RUN("", "quantize", "-o", path), 2, "MODEL is missing");
    run_expect_failure(RUN("", "quantize", trained.model, "-o", scratch_path("no/such/folder")), 1,
                       "no/such/folder");
}

// A quantised model in a checkpoint's place is not trained further.
TEST(training_does_not_go_on_from_it)
{
    quantize(scratch_path("q.safetensors.checkpoint"), "int8", trained.model);
    run_expect_failure(RUN("", "train", "--train", trained.corpus, "--model",
                           scratch_path("q.safetensors"), "--resume", TRAINED_FLAGS),
                       1, "is a model, not a checkpoint, and cannot be trained further");
}
