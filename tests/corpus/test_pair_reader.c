#define _GNU_SOURCE
#include "corpus/pair_reader.h"
#include "io/line_reader.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

static PairReader *open_pairs(const char *spec)
{
    PairReader *reader;
    Error error = {0};
    ck_assert_msg(pair_reader_open(&reader, spec, NULL, &error) == STATUS_OK, "%s", error.text);
    return reader;
}

static void expect_pair(PairReader *reader, const char *source, const char *target, size_t line)
{
    Pair pair = {0};
    bool more;
    Error error = {0};
    ck_assert_msg(pair_reader_next(reader, &pair, &more, &error) == STATUS_OK, "%s", error.text);
    ck_assert(more);
    ck_assert_str_eq(pair.source.data, source);
    ck_assert_str_eq(pair.target.data, target);
    ck_assert_uint_eq(pair.line, line);
    pair_free(&pair);
}

static ReadCounts expect_end(PairReader *reader)
{
    Pair pair = {0};
    bool more = true;
    for (int again = 0; again < 2; again++) {
        Error error = {0};
        ck_assert_msg(pair_reader_next(reader, &pair, &more, &error) == STATUS_OK, "%s",
                      error.text);
        ck_assert(!more);
    }
    ReadCounts counts = pair_reader_counts(reader);
    pair_free(&pair);
    pair_reader_close(reader);
    return counts;
}

/* Reads to the error, which must come again, be about `status`, and hold all of the words. */
static void expect_error(PairReader *reader, const char *const words[], size_t count)
{
    Pair pair = {0};
    bool more = true;
    Error error = {0};
    while (pair_reader_next(reader, &pair, &more, &error) == STATUS_OK) ck_assert(more);
    Error again = {0};
    ck_assert_int_eq(pair_reader_next(reader, &pair, &more, &again), STATUS_FORMAT);
    ck_assert(!more);
    ck_assert_str_eq(error.text, again.text);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(strstr(error.text, words[i]) != NULL, "no \"%s\" in: %s", words[i],
                      error.text);
    pair_free(&pair);
    pair_reader_close(reader);
}

