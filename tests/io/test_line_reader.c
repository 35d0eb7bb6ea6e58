#define _GNU_SOURCE
#include "io/line_reader_case.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The error comes, and comes again, and holds each of the words.
static void expect_error(LineReader *reader, const char *word, const char *other)
{
    Line line;
    bool more = true;
    for (int again = 0; again < 2; again++) {
        Error error = {0};
        ck_assert_int_ne(line_reader_next(reader, &line, &more, &error), STATUS_OK);
        ck_assert(!more);
        ck_assert_msg(strstr(error.text, word) && strstr(error.text, other), "%s", error.text);
    }
    line_reader_close(reader);
}

static void expect_no_open(const char *path, const char *word)
{
    LineReader *reader;
    Error error = {0};
    ck_assert_int_eq(line_reader_open(&reader, path, &error), STATUS_IO);
    ck_assert_msg(strstr(error.text, path) && strstr(error.text, word), "%s", error.text);
}

TEST(lines)
{
    static const struct {
        const char *content;
        size_t length;
        size_t count;
        const char *lines[4];
        size_t lengths[4];
    } CASES[] = {
#define CONTENT(text) text, sizeof(text) - 1
        {CONTENT(""), 0, {NULL}, {0}},
        {CONTENT("a\nbc\n"), 2, {"a", "bc"}, {1, 2}},
        {CONTENT("a\nbc"), 2, {"a", "bc"}, {1, 2}},
        {CONTENT("\n"), 1, {""}, {0}},
        {CONTENT("\n\na\n\n"), 4, {"", "", "a", ""}, {0, 0, 1, 0}},
        {CONTENT("a\r\nb\r\r\n\r\nc\r"), 4, {"a", "b\r", "", "c\r"}, {1, 2, 0, 2}},
        {CONTENT("a\rb\n"), 1, {"a\rb"}, {3}},
        {CONTENT("\xef\xbb\xbf"), 0, {NULL}, {0}},
        {CONTENT("\xef\xbb\xbf\n"), 1, {""}, {0}},
        {CONTENT("\xef\xbb\xbf"
                 "a\n\xef\xbb\xbf"
                 "b\n"),
         2,
         {"a", "\xef\xbb\xbf"
               "b"},
         {1, 4}},
        {CONTENT("\xef\xbb\xbf\xef\xbb\xbf"), 1, {"\xef\xbb\xbf"}, {3}},
        {CONTENT("\xef\xbb"), 1, {"\xef\xbb"}, {2}},
        {CONTENT("a\0b\n\0"), 2, {"a\0b", "\0"}, {3, 1}},
        {CONTENT("a\xe2\x80\xa8"
                 "b\xc2\x85"
                 "c\x0b\x0c"
                 "d\x1c\n"),
         1,
         {"a\xe2\x80\xa8"
          "b\xc2\x85"
          "c\x0b\x0c"
          "d\x1c"},
         {12}},
        {CONTENT("\xff\xff\n\x80"), 2, {"\xff\xff", "\x80"}, {2, 1}},
        {CONTENT("\x1f"), 1, {"\x1f"}, {1}},
        {CONTENT("\x1f\x8a\n"), 1, {"\x1f\x8a"}, {2}},
#undef CONTENT
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (int packed = 0; packed < 2; packed++) {
            const char *path = scratch_path("lines");
            Bytes gzip = gzip_of(CASES[i].content, CASES[i].length);
            if (packed)
                scratch_write(path, gzip.data, gzip.length);
            else
                scratch_write(path, CASES[i].content, CASES[i].length);
            LineReader *reader = open_reader(path);
            for (size_t j = 0; j < CASES[i].count; j++)
                expect_line(reader, CASES[i].lines[j], CASES[i].lengths[j], j + 1);
            expect_end(reader);
            bytes_free(&gzip);
        }
}

/* Lines whose ends fall before, on and behind every border of the buffers. */
TEST(lines_over_buffers)
{
    const char *path = scratch_path("long");
    Bytes text = {0};
    for (size_t i = 0; i < 400; i++) {
        for (size_t j = 0; j < i * 7 % 3001; j++) assert_ok(bytes_append(&text, "x", 1, NULL));
        assert_ok(bytes_append(&text, "\r\n", 2, NULL));
    }
    Bytes gzip = gzip_of(text.data, text.length);
    Bytes expected = {0};
    for (size_t j = 0; j < 3001; j++) assert_ok(bytes_append(&expected, "x", 1, NULL));
    for (int packed = 0; packed < 2; packed++) {
        scratch_write(path, packed ? gzip.data : text.data, packed ? gzip.length : text.length);
        LineReader *reader = open_reader(path);
        for (size_t i = 0; i < 400; i++) expect_line(reader, expected.data, i * 7 % 3001, i + 1);
        expect_end(reader);
    }
    bytes_free(&text);
    bytes_free(&gzip);
    bytes_free(&expected);
}

TEST(longest_line)
{
    const char *path = scratch_path("long");
    static const char TEXT[] = "one\n";
    scratch_write(path, TEXT, 4);
    ck_assert_int_eq(truncate(path, 4 + (off_t)LINE_LIMIT), 0); // NULs, without a disk full of them
    LineReader *reader = open_reader(path);
    expect_line(reader, "one", 3, 1);
    Line line;
    bool more;
    assert_ok(line_reader_next(reader, &line, &more, NULL));
    ck_assert(more);
    ck_assert_uint_eq(line.length, LINE_LIMIT);
    expect_end(reader);

    ck_assert_int_eq(truncate(path, 5 + (off_t)LINE_LIMIT), 0);
    reader = open_reader(path);
    expect_line(reader, "one", 3, 1);
    expect_error(reader, ":2:", "longer than 64 MiB");
}

// A line that is too long is cut between characters, and those after it are read as ever.
TEST(cut_lines)
{
    static const char *const ends[] = {"", "\n", "rest", "rest\nnext\n\n"};
    const char *path = scratch_path("long");
    Bytes text = {0};
    assert_ok(bytes_append_string(&text, "\xef\xbb\xbfone\n", NULL));
    assert_ok(bytes_reserve(&text, text.length + LINE_LIMIT + 100, NULL));
    memset(text.data + text.length, 'x', LINE_LIMIT);
    text.length += LINE_LIMIT - 1;
    assert_ok(bytes_append_string(&text, "\u00e9", NULL));
    size_t length = text.length;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        bytes_cut(&text, length);
        assert_ok(bytes_append_string(&text, ends[i], NULL));
        scratch_write(path, text.data, text.length);
        LineReader *reader = open_reader(path);
        line_reader_cut_long(reader, LINE_LIMIT);
        expect_line(reader, "one", 3, 1);
        Line line;
        bool more;
        assert_ok(line_reader_next(reader, &line, &more, NULL));
        ck_assert(more && line.cut && line.number == 2);
        ck_assert_uint_eq(line.length, LINE_LIMIT - 1);
        if (i == 3) {
            expect_line(reader, "next", 4, 3);
            expect_line(reader, "", 0, 4);
        }
        expect_end(reader);
    }
    bytes_free(&text);
}

