// regard translate --sample.

#define _GNU_SOURCE
#include "cli/one_model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char input[] =
    "the red cat sees the old dog .\n\nthe small dog sees the big house .\nthe dog .\n";

// Behind the last " ||| " of a line; in its text there may be any byte but a line feed.
static const char *line_score(const char *line)
{
    const char *end = rawmemchr(line, '\n');
    return (const char *)memrchr(line, '|', (size_t)(end - line)) + 1;
}

static Run sample(const char *seed, const char *batch, const char *threads)
{
    Run run = run_expect_done(RUN(input, "translate", "--model", trained.model, "--sample", "20",
                                  "--seed", seed, "--batch", batch, "--threads", threads));
    return run;
}

/* In every bit where that is promised. Elsewhere scores are within 1e-4, so that hardly ever another
 * subword is drawn. */
static void expect_same(Run a, Run b)
{
    const char *x = a.out.data, *y = b.out.data, *end = x + a.out.length;
    size_t lines = run_lines(&a.out), different = 0;
    bool exact = run_promises_bits();
    ck_assert_uint_eq(run_lines(&b.out), lines);
    while (x < end) {
        size_t x_text = (size_t)(line_score(x) - x), y_text = (size_t)(line_score(y) - y);
        char *x_end, *y_end;
        double difference = fabs(strtod(x + x_text, &x_end) - strtod(y + y_text, &y_end));
        bool same = x_text == y_text && memcmp(x, y, x_text) == 0;
        different += !same || !(difference <= (exact ? 0 : 1e-4));
        x = x_end + 1;
        y = y_end + 1;
    }
    ck_assert_uint_le(different, exact ? 0 : lines / 20);
}

TESTS_SHARE(train_once, .seconds = 60)

TEST(same_samples_however_they_are_computed)
{
    Run first = sample("1", "64", "1");
    Run runs[] = {sample("1", "1", "1"), sample("1", "2", "3")};
    for (size_t i = 0; i < 2; i++) expect_same(first, runs[i]);
    Run other = sample("2", "64", "1");
    ck_assert(first.out.length != other.out.length ||
              memcmp(first.out.data, other.out.data, first.out.length));
}

// Printed like n-best lists, 20 for each line that is not empty.
TEST(lists)
{
    Run run = sample("1", "64", "1");
    size_t counts[4] = {0};
    for (const char *line = run.out.data; *line; line = strchr(line, '\n') + 1) {
        char *end;
        unsigned long number = strtoul(line, &end, 10);
        ck_assert_uint_lt(number, 4);
        ck_assert(!strncmp(end, " ||| ", 5));
        const char *score = strstr(end + 5, " ||| ");
        ck_assert_ptr_nonnull(score);
        ck_assert_double_le(strtod(score + 5, NULL), 0);
        counts[number]++;
    }
    ck_assert(counts[0] == 20 && counts[1] == 1 && counts[2] == 20 && counts[3] == 20);
}

// Without temperature samples would be what greedy search finds.
TEST(a_low_temperature_is_greedy)
{
    Run greedy = run_expect_done(
        RUN(input, "translate", "--model", trained.model, "--beam", "1", "--n-best", "1"));
    Run cold = run_expect_done(RUN(input, "translate", "--model", trained.model, "--sample", "1",
                                   "--temperature", "0.01"));
    ck_assert_str_eq(greedy.out.data, cold.out.data);
}

TEST(usage)
{
    static const struct {
        const char *words[6];
        const char *message;
    } wrong[] = {
        {{"--sample", "2", "--beam", "3"}, "--beam and --sample conflict"},
        {{"--sample", "2", "--n-best", "2"}, "--n-best and --sample conflict"},
        {{"--temperature", "2"}, "--temperature is for --sample N"},
        {{"--seed", "2"}, "--seed is for --sample N"},
        {{"--sample", "0"}, "--sample"},
        {{"--sample", "2", "--temperature", "0"}, "--temperature"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *const *w = wrong[i].words;
        run_expect_failure(
            RUN("a\n", "translate", "--model", trained.model, w[0], w[1], w[2], w[3]), 2,
            wrong[i].message);
    }
}

TEST(with_everything_else)
{
    Run json = run_expect_done(RUN(input, "translate", "--model", trained.model, "--sample", "3",
                                   "--json", "--alignment", "--shortlist", "--temperature", "2"));
    assert_contains(json.out.data, "\"log_probability\"");
    run_expect_done(
        RUN(input, "translate", "--model", trained.model, "--sample", "2", "--alignment=html"));
}