#define EXPECT_ERROR(spec, ...)                                                                    \
    expect_error(open_pairs(spec), (const char *const[]){__VA_ARGS__},                             \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void expect_no_open(const char *spec, Status status, const char *words)
{
    PairReader *reader;
    Error error = {0};
    ck_assert_int_eq(pair_reader_open(&reader, spec, NULL, &error), status);
    ck_assert_msg(strstr(error.text, words) != NULL, "no \"%s\" in: %s", words, error.text);
}

// "FIRST,SECOND", in a buffer of the caller.
static const char *both(char out[512], const char *first, const char *second)
{
    stpcpy(stpcpy(stpcpy(out, first), ","), second);
    return out;
}

START_TEST(test_tsv)
{
    Scratch scratch = scratch_make();
    const char *path = scratch_text(&scratch, "a.tsv",
                                    "\xef\xbb\xbf"
                                    "one\tun\r\n"
                                    " two  words \tdeux\xc2\xa0mots\tmore\tand more\n"
                                    "line\xe2\x80\xa8sep\tl\xc2\x85r\n"
                                    "cafe\xcc\x81\tcafé");
    PairReader *reader = open_pairs(path);
    expect_pair(reader, "one", "un", 1);
    expect_pair(reader, "two words", "deux mots", 2);
    expect_pair(reader, "line sep", "l r", 3);
    expect_pair(reader, "café", "café", 4); // NFC
    ReadCounts counts = expect_end(reader);
    ck_assert_uint_eq(counts.lines, 4);
    ck_assert_uint_eq(counts.empty, 0);
    ck_assert_uint_eq(counts.invalid, 0);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_empty_sides)
{
    Scratch scratch = scratch_make();
    const char *path = scratch_text(&scratch, "a.tsv", "a\t\n\tb\n\t\nc\td\n \xe3\x80\x80\te\n\n");
    PairReader *reader = open_pairs(path);
    expect_pair(reader, "c", "d", 4);
    ReadCounts counts = expect_end(reader);
    ck_assert_uint_eq(counts.lines, 6);
    ck_assert_uint_eq(counts.empty, 5);

    reader = open_pairs(path);
    pair_reader_keep_empty(reader, true);
    expect_pair(reader, "a", "", 1);
    expect_pair(reader, "", "b", 2);
    expect_pair(reader, "", "", 3);
    expect_pair(reader, "c", "d", 4);
    expect_pair(reader, "", "e", 5);
    expect_pair(reader, "", "", 6);
    counts = expect_end(reader);
    ck_assert_uint_eq(counts.empty, 5);
    scratch_remove(&scratch);
}
END_TEST

// Verbs that answer every line get a beginning of a line that is too long; training refuses it.
START_TEST(test_lines_that_are_too_long)
{
    Scratch scratch = scratch_make();
    const char *path = scratch_path(&scratch, "a.tsv");
    Bytes text = {0};
    ck_assert_int_eq(bytes_append_string(&text, "a\tb\n", NULL), STATUS_OK);
    for (int line = 0; line < 2; line++) {
        ck_assert_int_eq(bytes_append_string(&text, line ? "c\td" : "x", NULL), STATUS_OK);
        ck_assert_int_eq(bytes_reserve(&text, text.length + LINE_LIMIT + 100, NULL), STATUS_OK);
        memset(text.data + text.length, ' ', LINE_LIMIT);
        text.length += LINE_LIMIT;
        ck_assert_int_eq(bytes_append_string(&text, "y\n", NULL), STATUS_OK);
    }
    ck_assert_int_eq(bytes_append_string(&text, "e\tf\n", NULL), STATUS_OK);
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
    PairReader *reader = open_pairs(path);
    pair_reader_keep_empty(reader, true);
    expect_pair(reader, "a", "b", 1);
    expect_pair(reader, "x", "", 2);
    expect_pair(reader, "c", "d", 3);
    expect_pair(reader, "e", "f", 4);
    expect_end(reader);

    reader = open_pairs(path);
    Pair pair = {0};
    bool more;
    Error error = {0};
    expect_pair(reader, "a", "b", 1);
    ck_assert_int_eq(pair_reader_next(reader, &pair, &more, &error), STATUS_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.text, "a.tsv:2: is longer than 64 MiB"));
    pair_free(&pair);
    pair_reader_close(reader);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_invalid_text)
{
    Scratch scratch = scratch_make();
    const char *path =
        scratch_text(&scratch, "a.tsv", "a\tb\nc\xff\td\ne\tf\xc3\n\xfe\tg\xfe\nh\ti\t\xff\n");
    PairReader *reader = open_pairs(path);
    expect_pair(reader, "a", "b", 1);
    expect_pair(reader, "c\xef\xbf\xbd", "d", 2);
    expect_pair(reader, "e", "f\xef\xbf\xbd", 3);
    expect_pair(reader, "\xef\xbf\xbd", "g\xef\xbf\xbd", 4);
    expect_pair(reader, "h", "i", 5); // what is wrong in a column that is not read does not count
    ReadCounts counts = expect_end(reader);
    ck_assert_uint_eq(counts.invalid, 3);
    ck_assert_uint_eq(counts.invalid_line, 2);
    ck_assert_str_eq(counts.invalid_file, path);

    const char *source = scratch_text(&scratch, "s", "a\nb\n");
    const char *target = scratch_text(&scratch, "t", "c\nd\xff\n");
    char spec[512];
    reader = open_pairs(both(spec, source, target));
    expect_pair(reader, "a", "c", 1);
    expect_pair(reader, "b", "d\xef\xbf\xbd", 2);
    counts = expect_end(reader);
    ck_assert_uint_eq(counts.invalid, 1);
    ck_assert_uint_eq(counts.invalid_line, 2);
    ck_assert_str_eq(counts.invalid_file, target);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_no_tab)
{
    Scratch scratch = scratch_make();
    const char *path = scratch_text(&scratch, "a.tsv", "a\tb\n\nno tab here\nnor here\n");
    EXPECT_ERROR(path, path, ":3:", "no TAB", "SOURCE<TAB>TARGET");
    EXPECT_ERROR(scratch_text(&scratch, "b.tsv", "a\tb\n \n"), ":2:", "no TAB");
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_nothing_in_it)
{
    Scratch scratch = scratch_make();
    const char *empty = scratch_text(&scratch, "empty", "");
    const char *full = scratch_text(&scratch, "full", "a\nb\n");
    const char *blank = scratch_text(&scratch, "blank", "\n \n");
    char spec[512];
    EXPECT_ERROR(empty, empty, "holds no pairs");
    EXPECT_ERROR(scratch_text(&scratch, "mark", "\xef\xbb\xbf"), "holds no pairs");
    EXPECT_ERROR(scratch_text(&scratch, "sided", "a\t\nb\t \n"), "sided", "holds no pairs",
                 "2 lines");
    EXPECT_ERROR(scratch_text(&scratch, "one", "a\t\n"), "one", "holds no pairs",
                 "empty in 1 line");
    EXPECT_ERROR(both(spec, empty, full), empty, "holds no pairs");
    EXPECT_ERROR(both(spec, full, empty), empty, "holds no pairs");
    EXPECT_ERROR(both(spec, empty, empty), empty, "holds no pairs");
    EXPECT_ERROR(both(spec, full, blank), "holds no pairs", "2 lines");
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_two_files)
{
    Scratch scratch = scratch_make();
    const char *source = scratch_text(&scratch, "a.en", "one\r\n\ntwo\twords\nthree");
    const char *target = scratch_path(&scratch, "a.fr.gz");
    gzFile file = gzopen(target, "wb");
    ck_assert_int_gt(gzputs(file, "un\ndeux\ntrois\nquatre\n"), 0);
    ck_assert_int_eq(gzclose(file), Z_OK);
    char spec[512];
    PairReader *reader = open_pairs(both(spec, source, target));
    expect_pair(reader, "one", "un", 1);
    expect_pair(reader, "two words", "trois", 3); // a TAB is white space here
    expect_pair(reader, "three", "quatre", 4);
    ReadCounts counts = expect_end(reader);
    ck_assert_uint_eq(counts.lines, 4);
    ck_assert_uint_eq(counts.empty, 1);
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_different_length)
{
    Scratch scratch = scratch_make();
    const char *three = scratch_text(&scratch, "three", "a\nb\nc\n");
    const char *five = scratch_text(&scratch, "five", "a\nb\nc\nd\ne");
    char spec[512];
    EXPECT_ERROR(both(spec, three, five), three, five, "3 lines", "has 5");
    EXPECT_ERROR(both(spec, five, three), three, five, "5 lines", "has 3");
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_commas)
{
    Scratch scratch = scratch_make();
    const char *whole = scratch_text(&scratch, "a,b", "s\tt\n");
    PairReader *reader = open_pairs(whole); // a file of that very name
    expect_pair(reader, "s", "t", 1);
    (void)expect_end(reader);

    const char *other = scratch_text(&scratch, "c", "u\n");
    scratch_write(whole, "s\n", 2);
    char spec[512];
    reader = open_pairs(both(spec, whole, other)); // …/a,b,…/c
    expect_pair(reader, "s", "u", 1);
    (void)expect_end(reader);

    expect_no_open(both(spec, other, ""), STATUS_ARGUMENT, "is empty");
    expect_no_open(both(spec, "", other), STATUS_ARGUMENT, "is empty");
    expect_no_open(both(spec, "-", other), STATUS_ARGUMENT, "standard input");
    expect_no_open(both(spec, other, "x.tmx"), STATUS_ARGUMENT, "TMX file holds both");
    expect_no_open(both(spec, other, "/missing"), STATUS_IO, "/missing: cannot be opened");
    expect_no_open(both(spec, "/missing", other), STATUS_IO, "/missing: cannot be opened");
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_cannot_open)
{
    Scratch scratch = scratch_make();
    char spec[512];
    expect_no_open("", STATUS_ARGUMENT, "empty");
    expect_no_open("/missing.tsv", STATUS_IO, "/missing.tsv");
    expect_no_open("/missing.tmx", STATUS_IO, "/missing.tmx");
    expect_no_open(scratch.folder, STATUS_IO, "is a directory");
    expect_no_open(both(spec, scratch.folder, scratch.folder), STATUS_IO, "is a directory");
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_nul)
{
    Scratch scratch = scratch_make();
    const char *path = scratch_path(&scratch, "a.tsv");
    scratch_write(path, "a\tb\nc\td\0\n", 10);
    EXPECT_ERROR(path, path, ":2:", "NUL byte", "iconv");
    scratch_write(path,
                  "\xff\xfe"
                  "a\0\t\0b\0\n\0",
                  10);
    EXPECT_ERROR(path, path, ":1:", "NUL byte", "UTF-16");
    scratch_remove(&scratch);
}
END_TEST

