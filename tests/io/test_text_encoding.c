// Text in other encodings told apart and decoded.
#include "io/line_reader.h"
#include "io/text_encoding.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

static void expect_guess(const char *bytes, size_t length, const char *expected)
{
    const char *guess = text_encoding_guess(bytes, length);
    ck_assert_msg(guess ? expected && !strcmp(guess, expected) : !expected, "%s: %s", bytes,
                  guess ? guess : "none");
}

#define GUESS(bytes, expected) expect_guess(bytes, sizeof bytes - 1, expected)

TEST(what_is_told)
{
    GUESS("", NULL);
    GUESS("plain", NULL);
    GUESS("\xFF\xFE", "UTF-16LE");
    GUESS("\xFE\xFF\0a", "UTF-16BE");
    GUESS("a\0b\0c\0", "UTF-16LE");
    GUESS("\0a\0b\0c", "UTF-16BE");
    GUESS("\x7F"
          "ELF\2\1\1\0\0\0\0\0",
          NULL);
    GUESS("caf\xE9\n", "WINDOWS-1252");
    GUESS("Il est \xE0 l'\xE9"
          "cole. \xC9t\xE9 \x80 5",
          "WINDOWS-1252");
    GUESS("\x93Yes\x94 \x96 no", "WINDOWS-1252");
    GUESS("Stra\xDF"
          "e, \xBFqu\xE9?",
          "WINDOWS-1252");
    GUESS("caf\xC3\xA9 \xE4\xBD\xA0", NULL); // UTF-8
    GUESS("caf\xC3\xA9 \xFF", NULL);         // which is damaged
    GUESS("caf\xC3", NULL);                  // cut off
    GUESS("caf\xE4\xBD", NULL);
    GUESS("a \xFF b", NULL);
    GUESS("caf\xE9 \x81", NULL);
    GUESS("\xE9\n\xE9\n", NULL);
    GUESS("\xC4\xE3\xBA\xC3\xA3\xAC\xCA\xC0\xBD\xE7", NULL); // GBK
    GUESS("\xCF\xF0\xE8\xE2\xE5\xF2", NULL);                 // Windows-1251
    ck_assert_ptr_null(text_encoding_guess_later("\0a\0b", 4));
    ck_assert_str_eq(text_encoding_guess_later("caf\xE9.", 5), "WINDOWS-1252");
}

// However the bytes are parted, they become the same text.
static void expect_decoded(const char *encoding, const char *bytes, size_t length,
                           const char *expected)
{
    for (size_t step = 1; step <= length; step++) {
        TextDecoder *decoder;
        Bytes out = {0};
        assert_ok(text_decoder_open(&decoder, encoding, NULL));
        for (size_t at = 0; at < length; at += step) {
            size_t added = length - at < step ? length - at : step;
            assert_ok(
                text_decoder_append(decoder, &out, bytes + at, added, at + added == length, NULL));
        }
        ck_assert_str_eq(out.data, expected);
        bytes_free(&out);
        text_decoder_close(decoder);
    }
}

TEST(decoding)
{
    expect_decoded("WINDOWS-1252",
                   "\x93"
                   "caf\xE9\x94 \x80\x81",
                   9, "“café” €\uFFFD");
    expect_decoded("UTF-16LE", "a\0\xE9\0\x60\x4F\x3D\xD8\x00\xDE", 10, "aé你😀");
    expect_decoded("UTF-16BE", "\x4F\x60\xD8\x3D\0b", 6, "你\uFFFDb");
    expect_decoded("UTF-16LE", "a\0b", 3, "a\uFFFD");
    expect_decoded("BIG5-HKSCS", "\x88\x66", 2, "Ê"); // which waits for an accent
    TextDecoder *decoder;
    assert_ok(text_decoder_open(&decoder, "no-such", NULL));
    ck_assert_ptr_null(decoder);
    text_decoder_close(NULL);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        TextDecoder *decoder;
        Bytes out = {0};
        Status status = text_decoder_open(&decoder, "WINDOWS-1252", NULL);
        if (!status)
            status = text_decoder_append(decoder, &out, "\x80\x81\x81\x81\x80", 5, true, NULL);
        if (!failing_malloc_expect(status)) ck_assert_str_eq(out.data, "€\uFFFD\uFFFD\uFFFD€");
        bytes_free(&out);
        text_decoder_close(decoder);
    }
}

static void expect_lines(const char *text, size_t length, const char *encoding,
                         const char *const *expected)
{
    const char *path = scratch_path("text");
    LineReader *reader;
    Line line;
    bool more;
    scratch_write(path, text, length);
    assert_ok(line_reader_open(&reader, path, NULL));
    for (; *expected; expected++) {
        assert_ok(line_reader_next(reader, &line, &more, NULL));
        ck_assert(more && line.length == strlen(*expected));
        ck_assert(!memcmp(line.text, *expected, line.length));
    }
    assert_ok(line_reader_next(reader, &line, &more, NULL));
    ck_assert(!more);
    const char *told = line_reader_encoding(reader);
    ck_assert(encoding ? told && !strcmp(told, encoding) : !told);
    line_reader_close(reader);
}

#define EXPECT_LINES(text, encoding, ...)                                                          \
    expect_lines(text, sizeof text - 1, encoding, (const char *const[]){__VA_ARGS__, NULL})

TEST(lines)
{
    EXPECT_LINES("a\ncaf\xE9\r\n", "WINDOWS-1252", "a", "café");
    EXPECT_LINES("\xFF\xFE"
                 "a\0\n\0\xE9\0",
                 "UTF-16LE", "a", "é");
    EXPECT_LINES("\0a\0\r\0\n\0b", "UTF-16BE", "a", "b");
    EXPECT_LINES("caf\xC3\xA9\nd\xE9j\xE0", NULL, "café", "d\xE9j\xE0");
    EXPECT_LINES("a\xFF\n", NULL, "a\xFF");
}

// What is told by a later block, and characters on the edges of blocks.
TEST(long_texts)
{
    enum { LINES = 70000 };
    static char text[4 * LINES];
    const char *path = scratch_path("text");
    for (size_t kind = 0; kind < 2; kind++) {
        LineReader *reader;
        Line line;
        bool more = true;
        size_t count = 0, accented = 0;
        for (size_t i = 0; i < LINES; i++)
            memcpy(text + 4 * i, kind ? "\xE9\0\n\0" : i < LINES / 2 ? "abc\n" : "ab\xE9\n", 4);
        scratch_write(path, text, sizeof text);
        assert_ok(line_reader_open(&reader, path, NULL));
        for (;; count++) {
            assert_ok(line_reader_next(reader, &line, &more, NULL));
            if (!more) break;
            accented += line.length >= 2 && !memcmp(line.text + line.length - 2, "é", 2);
        }
        ck_assert_uint_eq(count, LINES);
        ck_assert_uint_eq(accented, kind ? LINES : LINES / 2);
        ck_assert(line_reader_share(reader) > 0.99);
        line_reader_close(reader);
    }
}
