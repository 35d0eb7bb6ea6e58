// regard train --guide: what it does, says, and refuses.

#include "support/suite.h"
#include "support/trained_model.h"

#include <jansson.h>
#include <string.h>

enum { PAIRS = 100 };

typedef struct Files {
    const char *corpus, *guide, *model;
} Files;

/* "the red cat sees the old dog ." and "le chat rouge voit le chien vieille .", and the same links
 * for each; of the line number `odd`, counted from 1, others. */
static void write_guide(const char *path, size_t lines, size_t odd, const char *other)
{
    Bytes text = {0};
    for (size_t i = 1; i <= lines; i++)
        assert_ok(bytes_append_format(&text, NULL, "%s\n",
                                      i == odd ? other : "0?0 1-2 2-1 3-3 4?4 5-6 6-5 7-7"));
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
}

static void begin(Files *files)
{
    files->corpus = scratch_path("corpus.tsv");
    files->guide = scratch_path("corpus.align");
    files->model = scratch_path("model");
    trained_corpus_write(files->corpus, PAIRS);
    write_guide(files->guide, PAIRS, 0, NULL);
}

#define TRAIN(files) "train", "--train", (files).corpus, "--model", (files).model
#define GUIDED(files) TRAIN(files), "--guide", (files).guide

// The log's first and last "guide_loss"; every row behind the header must have one.
static void read_log(const char *path, double *first, double *last)
{
    Bytes text = scratch_read(path);
    *first = 0;
    json_t *header = json_loads(text.data, JSON_DISABLE_EOF_CHECK, NULL);
    ck_assert_int_gt(json_integer_value(json_object_get(header, "guided_pairs")), 0);
    ck_assert(json_is_array(json_object_get(header, "guide")));
    json_decref(header);
    for (const char *line = strchr(text.data, '\n') + 1; line < text.data + text.length;
         line = strchr(line, '\n') + 1) {
        json_t *row = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
        ck_assert(json_is_real(json_object_get(row, "guide_loss")));
        *last = json_real_value(json_object_get(row, "guide_loss"));
        if (*first == 0) *first = *last;
        json_decref(row);
    }
}

TEST(guides, .seconds = 60)
{
    Files files;
    begin(&files);
    double first, last;
    const char *log = scratch_path("log");
    Run run =
        run_expect_done(RUN("", GUIDED(files), TRAINED_FLAGS, "--max-epochs", "20", "--log", log));
    ck_assert_msg(strstr(run.error.data,
                         "guided alignment with the links of 98 training pairs, weight 0.5\n") &&
                      strstr(run.error.data, "  guide "),
                  "%s", run.error.data);
    read_log(log, &first, &last);
    ck_assert_msg(last < 0.85 * first, "guide_loss from %g to %g", first, last);

    Run info = run_expect_done(RUN("", "info", files.model));
    ck_assert_msg(strstr(info.out.data, "guide: [\"") && strstr(info.out.data, "corpus.align\"]") &&
                      strstr(info.out.data, "guided_pairs: 98\n") &&
                      strstr(info.out.data, "\"guide_weight\":0.5"),
                  "%s", info.out.data);
}

// The aligner makes the guide: the same links again when the run is resumed, which needs no
// --guide.
TEST(auto, .seconds = 60)
{
    Files files;
    begin(&files);
    const char *whole = scratch_path("whole");
    Run uncut =
        run_expect_done(RUN("", "train", "--train", files.corpus, "--guide", "auto", "--model",
                            whole, TRAINED_FLAGS, "--guide-weight", "0.4", "--max-epochs", "4"));
    assert_contains(uncut.error.data, "guided alignment with the aligner's links of 98 "
                                      "training pairs, weight 0.4\n");
    run_expect_done(RUN("", TRAIN(files), "--guide", "auto", TRAINED_FLAGS, "--guide-weight", "0.4",
                        "--max-epochs", "2"));
    run_expect_failure(RUN("", GUIDED(files), "--resume"), 2,
                       ", and was auto when the run began; leave it out");
    run_expect_failure(RUN("", TRAIN(files), "--guide", "none", "--resume"), 2,
                       "--guide is none, and was auto when the run began; leave it");
    run_expect_done(RUN("", TRAIN(files), "--max-epochs", "4", "--resume"));
    trained_expect_equal(whole, files.model);
    Run info = RUN("", "info", files.model);
    ck_assert_msg(strstr(info.out.data, "guide: \"auto\"\n") &&
                      strstr(info.out.data, "guided_pairs: 98\n"),
                  "%s", info.out.data);
}

