// regard train --report and regard report: pages of what was trained, and what is refused.
#include "cli/train_words.h"

#include <string.h>

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

#define WATCH "--watch", "the red cat sees the dog ."

// The page is drawn of the log, which is all that it takes to draw it again, also of a resumed run.
TEST(of_a_training, .seconds = 60)
{
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    const char *page = scratch_path("page.html"), *again = scratch_path("again.html");
    const char *log = scratch_path("page.html.jsonl");
    trained_corpus_write(corpus, 300);
    run_expect_done(RUN("", TRAIN(corpus, model), WATCH, "--report", page, "--max-epochs", "2"));
    Bytes drawn = scratch_read(page);
    ck_assert_uint_eq(count_of(drawn.data, "<figure>"), 2);
    ck_assert_uint_eq(count_of(drawn.data, "class=\"chart\""), 8);
    ck_assert_uint_ge(count_of(drawn.data, "<h3>"), 5);
    run_expect_done(RUN("", "report", log, "-o", again));
    scratch_expect_equal(page, again);
    run_expect_done(RUN("", "train", "--model", model, "--resume", "--max-epochs", "3"));
    Bytes longer = scratch_read(page);
    ck_assert_uint_eq(count_of(longer.data, "<figure>"), 3);
    run_expect_done(RUN("", "report", log, log, "-o", again, "--overwrite"));
    // without a picture of attention there are translations all the same
    const char *bare = scratch_path("bare.jsonl");
    run_expect_done(
        RUN("", TRAIN(corpus, scratch_path("bare")), "--log", bare, "--max-epochs", "1"));
    run_expect_done(RUN("", "report", bare, "-o", again, "--overwrite"));
    Bytes other = scratch_read(again);
    ck_assert_uint_eq(count_of(other.data, "<figure>"), 0);
    ck_assert_uint_ge(count_of(other.data, "<h3>"), 5);
}

TEST(refused_names)
{
    const char *corpus = scratch_path("corpus"), *model = scratch_path("model");
    const char *there = scratch_text("there", "x\n"), *page = scratch_path("page");
    trained_corpus_write(corpus, 30);
    run_expect_said(RUN("", TRAIN(corpus, model), "--report", page, "--log", "-"), 2,
                    "--report reads the log again");
    run_expect_said(RUN("", TRAIN(corpus, model), "--report", page, "--log", page), 2,
                    "name another file with --report");
    run_expect_said(RUN("", TRAIN(corpus, model), "--report", model), 2,
                    "name another file with --report");
    run_expect_said(RUN("", TRAIN(corpus, model), "--report", corpus), 2,
                    "is both read and written");
    run_expect_said(RUN("", TRAIN(corpus, model), "--report", there), 2,
                    "--report names another file");
    run_expect_said(RUN("", "report", there, "-o", there), 2, "there");
    run_expect_said(RUN("", "report", there, "-o", page), 1, "is not JSON");
    run_expect_said(RUN("", "report", page, "-o", scratch_path("other")), 1,
                    "page: cannot be opened");
    run_expect_said(RUN("", "report", "-o", page), 2, "LOG");
}