TEST(endless_line)
{
    expect_error(open_reader("/dev/zero"), "/dev/zero:1:", "longer than 64 MiB");
}

TEST(cannot_open)
{
    expect_no_open(scratch_folder(), "is a directory");
    expect_no_open(scratch_path("missing"), "No such file");
    const char *path = scratch_text("secret", "a\n");
    ck_assert_int_eq(chmod(path, 0), 0);
    ck_assert_int_eq(chmod(scratch_folder(), 0755), 0);
    bool root = geteuid() == 0;
    if (root) ck_assert_int_eq(seteuid(65534), 0); // to root nothing is unreadable
    expect_no_open(path, "Permission denied");
    if (root) ck_assert_int_eq(seteuid(0), 0);
}

// What was read since the mark comes again, as it was and under its numbers, over chunks of the buffer too.
TEST(return_to_the_mark)
{
    const char *path = scratch_path("marked");
    Bytes text = {0};
    assert_ok(bytes_append_string(&text, "\xef\xbb\xbfone\r\ntwo\n", NULL));
    for (size_t i = 0; i < 200000; i++) assert_ok(bytes_append(&text, "x", 1, NULL));
    assert_ok(bytes_append_string(&text, "\nfour\nfive", NULL));
    scratch_write(path, text.data, text.length);
    LineReader *reader = open_reader(path);
    line_reader_mark(reader);
    for (int time = 0; time < 2; time++) {
        expect_line(reader, "one", 3, 1);
        ck_assert_uint_eq(line_reader_since_mark(reader), 8); // with mark of byte order, CR and LF
        line_reader_return(reader);
    }
    expect_line(reader, "one", 3, 1);
    line_reader_mark(reader);
    for (int time = 0; time < 3; time++) {
        expect_line(reader, "two", 3, 2);
        expect_line(reader, text.data + 12, 200000, 3);
        expect_line(reader, "four", 4, 4);
        ck_assert_uint_eq(line_reader_since_mark(reader), 200010);
        if (time < 2) line_reader_return(reader);
    }
    line_reader_mark(reader);
    expect_line(reader, "five", 4, 5);
    Line line;
    bool more;
    assert_ok(line_reader_next(reader, &line, &more, NULL));
    ck_assert(!more);
    line_reader_return(reader);
    expect_line(reader, "five", 4, 5);
    expect_end(reader);
    bytes_free(&text);
}

