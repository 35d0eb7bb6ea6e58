#define _GNU_SOURCE
#include "corpus/pair_reader_case.h"
#include "io/line_reader.h"
#include "support/scratch.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

static void expect_no_open(const char *spec, Status status, const char *words)
{
    PairReader *reader;
    Error error = {0};
    ck_assert_int_eq(pair_reader_open(&reader, spec, NULL, &error), status);
    assert_contains(error.text, words);
}

TEST(tsv)
{
    const char *path = scratch_text("a.tsv", "\xef\xbb\xbf"
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
}

static const PairOptions keep_empty = {.keep_empty = true};

TEST(empty_sides)
{
    const char *path = scratch_text("a.tsv", "a\t\n\tb\n\t\nc\td\n \xe3\x80\x80\te\n\n");
    PairReader *reader = open_pairs(path);
    expect_pair(reader, "c", "d", 4);
    ReadCounts counts = expect_end(reader);
    ck_assert_uint_eq(counts.lines, 6);
    ck_assert_uint_eq(counts.empty, 5);

    assert_ok(pair_reader_open(&reader, path, &keep_empty, NULL));
    expect_pair(reader, "a", "", 1);
    expect_pair(reader, "", "b", 2);
    expect_pair(reader, "", "", 3);
    expect_pair(reader, "c", "d", 4);
    expect_pair(reader, "", "e", 5);
    expect_pair(reader, "", "", 6);
    counts = expect_end(reader);
    ck_assert_uint_eq(counts.empty, 5);
}

// Verbs that answer every line get a beginning of a line that is too long; training refuses it.
TEST(lines_that_are_too_long)
{
    const char *path = scratch_path("a.tsv");
    Bytes text = {0};
    assert_ok(bytes_append_string(&text, "a\tb\n", NULL));
    for (int line = 0; line < 2; line++) {
        assert_ok(bytes_append_string(&text, line ? "c\td" : "x", NULL));
        assert_ok(bytes_reserve(&text, text.length + LINE_LIMIT + 100, NULL));
        memset(text.data + text.length, ' ', LINE_LIMIT);
        text.length += LINE_LIMIT;
        assert_ok(bytes_append_string(&text, "y\n", NULL));
    }
    assert_ok(bytes_append_string(&text, "e\tf\n", NULL));
    scratch_write(path, text.data, text.length);
    bytes_free(&text);
    PairReader *reader;
    assert_ok(pair_reader_open(&reader, path, &keep_empty, NULL));
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
    assert_contains(error.text, "a.tsv:2: is longer than 64 MiB");
    pair_free(&pair);
    pair_reader_close(reader);
}

TEST(no_tab)
{
    const char *path = scratch_text("a.tsv", "a\tb\n\nno tab here\nnor here\n");
    EXPECT_ERROR(path, path, ":3:", "no TAB", "SOURCE<TAB>TARGET");
    EXPECT_ERROR(scratch_text("b.tsv", "a\tb\n \n"), ":2:", "no TAB");
}

TEST(nothing_in_it)
{
    const char *empty = scratch_text("empty", "");
    const char *full = scratch_text("full", "a\nb\n");
    const char *blank = scratch_text("blank", "\n \n");
    char spec[512];
    EXPECT_ERROR(empty, empty, "holds no pairs");
    EXPECT_ERROR(scratch_text("mark", "\xef\xbb\xbf"), "holds no pairs");
    EXPECT_ERROR(scratch_text("sided", "a\t\nb\t \n"), "sided", "holds no pairs", "2 lines");
    EXPECT_ERROR(scratch_text("one", "a\t\n"), "one", "holds no pairs", "empty in 1 line");
    EXPECT_ERROR(both(spec, empty, full), empty, "holds no pairs");
    EXPECT_ERROR(both(spec, full, empty), empty, "holds no pairs");
    EXPECT_ERROR(both(spec, empty, empty), empty, "holds no pairs");
    EXPECT_ERROR(both(spec, full, blank), "holds no pairs", "2 lines");
}

TEST(two_files)
{
    const char *source = scratch_text("a.en", "one\r\n\ntwo\twords\nthree");
    const char *target = scratch_path("a.fr.gz");
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
}

TEST(different_length)
{
    const char *three = scratch_text("three", "a\nb\nc\n");
    const char *five = scratch_text("five", "a\nb\nc\nd\ne");
    char spec[512];
    EXPECT_ERROR(both(spec, three, five), three, five, "3 lines", "has 5");
    EXPECT_ERROR(both(spec, five, three), three, five, "5 lines", "has 3");
}

TEST(commas)
{
    const char *whole = scratch_text("a,b", "s\tt\n");
    PairReader *reader = open_pairs(whole); // a file of that very name
    expect_pair(reader, "s", "t", 1);
    (void)expect_end(reader);

    const char *other = scratch_text("c", "u\n");
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
}

TEST(cannot_open)
{
    char spec[512];
    expect_no_open("", STATUS_ARGUMENT, "empty");
    expect_no_open("/missing.tsv", STATUS_IO, "/missing.tsv");
    expect_no_open("/missing.tmx", STATUS_IO, "/missing.tmx");
    expect_no_open(scratch_folder(), STATUS_IO, "is a directory");
    expect_no_open(both(spec, scratch_folder(), scratch_folder()), STATUS_IO, "is a directory");
}

TEST(broken_gzip)
{
    const char *path = scratch_path("a.tsv.gz");
    gzFile file = gzopen(path, "wb");
    for (int i = 0; i < 1000; i++) ck_assert_int_gt(gzprintf(file, "%d\t%d\n", i, i * i), 0);
    ck_assert_int_eq(gzclose(file), Z_OK);
    ck_assert_uint_eq(count_pairs(path), 1000);
    Bytes gzip = scratch_read(path);
    ck_assert_int_eq(truncate(path, (off_t)gzip.length / 2), 0);
    EXPECT_ERROR(path, path, "cut off");
}

TEST(standard_input)
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

static double share_of(const char *spec, const char *first, const char *second)
{
    PairReader *reader = open_pairs(spec);
    expect_pair(reader, first, second, 1);
    double share = pair_reader_share(reader);
    ck_assert(!pair_reader_would_block(reader)); // what is there need not be waited for
    pair_reader_close(reader);
    return share;
}

TEST(share)
{
    char spec[512];
    const char *tsv = scratch_text("a.tsv", "a\tb\nc\td\n");
    ck_assert_double_eq(share_of(tsv, "a", "b"), 0.5);
    const char *one = scratch_text("a", "a\nb\nc\nd\n"), *other = scratch_text("b", "1\n2\n3\n4\n");
    ck_assert_double_eq(share_of(both(spec, one, other), "a", "1"), 0.25);
    const char *tmx = scratch_text("a.tmx", "<tmx><tu><tuv lang='en'><seg>a</seg></tuv>"
                                            "<tuv lang='fr'><seg>b</seg></tuv></tu></tmx>");
    ck_assert_double_eq(share_of(tmx, "a", "b"), 1);
}

// Two files, of which one has lines that are too long, or cannot be read where lines are counted.
TEST(two_files_that_are_odd)
{
    char spec[512];
    Bytes text = {0};
    assert_ok(bytes_reserve(&text, LINE_LIMIT + 100, NULL));
    memset(text.data, ' ', LINE_LIMIT);
    text.length = LINE_LIMIT;
    assert_ok(bytes_append_string(&text, "x\ny\n", NULL));
    const char *path = scratch_path("long");
    scratch_write(path, text.data, text.length);
    for (int side = 0; side < 2; side++) {
        const char *other = scratch_text("short", "1\n2\n");
        PairReader *reader;
        Pair pair = {0};
        bool more;
        both(spec, side ? other : path, side ? path : other);
        assert_ok(pair_reader_open(&reader, spec, &keep_empty, NULL));
        assert_ok(pair_reader_next(reader, &pair, &more, NULL));
        ck_assert(more && pair.cut && pair.sides[side].length == 0);
        ck_assert_str_eq(pair.sides[!side].data, "1");
        assert_ok(pair_reader_next(reader, &pair, &more, NULL));
        ck_assert(more && !pair.cut);
        ck_assert_str_eq(pair.sides[side].data, "y");
        expect_end(reader);
        pair_free(&pair);
    }
    const char *one = scratch_text("short", "1\n2\n"), *none = scratch_text("none", "1\n");
    EXPECT_ERROR(both(spec, path, none), "longer than 64 MiB");
    PairReader *reader = open_pairs(both(spec, one, none));
    Pair pair = {0};
    bool more;
    Error error = {0};
    expect_pair(reader, "1", "1", 1);
    scratch_write(one, "1\n2\n3\n", 6); // it is changed before its lines are counted
    ck_assert_int_eq(pair_reader_next(reader, &pair, &more, &error), STATUS_IO);
    assert_contains(error.text, "short: changed while it was read");
    ck_assert_int_eq(pair_reader_next(reader, &pair, &more, NULL), STATUS_IO);
    pair_free(&pair);
    pair_reader_close(reader);
    bytes_free(&text);
}

// The messages of the first hundred bad lines are kept, all are counted.
TEST(many_bad_lines)
{
    Bytes text = {0};
    PairReader *reader;
    const PairOptions options = {.skip_bad = true};
    assert_ok(bytes_append_string(&text, "a\tb\n", NULL));
    for (int i = 0; i < 150; i++) assert_ok(bytes_append_string(&text, "bad\n", NULL));
    assert_ok(pair_reader_open(&reader, scratch_text("a.tsv", text.data), &options, NULL));
    expect_pair(reader, "a", "b", 1);
    Pair pair = {0};
    bool more;
    assert_ok(pair_reader_next(reader, &pair, &more, NULL));
    ck_assert(!more);
    ck_assert_uint_eq(pair_reader_counts(reader).bad, 150);
    size_t messages = 0;
    for (const char *at = pair_reader_bad(reader)->data; (at = strchr(at, '\n')); at++) messages++;
    ck_assert_uint_eq(messages, MAX_BAD_LINES);
    pair_free(&pair);
    pair_reader_close(reader);
    bytes_free(&text);
}