// A file of that name is a file, if it has a folder.
TEST(kinds)
{
    run_expect_failure(
        RUN("", "train", "--train", "x", "--guide", "none", "--guide-end-weight", "1"), 2,
        "--guide-end-weight has no effect without --guide");
    run_expect_failure(RUN("", "train", "--train", "x", "--guide", "auto", "--guide", "y"), 2,
                       "--guide is given for 2 of 1 corpora");
    run_expect_failure(RUN("", "train", "--train", "x", "--guide", "auto", "--attention", "none"),
                       2, "--attention none has no weights");
    Files files;
    begin(&files);
    run_expect_failure(RUN("", TRAIN(files), "--guide", "./auto"), 1, "./auto: cannot be opened");
}

// Unless there is no attention or the corpus is kept in files, the guide is auto.
TEST(default)
{
    Files files;
    begin(&files);
    const char *log = scratch_path("log");
    run_expect_done(RUN("", TRAIN(files), TRAINED_FLAGS, "--max-epochs", "1", "--log", log));
    Bytes text = scratch_read(log);
    assert_contains(text.data, "\"guide\":\"auto\"");
    assert_contains(text.data, "\"guide_weight\":0.03,");
    Run resumed =
        run_expect_done(RUN("", "train", "--model", files.model, "--resume", "--max-epochs", "2"));
    assert_contains(resumed.error.data, "guided alignment with the aligner's links");
    static const char *const without[][2] = {{"--attention", "none"}, {"--cache", "."}};
    for (size_t i = 0; i < 2; i++) {
        Run run = run_expect_done(RUN("", TRAIN(files), TRAINED_FLAGS, "--max-epochs", "1",
                                      "--overwrite", without[i][0], without[i][1]));
        ck_assert_ptr_null(strstr(run.error.data, "guide"));
    }
}

// Without a guide nothing speaks of one.
TEST(without)
{
    Files files;
    begin(&files);
    const char *log = scratch_path("log");
    Run run = run_expect_done(
        RUN("", TRAIN(files), TRAINED_FLAGS, "--max-epochs", "1", "--log", log, "--guide", "none"));
    ck_assert_ptr_null(strstr(run.error.data, "guide"));
    Bytes text = scratch_read(log);
    assert_contains(text.data, "\"guide_weight\":0.0,");
    ck_assert_ptr_null(strstr(text.data, "\"guided_pairs\""));
    ck_assert_ptr_null(strstr(text.data, "\"guide_loss\""));
    Run info = RUN("", "info", files.model);
    ck_assert_ptr_null(strstr(info.out.data, "guide"));
}

TEST(from_standard_input)
{
    Files files;
    begin(&files);
    Bytes links = scratch_read(files.guide);
    Run run = run_expect_done(
        RUN(links.data, TRAIN(files), "--guide", "-", TRAINED_FLAGS, "--max-epochs", "1"));
    assert_contains(run.error.data, "links of 98 training pairs");
    run_expect_failure(
        RUN("0-0\n0-x\n", TRAIN(files), "--guide", "-", TRAINED_FLAGS, "--overwrite"), 1,
        "standard input:2:1: '0-x' is not a link");
}

