// Pairs in files that are not all UTF-8.
#define _GNU_SOURCE
#include "corpus/pair_reader_case.h"

#include <stdio.h>
#include <string.h>

/* A file of so many lines, of whose first `mixed` every `step`-th is not UTF-8; with a NUL in the last
 * if asked for. */
static const char *mixed_file(size_t lines, size_t mixed, size_t step, bool nul)
{
    Bytes text = {0};
    for (size_t i = 0; i < lines; i++) {
        bool bad = i < mixed && i % step == 0;
        assert_ok(bytes_append_string(&text, bad ? "a\t\xfft\xff\n" : "a\tb\n", NULL));
    }
    if (nul) text.data[text.length - 2] = '\0';
    const char *path = scratch_path("mixed.tsv");
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
    return path;
}

TEST(invalid_text)
{
    const char *path = scratch_text("a.tsv", "a\tb\nc\xff\td\ne\tf\xc3\n\xfe\tg\xfe\nh\ti\t\xff\n");
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

    const char *source = scratch_text("s", "a\nb\n");
    const char *target = scratch_text("t", "c\nd\xff\n");
    char spec[512];
    reader = open_pairs(both(spec, source, target));
    expect_pair(reader, "a", "c", 1);
    expect_pair(reader, "b", "d\xef\xbf\xbd", 2);
    counts = expect_end(reader);
    ck_assert_uint_eq(counts.invalid, 1);
    ck_assert_uint_eq(counts.invalid_line, 2);
    ck_assert_str_eq(counts.invalid_file, target);
}

// Reads to the end; the file was read in an encoding that is told.
static void expect_note(PairReader *reader, const char *encoding)
{
    Bytes note = {0};
    char expected[64];
    assert_ok(pair_reader_describe(reader, &note, NULL));
    (void)snprintf(expected, sizeof expected, ": read as %s\n", encoding);
    assert_contains(bytes_text(&note), expected);
    bytes_free(&note);
    (void)expect_end(reader);
}

TEST(encodings_that_are_told)
{
    PairReader *reader = open_pairs(scratch_text("a.tsv", "caf\xe9\td\xe9j\xe0\n"));
    expect_pair(reader, "café", "déjà", 1);
    expect_note(reader, "WINDOWS-1252");
    char spec[512];
    const char *source = scratch_text("s", "caf\xc3\xa9\n");
    reader = open_pairs(both(spec, source, scratch_text("t", "caf\xe9\n")));
    expect_pair(reader, "café", "café", 1);
    expect_note(reader, "WINDOWS-1252");
}

TEST(nul)
{
    const char *path = scratch_path("a.tsv");
    scratch_write(path, "a\tb\nc\td\0\n", 10);
    EXPECT_ERROR(path, path, ":2:", "NUL byte");
    scratch_write(path,
                  "\xff\xfe"
                  "a\0\t\0b\0\n\0",
                  10);
    PairReader *reader = open_pairs(path);
    expect_pair(reader, "a", "b", 1);
    expect_note(reader, "UTF-16LE");
}

TEST(other_encodings)
{
    // 9 lines may be wrong in the shortest file, and 1 in 10 in any
    ck_assert_uint_eq(count_pairs(mixed_file(9, 9, 1, false)), 9);
    EXPECT_ERROR(mixed_file(10, 10, 1, false), "10 of its first 10 lines", "iconv");
    ck_assert_uint_eq(count_pairs(mixed_file(100, 100, 10, false)), 100);
    EXPECT_ERROR(mixed_file(99, 99, 9, false), "11 of its first 99 lines");
    ck_assert_uint_eq(count_pairs(mixed_file(1000, 1000, 10, false)), 1000);
    ck_assert_uint_eq(count_pairs(mixed_file(1001, 1001, 10, false)), 1001);
    EXPECT_ERROR(mixed_file(2000, 2000, 9, false), "112 of its first 1000 lines");
    EXPECT_ERROR(mixed_file(1000, 1000, 9, false), "112 of its first 1000 lines");
    // what comes behind the thousandth line is text, whatever it is
    ck_assert_uint_eq(count_pairs(mixed_file(1001, 0, 1, true)), 1001);
    EXPECT_ERROR(mixed_file(1000, 0, 1, true), ":1000:", "NUL");

    const char *good = scratch_text("good", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    const char *bad =
        scratch_text("bad", "\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n\xe9\n");
    char spec[512];
    EXPECT_ERROR(both(spec, good, bad), bad, "10 of its first 10 lines");
    EXPECT_ERROR(both(spec, bad, good), bad, "10 of its first 10 lines");
}
