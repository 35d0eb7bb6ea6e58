// bottleneck join and bottleneck draw as tools/bottleneck calls them, and wrong usage.

#include "bench/bottleneck/commands.h"

#include "support/scratch.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Runs a command whose results nobody sees.
static Status run(Error *error, const char *const *words)
{
    Output output = {.descriptor = dup(STDERR_FILENO)};
    size_t count = 0;
    while (words[count]) count++;
    Status status = commands_run(count, words, &output, error);
    ck_assert_int_eq(output_close(&output, NULL), STATUS_OK);
    return status;
}

#define RUN_COMMAND(error, ...) run(error, (const char *const[]){__VA_ARGS__, NULL})

static void expect_failure(Status expected, const char *message, const char *const *words)
{
    Error error;
    ck_assert_int_eq(run(&error, words), expected);
    ck_assert_msg(strstr(error.text, message), "should have \"%s\": %s", message, error.text);
}

#define FAILS(status, message, ...)                                                                \
    expect_failure(status, message, (const char *const[]){__VA_ARGS__, NULL})

// `count` pairs "a7 b" – "A7 b", numbered from `first`.
static const char *write_pairs(Scratch *scratch, const char *name, int first, int count)
{
    Bytes text = {0};
    const char *path = scratch_path(scratch, name);
    for (int i = first; i < first + count; i++)
        ck_assert_int_eq(bytes_append_format(&text, NULL, "a%d b\tA%d b\n", i, i), STATUS_OK);
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
    return path;
}

static void expect_words(const Bytes *text, char letter, int first, int last, bool there)
{
    char word[32];
    for (int i = first; i < last; i++) {
        snprintf(word, sizeof word, "%c%d b", letter, i);
        ck_assert_msg((strstr(text->data, word) != NULL) == there, "%s in %s", word, text->data);
    }
}

// What is held out is in no training input, also where it stood in the training file.
START_TEST(test_join)
{
    Scratch scratch = scratch_make();
    const char *train = write_pairs(&scratch, "all.tsv", 100, 100);
    const char *test = write_pairs(&scratch, "test-pairs.tsv", 190, 30);
    const char *valid = write_pairs(&scratch, "valid-pairs.tsv", 180, 10);
    ck_assert_int_eq(RUN_COMMAND(NULL, "join", "--train", train, "--valid", valid, "--test", test,
                                 "--into", scratch.folder, "--passes", "2", "--each", "3"),
                     STATUS_OK);
    Bytes learned = scratch_read(scratch_path(&scratch, "train.tsv"));
    Bytes validated = scratch_read(scratch_path(&scratch, "valid.tsv"));
    Bytes translated = scratch_read(scratch_path(&scratch, "test.tsv"));
    expect_words(&learned, 'a', 100, 180, true);
    expect_words(&learned, 'A', 100, 180, true);
    expect_words(&learned, 'a', 180, 220, false);
    expect_words(&learned, 'A', 180, 220, false);
    expect_words(&validated, 'a', 180, 190, true);
    expect_words(&validated, 'a', 190, 220, false);
    expect_words(&translated, 'a', 100, 190, false);
    bytes_free(&learned);
    bytes_free(&validated);
    bytes_free(&translated);
    scratch_remove(&scratch);
}
END_TEST

// Without parts of their own, validation and test are taken from the corpus.
START_TEST(test_join_sets_aside)
{
    Scratch scratch = scratch_make();
    const char *train = write_pairs(&scratch, "all.tsv", 100, 200);
    ck_assert_int_eq(
        RUN_COMMAND(NULL, "join", "--train", train, "--into", scratch.folder, "--passes", "1"),
        STATUS_OK);
    Bytes learned = scratch_read(scratch_path(&scratch, "train.tsv"));
    Bytes validated = scratch_read(scratch_path(&scratch, "valid.tsv"));
    Bytes translated = scratch_read(scratch_path(&scratch, "test.tsv"));
    for (int i = 100; i < 300; i++) {
        char word[32];
        snprintf(word, sizeof word, "a%d b", i);
        int places = (strstr(learned.data, word) != NULL) + (strstr(validated.data, word) != NULL) +
                     (strstr(translated.data, word) != NULL);
        ck_assert_msg(places == 1, "%s is in %d parts", word, places);
    }
    bytes_free(&learned);
    bytes_free(&validated);
    bytes_free(&translated);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_draw)
{
    Scratch scratch = scratch_make();
    const char *test = write_pairs(&scratch, "test.tsv", 1, 2);
    const char *lines = scratch_path(&scratch, "lines");
    const char *notes = scratch_path(&scratch, "notes");
    char series[256];
    snprintf(series, sizeof series, "none=%s", lines);
    scratch_write(lines, "A1 b\nA2 b\n", 10);
    scratch_write(notes, "Corpus\ttiny\n", 12);
    ck_assert_int_eq(RUN_COMMAND(NULL, "draw", "--test", test, "--into", scratch.folder, "--notes",
                                 notes, "--caption", "C", series),
                     STATUS_OK);
    Bytes svg = scratch_read(scratch_path(&scratch, "bottleneck.svg"));
    Bytes page = scratch_read(scratch_path(&scratch, "bottleneck.html"));
    ck_assert_ptr_nonnull(strstr(svg.data, "none, 1–10 words"));
    ck_assert_ptr_nonnull(strstr(page.data, "<dt>Corpus</dt><dd>tiny</dd>"));
    bytes_free(&svg);
    bytes_free(&page);
    FAILS(STATUS_ARGUMENT, "\"none\" is not NAME=FILE", "draw", "--test", test, "--into",
          scratch.folder, "none");
    FAILS(STATUS_ARGUMENT, "is not NAME=FILE", "draw", "--test", test, "--into", scratch.folder,
          "=x");
    FAILS(STATUS_IO, "/nowhere", "draw", "--test", test, "--into", scratch.folder, "a=/nowhere");
    FAILS(STATUS_IO, "/nowhere", "draw", "--test", test, "--into", "/nowhere", series);
    FAILS(STATUS_IO, "/nowhere", "draw", "--test", test, "--into", scratch.folder, "--notes",
          "/nowhere", series);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_wrong_usage)
{
    Scratch scratch = scratch_make();
    const char *train = write_pairs(&scratch, "all.tsv", 1, 9);
    FAILS(STATUS_ARGUMENT, "give join or draw", NULL);
    FAILS(STATUS_ARGUMENT, "give join or draw", "mend");
    FAILS(STATUS_ARGUMENT, "--into", "join", "--train", train);
    FAILS(STATUS_ARGUMENT, "--train", "join", "--into", scratch.folder);
    FAILS(STATUS_ARGUMENT, "--each", "join", "--train", train, "--into", scratch.folder, "--each",
          "0");
    FAILS(STATUS_ARGUMENT, "nothing is left", "join", "--train", train, "--valid", train, "--test",
          train, "--into", scratch.folder);
    FAILS(STATUS_IO, "/nowhere", "join", "--train", "/nowhere", "--into", scratch.folder);
    FAILS(STATUS_IO, "/nowhere", "join", "--train", train, "--into", "/nowhere");
    FAILS(STATUS_ARGUMENT, "--test", "draw", "--into", scratch.folder, "a=b");
    scratch_remove(&scratch);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("commands");
    suite_add(suite, "join", test_join);
    suite_add(suite, "join sets aside", test_join_sets_aside);
    suite_add(suite, "draw", test_draw);
    suite_add(suite, "wrong usage", test_wrong_usage);
    return suite_run(suite);
}