TEST(resumes_bit_for_bit, .seconds = 60)
{
    Files files;
    begin(&files);
    const char *whole = scratch_path("whole");
    run_expect_done(RUN("", "train", "--train", files.corpus, "--guide", files.guide, "--model",
                        whole, TRAINED_FLAGS, "--guide-weight", "0.5", "--max-epochs", "4"));
    run_expect_done(
        RUN("", GUIDED(files), TRAINED_FLAGS, "--guide-weight", "0.5", "--max-epochs", "2"));
    Run rest = run_expect_done(RUN("", GUIDED(files), "--max-epochs", "4", "--resume"));
    assert_contains(rest.error.data, "weight 0.5\n");
    trained_expect_equal(whole, files.model);
}

TEST(resume_refuses)
{
    Files files;
    begin(&files);
    const char *other = scratch_path("other.align");
    write_guide(other, PAIRS, 50, "0-0");
    run_expect_done(RUN("", GUIDED(files), TRAINED_FLAGS, "--max-epochs", "1"));
    run_expect_failure(RUN("", GUIDED(files), "--guide-weight", "2", "--resume"), 2,
                       "--guide-weight is 2, and was 0.5 when the run began");
    run_expect_said(RUN("", TRAIN(files), "--guide", other, "--resume"), 2,
                    "other.align: is not what it was when ");

    run_expect_done(RUN("", TRAIN(files), TRAINED_FLAGS, "--max-epochs", "1", "--overwrite",
                        "--guide", "none"));
    run_expect_failure(RUN("", GUIDED(files), "--resume"), 2,
                       "and was none when the run began; leave it out");
}

TEST(files)
{
    static const struct {
        size_t lines, odd;
        const char *other, *message;
    } cases[] = {
        {PAIRS - 1, 0, NULL, "corpus.align:100: the guide has 99 lines but "},
        {PAIRS + 2, 0, NULL, "corpus.align:101: the guide has 102 lines but "},
        {PAIRS, 17, "0-0 1=1", "corpus.align:17:5: '1=1' is not a link"},
        {PAIRS, 17, "0-0 8-1", "corpus.align:17: link 8-1 is outside the pair of 8 source and 8"},
        {PAIRS, 100, "7-8", "corpus.align:100: link 7-8 is outside"},
        {PAIRS, 1, "0-99999999999999999999", "corpus.align:1:1: '0-99999999999999999999' is not"},
    };
    Files files;
    begin(&files);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_guide(files.guide, cases[i].lines, cases[i].odd, cases[i].other);
        run_expect_failure(RUN("", GUIDED(files), TRAINED_FLAGS), 1, cases[i].message);
    }
    run_expect_failure(RUN("", TRAIN(files), "--guide", "/nonexistent.align"), 1,
                       "/nonexistent.align: cannot be opened: No such file");
    run_expect_failure(RUN("", TRAIN(files), "--guide", scratch_folder()), 1, "is a directory");
    ck_assert_uint_eq(scratch_count(), 2);
    scratch_write(files.guide, "", 0);
    run_expect_failure(RUN("", GUIDED(files)), 1, "corpus.align:1: the guide has 0 lines but ");
}

TEST(flags)
{
    run_expect_failure(RUN("", "train", "--train", "x", "--train", "y", "--guide", "z"), 2,
                       "--guide is given for 1 of 2 corpora; give one for each --train");
    run_expect_failure(RUN("", "train", "--train", "x", "--guide", "y", "--guide", "z"), 2,
                       "--guide is given for 2 of 1 corpora");
    run_expect_failure(
        RUN("", "train", "--train", "x", "--guide-weight", "1", "--attention", "none"), 2,
        "--guide-weight has no effect without --guide");
    run_expect_failure(RUN("", "train", "--train", "x", "--guide", "y", "--guide-weight", "0"), 2,
                       "--guide-weight is \"0\"");
    run_expect_failure(RUN("", "train", "--train", "-", "--guide", "-"), 2,
                       "standard input (-) is given twice");
    run_expect_failure(RUN("", "train", "--train", "x", "--guide", "y", "--attention", "none"), 2,
                       "--attention none has no weights");
}
