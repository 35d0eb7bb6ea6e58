// regard translate: its forms, its flags, its streams, and always the same numbers.

#define _GNU_SOURCE
#include "cli/one_model.h"
#include "linalg/backend/backend.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// The first columns of the corpus.
static Bytes sources(void)
{
    Bytes corpus = scratch_read(trained.corpus), input = {0};
    for (const char *line = corpus.data; line < corpus.data + corpus.length;) {
        const char *end = memchr(line, '\n', corpus.length - (size_t)(line - corpus.data));
        const char *tab = memchr(line, '\t', (size_t)(end - line));
        assert_ok(bytes_append(&input, line, (size_t)(tab - line), NULL));
        assert_ok(bytes_append_string(&input, line[4] == 'r' ? " now\n" : "\n", NULL));
        line = end + 1;
    }
    return input;
}

TESTS_SHARE(train_once, .seconds = 120)

TEST(batches_and_threads)
{
    static const char *const batches[] = {"64", "1", "7", "64", "10000"};
    static const char *const threads[] = {"1", "1", "2", "2", "3"};
    Bytes input = sources(), first = {0};
    bool exact = run_promises_bits();
    for (size_t i = 0; i < 5; i++) {
        Run run = run_expect_done(RUN(input.data, "translate", "--model", trained.model, "--batch",
                                      batches[i], "--threads", threads[i], "--n-best", "3",
                                      "--alignment", "--json"));
        ck_assert_uint_eq(run_lines(&run.out), 300);
        if (i == 0)
            assert_ok(bytes_append_string(&first, run.out.data, NULL));
        else if (exact)
            ck_assert_msg(strcmp(run.out.data, first.data) == 0, "batch %s, %s threads differ",
                          batches[i], threads[i]);
    }
    bytes_free(&first);
    bytes_free(&input);
}

TEST(forms)
{
    const char *input = "the red cat sees the old dog .\n\n";
    int number, end = 0;
    double score;
    Run links = run_expect_done(RUN(input, "translate", "--model", trained.model, "--alignment"));
    assert_contains(links.out.data, " ||| ");
    ck_assert_str_eq(strstr(links.out.data, "\n"), "\n\n"); // the empty line is empty here too

    Run best = run_expect_done(RUN(input, "translate", "--model", trained.model, "--n-best", "2"));
    ck_assert_uint_ge(run_lines(&best.out), 2);
    ck_assert_int_eq(sscanf(best.out.data, "%d ||| %*[^|]||| %lf%n", &number, &score, &end), 2);
    ck_assert_int_eq(number, 0);
    ck_assert(score < 0 && best.out.data[end] == '\n');
    assert_contains(best.out.data, "\n1 |||  ||| 0");

    Run json = run_expect_done(RUN(input, "translate", "--model", trained.model, "--json",
                                   "--n-best", "2", "--alignment"));
    json_t *row = json_loads(json.out.data, JSON_DISABLE_EOF_CHECK, NULL);
    json_t *translations = json_object_get(row, "translations"),
           *first = json_array_get(translations, 0);
    ck_assert_int_eq(json_integer_value(json_object_get(row, "line")), 0);
    ck_assert_str_eq(json_string_value(json_object_get(row, "source")),
                     "the red cat sees the old dog .");
    ck_assert_uint_eq(json_array_size(translations), 2);
    ck_assert(json_is_string(json_object_get(first, "text")));
    ck_assert(json_real_value(json_object_get(first, "score")) >
              json_real_value(json_object_get(first, "log_probability")));
    ck_assert_ptr_nonnull(strchr(json_string_value(json_object_get(first, "alignment")), '-'));
    json_decref(row);
}

/* A model of 16 units gains nothing by packing: auto is float32. In int8 and, where there is any,
 * bf16 the promise is the same. */
TEST(precision)
{
    static const char *const precisions[] = {"float32", "auto", "int8", "int8", "bf16", "bf16"};
    static const char *const batches[] = {"64", "64", "64", "5", "64", "5"};
    Bytes input = sources();
    Run runs[6];
    size_t count = backend_of(COMPUTE_BF16, true) ? 6 : 4;
    for (size_t i = 0; i < count; i++) {
        runs[i] = RUN(input.data, "translate", "--model", trained.model, "--precision",
                      precisions[i], "--batch", batches[i], "--n-best", "2");
        run_expect_done(runs[i]);
        ck_assert_uint_eq(run_lines(&runs[i].out), 600);
        // of int8 it needs no processor
        if (i == 3 || (i % 2 && run_promises_bits()))
            ck_assert_str_eq(runs[i].out.data, runs[i - 1].out.data);
    }
    bytes_free(&input);
    if (count == 6) return;
    run_expect_failure(RUN("a\n", "translate", "--model", trained.model, "--precision", "bf16"), 2,
                       "precision bf16: needs a processor with AVX512-BF16");
}