/* `good` lines with every `step`-th of the first `mixed` not UTF-8; a NUL in the last if asked for.
 */
static const char *mixed_file(Scratch *scratch, size_t lines, size_t mixed, size_t step, bool nul)
{
    Bytes text = {0};
    for (size_t i = 0; i < lines; i++) {
        bool bad = i < mixed && i % step == 0;
        ck_assert_int_eq(bytes_append_string(&text, bad ? "a\t\xe9t\xe9\n" : "a\tb\n", NULL),
                         STATUS_OK);
    }
    if (nul) text.data[text.length - 2] = '\0';
    const char *path = scratch_path(scratch, "mixed.tsv");
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
    return path;
}

static size_t count_pairs(const char *path)
{
    PairReader *reader = open_pairs(path);
    Pair pair = {0};
    bool more;
    size_t count = 0;
    Error error = {0};
    while (pair_reader_next(reader, &pair, &more, &error) == STATUS_OK && more) count++;
    ck_assert_msg(!error.status, "%s", error.text);
    pair_free(&pair);
    pair_reader_close(reader);
    return count;
}

START_TEST(test_other_encodings)
{
    Scratch scratch = scratch_make();
    // 9 lines may be wrong in the shortest file, and 1 in 10 in any
    ck_assert_uint_eq(count_pairs(mixed_file(&scratch, 9, 9, 1, false)), 9);
    EXPECT_ERROR(mixed_file(&scratch, 10, 10, 1, false), "10 of its first 10 lines", "iconv");
    ck_assert_uint_eq(count_pairs(mixed_file(&scratch, 100, 100, 10, false)), 100);
    EXPECT_ERROR(mixed_file(&scratch, 99, 99, 9, false), "11 of its first 99 lines");
    ck_assert_uint_eq(count_pairs(mixed_file(&scratch, 1000, 1000, 10, false)), 1000);
    ck_assert_uint_eq(count_pairs(mixed_file(&scratch, 1001, 1001, 10, false)), 1001);
    EXPECT_ERROR(mixed_file(&scratch, 2000, 2000, 9, false), "112 of its first 1000 lines");
    EXPECT_ERROR(mixed_file(&scratch, 1000, 1000, 9, false), "112 of its first 1000 lines");
    // what comes behind the thousandth line is text, whatever it is
    ck_assert_uint_eq(count_pairs(mixed_file(&scratch, 1001, 0, 1, true)), 1001);
    EXPECT_ERROR(mixed_file(&scratch, 1000, 0, 1, true), ":1000:", "NUL");

    const char *good = scratch_text(&scratch, "good", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    const char *bad = scratch_text(&scratch, "bad",
                                   "\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n");
    char spec[512];
    EXPECT_ERROR(both(spec, good, bad), bad, "10 of its first 10 lines");
    EXPECT_ERROR(both(spec, bad, good), bad, "10 of its first 10 lines");
    scratch_remove(&scratch);
}
END_TEST

START_TEST(test_broken_gzip)
{
    Scratch scratch = scratch_make();
    const char *path = scratch_path(&scratch, "a.tsv.gz");
    gzFile file = gzopen(path, "wb");
    for (int i = 0; i < 1000; i++) ck_assert_int_gt(gzprintf(file, "%d\t%d\n", i, i * i), 0);
    ck_assert_int_eq(gzclose(file), Z_OK);
    ck_assert_uint_eq(count_pairs(path), 1000);
    Bytes gzip = scratch_read(path);
    ck_assert_int_eq(truncate(path, (off_t)gzip.length / 2), 0);
    EXPECT_ERROR(path, path, "cut off");
    scratch_remove(&scratch);
    bytes_free(&gzip);
}
END_TEST

START_TEST(test_standard_input)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    PairReader *reader = open_pairs("-");
    ck_assert_int_eq(write(ends[1], "a\tb\n", 4), 4);
    expect_pair(reader, "a", "b", 1); // though the pipe is still open
    ck_assert_int_eq(write(ends[1], "c", 1), 1);
    close(ends[1]);
    expect_error(reader, (const char *const[]){"standard input:2:", "no TAB"}, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pair reader");
    suite_add(suite, "TSV", test_tsv);
    suite_add(suite, "empty sides", test_empty_sides);
    suite_add(suite, "lines that are too long", test_lines_that_are_too_long);
    suite_add(suite, "invalid text", test_invalid_text);
    suite_add(suite, "no TAB", test_no_tab);
    suite_add(suite, "nothing in it", test_nothing_in_it);
    suite_add(suite, "two files", test_two_files);
    suite_add(suite, "different length", test_different_length);
    suite_add(suite, "commas", test_commas);
    suite_add(suite, "cannot open", test_cannot_open);
    suite_add(suite, "NUL", test_nul);
    suite_add(suite, "other encodings", test_other_encodings);
    suite_add(suite, "broken gzip", test_broken_gzip);
    suite_add(suite, "standard input", test_standard_input);
    return suite_run(suite);
}
