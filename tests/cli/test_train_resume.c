// regard train --resume alone: the checkpoint knows the rest.

#include "support/suite.h"
#include "support/trained_model.h"

#include <stdio.h>
#include <string.h>

#define ALONE(...) RUN("", "train", "--model", model, "--resume", __VA_ARGS__)

static const char *corpus, *model, *whole;

static void set_up(void)
{
    corpus = scratch_path("corpus.csv");
    model = scratch_path("model");
    whole = scratch_path("whole");
}

// 100 pairs as a table with a column before them, as tabs and as links of their first words.
static void write_table(const char *path, const char *pairs, const char *links)
{
    Bytes table = {0}, guide = {0};
    trained_corpus_write(pairs, 100);
    Bytes text = scratch_read(pairs);
    assert_ok(bytes_append_string(&table, "id;en;fr\n", NULL));
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n")) {
        char *tab = strchr(line, '\t');
        *tab = ';';
        assert_ok(bytes_append_format(&table, NULL, "7;%s\n", line));
        assert_ok(bytes_append_string(&guide, "0-0\n", NULL));
    }
    scratch_write(path, table.data, table.length);
    scratch_write(links, guide.data, guide.length);
    bytes_free(&table);
    bytes_free(&guide);
}

// Files, how they are read, the guide, the limits and the log are all taken from the checkpoint.
TEST(all_is_kept, .seconds = 30)
{
    set_up();
    const char *pairs = scratch_path("pairs"), *links = scratch_path("links");
    const char *log = scratch_path("log");
    write_table(corpus, pairs, links);
#define ALL(path)                                                                                  \
    "train", "--train", corpus, "--guide", links, "--valid", corpus, "--columns", "en,fr",         \
        "--skip-bad", "--model", path, "--patience", "7", TRAINED_FLAGS
    run_expect_done(RUN("", ALL(whole), "--max-epochs", "4", "--log", log));
    run_expect_done(RUN("", ALL(model), "--max-epochs", "2", "--log", log, "--overwrite"));
    run_expect_said(ALONE("--max-epochs", "4", "--hidden", "16", "--columns", "en,fr"), 0,
                    "done: 4 epochs");
    trained_expect_equal(model, whole);
    Bytes rows = scratch_read(log);
    assert_contains(rows.data, "{\"epoch\":4,");
    run_expect_said(ALONE(NULL), 0, "done: 4 epochs"); // the last limit holds
}

static void begin(void)
{
    set_up();
    trained_corpus_write(corpus, 100);
    run_expect_done(RUN("", "train", "--train", corpus, "--columns", "1,2", "--model", model,
                        TRAINED_FLAGS, "--max-epochs", "1"));
}