// In int8 OpenBLAS is not even loaded.
TEST(loads_what_multiplies)
{
    setenv("LD_DEBUG", "files", 1); // says on standard error what is loaded
    Run runs[] = {RUN("a\n", "translate", "--model", trained.model, "--precision", "int8"),
                  RUN("a\n", "translate", "--model", trained.model, "--precision", "float32")};
    for (size_t i = 0; i < 2; i++) {
        run_expect_done(runs[i]);
        ck_assert_int_eq(strstr(runs[i].error.data, "libopenblas") != NULL, i == 1);
    }
}

TEST(flags)
{
    const char *model = trained.model;
    run_expect_failure(RUN("", "translate"), 2, "--model FILE is missing");
    run_expect_failure(RUN("a\n", "translate", "--model", model, "--beam", "2", "--n-best", "3"), 2,
                       "--n-best 3 is more than --beam 2");
    run_expect_failure(RUN("a\n", "translate", "--model", model, "--beam", "0"), 2,
                       "--beam is \"0\"; it must be a whole number from 1 to ");
    run_expect_failure(RUN("a\n", "translate", "--model", model, "--batch=-1"), 2,
                       "--batch is \"-1\"");
    run_expect_failure(RUN("a\n", "translate", "--model", model, "--threads", "1000000000"), 2,
                       "--threads is \"1000000000\"");
    Run none = RUN("a\n", "translate", "input.txt");
    run_expect_failure(
        none, 2,
        "--model FILE is missing, and no operand ends in .safetensors or names a model; see regard "
        "translate --help");
    run_expect_failure(RUN("a\n", "translate", model, "no-such-file.txt"), 1,
                       "no-such-file.txt: cannot be opened: No such file or directory");
    run_expect_failure(RUN("", "translate", model, "the cat ."), 2,
                       "the cat .: there is no such file; translate reads text from a file, or "
                       "from standard input: echo \"SENTENCE\" | regard translate");
    run_expect_failure(RUN("", "translate", "--model", model, "a.txt", "b.txt"), 2,
                       "unexpected \"b.txt\": FILE can be given only once");
    run_expect_failure(RUN("a\n", "translate", "--model", model, "--alignment", "heatmap"), 2,
                       "unexpected \"heatmap\"; write --alignment=heatmap");
}

// A file as an operand is what it is as standard input, and a model needs no --model.
TEST(operands)
{
    Bytes input = sources();
    const char *path = scratch_text("input.txt", input.data);
    Run piped = RUN(input.data, "translate", "--model", trained.model);
    Run named = RUN("", "translate", trained.model, path);
    Run dash = RUN(input.data, "translate", "-", trained.model);
    run_expect_done(named);
    ck_assert_str_eq(named.out.data, piped.out.data);
    ck_assert_str_eq(dash.out.data, piped.out.data);
    bytes_free(&input);
}

TEST(streams)
{
    Bytes input = sources();
    Run gone = run_expect_done(
        RUN_INTO(RUN_CLOSED_BY_READER, input.data, "translate", "--model", trained.model));
    ck_assert_str_eq(gone.error.data, "");
    run_expect_failure(RUN_INTO(RUN_FULL_DISK, input.data, "translate", "--model", trained.model),
                       1, "standard output: No space left on device; the results are");
    run_expect_failure(RUN_INTO(RUN_CLOSED, input.data, "translate", "--model", trained.model), 1,
                       "standard output: Bad file descriptor");
    bytes_free(&input);
}

static void expect_no_model(const char *path, const char *message)
{
    Run translate = RUN("a\n", "translate", "--model", path), info = RUN("", "info", path);
    run_expect_failure(translate, 1, message);
    run_expect_failure(info, 1, message);
}

TEST(bad_models)
{
    expect_no_model("/nonexistent",
                    "/nonexistent: cannot be opened: No such file or directory; check");
    expect_no_model(scratch_folder(), "is a directory; name a file in it");
    expect_no_model(trained.corpus, "is not a Regard model");
    expect_no_model(trained_checkpoint(trained.model),
                    "is a checkpoint, not a model; the model is the file of the same name");

    const char *path = scratch_path("model");
    Bytes whole = scratch_read(trained.model);
    const size_t cuts[] = {0, 1, 7, 8, 9, 64, 1000, whole.length / 2, whole.length - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        scratch_write(path, whole.data, cuts[i]);
        expect_no_model(path, "the file is damaged or not a safetensors file");
    }
    for (size_t at = 0; at < whole.length; at = at < 9 ? at + 1 : at * 3 / 2) {
        whole.data[at] ^= 0x11;
        scratch_write(path, whole.data, whole.length);
        expect_no_model(path, "model: ");
        whole.data[at] ^= 0x11;
    }
    memset(whole.data, 0xff, 7); // a header of 2^63 − 1 bytes
    whole.data[7] = 0x7f;
    scratch_write(path, whole.data, whole.length);
    expect_no_model(
        path, "is not a Regard model or aligner: it does not begin with the length of a header");
}