// A line that is cut is cut again, and its rest is neither kept nor read as a line.
TEST(return_to_a_cut_line)
{
    const char *path = scratch_path("marked");
    Bytes text = {0};
    for (size_t i = 0; i < 300000; i++) assert_ok(bytes_append(&text, "x", 1, NULL));
    assert_ok(bytes_append_string(&text, "\ntwo\nthree\n", NULL));
    scratch_write(path, text.data, text.length);
    for (int before = 0; before < 2; before++) { // the mark is before the line, or in it
        LineReader *reader = open_reader(path);
        line_reader_cut_long(reader, 100);
        if (before) line_reader_mark(reader);
        expect_line(reader, text.data, 100, 1);
        if (before) line_reader_return(reader);
        if (before) expect_line(reader, text.data, 100, 1);
        line_reader_mark(reader);
        for (int time = 0; time < 2; time++) {
            expect_line(reader, "two", 3, 2);
            ck_assert_uint_eq(line_reader_since_mark(reader), 4);
            line_reader_return(reader);
        }
        expect_line(reader, "two", 3, 2);
        expect_line(reader, "three", 5, 3);
        expect_end(reader);
    }
    bytes_free(&text);
}

// A file is always there, also where what was read of it is half a character.
TEST(file_does_not_block)
{
    const char *path = scratch_path("half");
    scratch_write(path, "", 1);
    LineReader *reader = open_reader(path);
    ck_assert(!line_reader_would_block(reader));
    line_reader_close(reader);
}

TEST(share_of_the_file)
{
    const char *path = scratch_text("four", "1234567\n1234567\n1234567\n1234567\n");
    LineReader *reader = open_reader(path);
    ck_assert_double_eq(line_reader_share(reader), 0);
    expect_line(reader, "1234567", 7, 1);
    ck_assert_double_eq(line_reader_share(reader), 0.25);
    expect_line(reader, "1234567", 7, 2);
    ck_assert_double_eq(line_reader_share(reader), 0.5);
    line_reader_close(reader);

    // standard input that has been read in part, and a pipe, of whose length nothing is known
    int saved = dup(STDIN_FILENO), file = open(path, O_RDONLY), ends[2];
    ck_assert(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    ck_assert_int_eq(lseek(STDIN_FILENO, 16, SEEK_SET), 16);
    reader = open_reader("-");
    expect_line(reader, "1234567", 7, 1);
    ck_assert_double_eq(line_reader_share(reader), 0.5);
    line_reader_close(reader);
    ck_assert(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    reader = open_reader("-");
    ck_assert_double_lt(line_reader_share(reader), 0);
    line_reader_close(reader);
    ck_assert_int_eq(dup2(saved, STDIN_FILENO), STDIN_FILENO);
}

// Whatever cannot be had, plain text or text in another encoding: it is said, once and again.
TEST(out_of_memory)
{
    static const char *const texts[] = {"one\ntwo\n", "caf\xE9\nd\xE9j\xE0\n"};
    const char *path = scratch_path("text");
    for (size_t i = 0; i < 2; i++) {
        scratch_write(path, texts[i], strlen(texts[i]));
        while (failing_malloc_next()) {
            LineReader *reader = NULL;
            Line line;
            bool more = true;
            Status status = line_reader_open(&reader, path, NULL);
            while (!status && more) status = line_reader_next(reader, &line, &more, NULL);
            if (failing_malloc_expect(status) && reader)
                ck_assert_int_eq(line_reader_next(reader, &line, &more, NULL), STATUS_MEMORY);
            line_reader_close(reader);
        }
    }
}

// Text is cut between characters, what is no text at the limit.
TEST(cut_between_characters)
{
    static const struct {
        const char *text;
        size_t length; // of 8 bytes at most
    } CASES[] = {
        {"1234567890", 8},        {"123456\u00e9\u00e9", 8}, {"1234567\u00e9", 7},
        {"12345\u4e00\u4e00", 8}, {"123456\u4e00", 6},       {"1234567\u4e00", 7},
        {"12345\U0001F600", 5},   {"1234\U0001F600x", 8},    {"123\x80\x80\x80\x80\x80\x80", 8}};
    const char *path = scratch_path("text");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        scratch_write(path, CASES[i].text, strlen(CASES[i].text));
        LineReader *reader = open_reader(path);
        line_reader_cut_long(reader, 8);
        expect_line(reader, CASES[i].text, CASES[i].length, 1);
        ck_assert(!line_reader_would_block(reader));
        expect_end(reader);
    }
}