// A preset's options stand where none is given, and the run goes on with them.
TEST(preset, .seconds = 30)
{
    const char *pairs = scratch_path("pairs"), *log = scratch_path("log");
    const char *uncut = scratch_path("uncut"), *resumed = scratch_path("resumed");
    trained_corpus_write(pairs, 60);
#define PUBLISHED(model)                                                                           \
    "train", "--train", pairs, "--model", model, "--preset", "bahdanau2014", "--embedding", "6",   \
        "--hidden", "8", "--vocab-size", "300", "--batch-tokens", "300", "--threads", "1"
    Run run = run_expect_done(RUN("", PUBLISHED(uncut), "--log", log, "--max-epochs", "3"));
    assert_contains(run.error.data, "--preset bahdanau2014: unlike the paper it has");
    ck_assert_ptr_null(strstr(run.error.data, "guided alignment"));
    Bytes rows = scratch_read(log);
    static const char *const options[] = {"\"decoder\":\"gru\"",
                                          "\"annotations\":\"states\"",
                                          "\"untied\":true",
                                          "\"separate_vocabulary\":true",
                                          "\"dropout\":0.0",
                                          "\"label_smoothing\":0.0",
                                          "\"optimiser\":\"adadelta\"",
                                          "\"hidden\":8",
                                          "\"learning_rate\":1.0,\"warmup\":0"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_contains(rows.data, options[i]);
    run_expect_done(RUN("", PUBLISHED(resumed), "--max-epochs", "1"));
    run_expect_done(RUN("", "train", "--model", resumed, "--resume", "--max-epochs", "3"));
    scratch_expect_equal(uncut, resumed);
    run_expect_done(RUN("", PUBLISHED(resumed), "--overwrite", "--max-epochs", "1", "--dropout=0.5",
                        "--guide-weight=0.1", "--log", log));
    Bytes guided = scratch_read(log);
    assert_contains(guided.data, "\"dropout\":0.5");
    assert_contains(guided.data, "\"guide_weight\":0.1");
}

// JSON cannot hold every name of a file.
TEST(name_that_is_not_utf_8, .seconds = 30)
{
    set_up();
    const char *odd = scratch_path("od\xff");
    trained_corpus_write(odd, 100);
    run_expect_done(RUN("", "train", "--train", odd, "--model", model, TRAINED_FLAGS,
                        "--max-epochs", "1", "--guide", "none"));
    run_expect_said(ALONE(NULL), 2, "does not say which files it was trained on; give --train,");
    run_expect_done(ALONE("--train", odd, "--max-epochs", "2"));
    run_expect_done(RUN("", "train", "--train", odd, "--model", model, TRAINED_FLAGS,
                        "--max-epochs", "1", "--guide", "auto", "--overwrite"));
    run_expect_said(ALONE("--train", odd), 2, "give --train, --guide and the other options");
    run_expect_done(ALONE("--train", odd, "--guide", "auto", "--max-epochs", "2"));
}

TESTS_EACH(begin, NULL)

TEST(refuses_other_values, .seconds = 30)
{
    static const struct {
        const char *flag, *value, *message;
    } cases[] = {
        {"--dropout", "0.25", "--dropout is 0.25, and was 0.1 when the run began; leave it out"},
        {"--attention", "dot", "--attention is dot, and was additive when"},
        {"--attention-size", "9", "--attention-size is 9, and was H when"},
        {"--precision", "bf16", "--precision is bf16, and was float32 when"},
        {"--columns", "2,1", "--columns is 2,1, and was 1,2 when"},
        {"--source-language", "en", "--source-language is en, and was the file's own when"},
        {"--valid", "x.tsv", "--valid is x.tsv, and was 2 % of the pairs"},
        {"--guide", "x.links", "--guide is x.links, and was auto when"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_expect_said(ALONE(cases[i].flag, cases[i].value), 2, cases[i].message);
    run_expect_said(ALONE("--untied-output"), 2,
                    "--untied-output is given, and was not given when the run began");
    run_expect_failure(ALONE("--check"), 2, "--check and --resume conflict");
    run_expect_failure(RUN("", "train", "--model", model), 2, "--train PAIRS is missing");
}

// The name may change, the pairs may not.
TEST(moved_corpus, .seconds = 30)
{
    const char *moved = scratch_path("moved.csv");
    ck_assert_int_eq(rename(corpus, moved), 0);
    run_expect_said(ALONE("--max-epochs", "2"), 1,
                    "corpus.csv: cannot be opened: No such file or directory; check the name and "
                    "permissions; if it has moved, give its new name by --train, ");
    run_expect_done(ALONE("--max-epochs", "2", "--train", moved));
    run_expect_said(ALONE("--max-epochs", "3"), 0, "(epoch 3.0, "); // under its new name
    Bytes text = scratch_read(moved);
    text.data[4] = 'X';
    scratch_write(moved, text.data, text.length);
    run_expect_said(ALONE("--max-epochs", "4"), 2, "moved.csv: is not what it was when ");
}

TEST(other_threads, .seconds = 30)
{
    run_expect_said(ALONE("--threads", "1", "--max-epochs", "2"), 0,
                    "warning: --threads was 2 and is now 1: the run goes on, but not bit for bit");
    Run run = ALONE("--max-epochs", "3");
    ck_assert_ptr_null(strstr(run.error.data, "warning: --threads"));
    run_expect_said(run, 0, "parameters; 1 thread;");
}

// A run that has ended says how to go on; one that stopped while it improved says so at once.
TEST(ended_run, .seconds = 30)
{
    run_expect_said(ALONE(NULL), 0,
                    "validation was still improving, and 6 updates are fewer than --warmup "
                    "40; to go on:  regard train --model ");
    run_expect_said(ALONE("--max-epochs", "3"), 0, "model --resume --max-epochs 6\n");
    run_expect_done(RUN("", "train", "--train", corpus, "--model", model, "--overwrite", "--hidden",
                        "8", "--vocab-size", "300", "--learning-rate", "1e-9", "--patience", "1",
                        "--warmup", "1"));
    run_expect_said(ALONE(NULL), 0, "nothing was left to do; to go on:  regard train --model ");
    run_expect_said(ALONE(NULL), 0, "--resume --patience 2\n");
}
