#include "base/random.h"
#include "support/failing_malloc.h"
#include "text/utf8.h"
#include "text/vocabulary_case.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Checks the spellings of a text's subwords, with blanks between them.
static void check_encoding(const Vocabulary *vocabulary, const char *text, size_t length,
                           const char *expected)
{
    Subwords subwords = {0};
    Bytes shown = {0};
    assert_ok(vocabulary_encode(vocabulary, text, length, &subwords, NULL));
    for (size_t i = 0; i < subwords.count; i++)
        assert_ok(bytes_append_format(&shown, NULL, "%s%s", i ? " " : "",
                                      vocabulary_spelling(vocabulary, subwords.ids[i])));
    ck_assert_str_eq(shown.length ? shown.data : "", expected);
    bytes_free(&shown);
    subwords_free(&subwords);
}

#define CHECK_ENCODING(vocabulary, text, expected)                                                 \
    check_encoding(vocabulary, text, sizeof(text) - 1, expected)

static const char LOW[] = "{\"alphabet\": [\" \", \"l\", \"o\", \"w\", \"<\", \"s\", \">\"],"
                          " \"merges\": [[261, 262], [267, 263], [260, 268], [262, 263],"
                          "              [261, 270]]}";

/* Subwords: 260 space, 261 l, 262 o, 263 w, 264 <, 265 s, 266 >, 267 lo, 268 low, 269 space+low,
 * 270 ow; the last merge, l·ow, spells "low" again and gives 268. */
TEST(encodes_by_hand)
{
    Vocabulary *vocabulary = from_text(LOW);
    ck_assert_uint_eq(vocabulary_size(vocabulary), 271);
    CHECK_ENCODING(vocabulary, "low", SPACE "low");
    CHECK_ENCODING(vocabulary, "low low", SPACE "low " SPACE "low");
    CHECK_ENCODING(vocabulary, "slow", SPACE " s low");
    CHECK_ENCODING(vocabulary, "owl", SPACE " ow l");
    CHECK_ENCODING(vocabulary, "", "");
    CHECK_ENCODING(vocabulary, "\xC3\xA9", SPACE " <0xC3> <0xA9>");
    CHECK_ENCODING(vocabulary, SPACE, SPACE " <0xE2> <0x96> <0x81>"); // U+2581 itself
    CHECK_ENCODING(vocabulary, "<s>", SPACE " < s >");
    CHECK_ENCODING(vocabulary, "l\0w", SPACE " l <0x00> w");
    vocabulary_free(vocabulary);
}

TEST(ends_are_offsets_in_the_text)
{
    Vocabulary *vocabulary = from_text(LOW);
    Subwords subwords = {0};
    assert_ok(vocabulary_encode(vocabulary, "slow low\xC3\xA9", 10, &subwords, NULL));
    static const uint32_t ends[] = {0, 1, 4, 8, 9, 10}; // the space before the text has no place
    ck_assert_uint_eq(subwords.count, 6);
    ck_assert_mem_eq(subwords.ends, ends, sizeof ends);
    assert_ok(vocabulary_encode(vocabulary, "low", 3, &subwords, NULL));
    ck_assert_uint_eq(subwords.count, 1); // replaced, not appended
    ck_assert_uint_eq(subwords.ends[0], 3);
    assert_ok(vocabulary_encode(vocabulary, NULL, 0, &subwords, NULL));
    ck_assert_uint_eq(subwords.count, 0);
    subwords_free(&subwords);
    subwords_free(&subwords);
    vocabulary_free(vocabulary);
}

static void check_decoding(const Vocabulary *vocabulary, const int32_t *ids, size_t count,
                           const char *expected)
{
    Bytes out = {0};
    assert_ok(bytes_append_string(&out, "[", NULL));
    assert_ok(vocabulary_decode(vocabulary, ids, count, &out, NULL));
    ck_assert_str_eq(out.data + 1, expected);
    ck_assert_uint_eq(out.length, 1 + strlen(expected));
    bytes_free(&out);
}

#define CHECK_DECODING(vocabulary, expected, ...)                                                  \
    check_decoding(vocabulary, (const int32_t[]){__VA_ARGS__},                                     \
                   sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t), expected)
#define BYTE(value) (TOKEN_BYTES + (value))

TEST(decodes_by_hand)
{
    Vocabulary *vocabulary = from_text(LOW);
    check_decoding(vocabulary, NULL, 0, "");
    CHECK_DECODING(vocabulary, "low low", 269, 269);
    CHECK_DECODING(vocabulary, "low low", 268, 269); // no space at the beginning: none taken
    CHECK_DECODING(vocabulary, " low", 260, 269);    // two: one is kept
    CHECK_DECODING(vocabulary, "low", TOKEN_BOS, 269, TOKEN_UNK, TOKEN_EOS, TOKEN_PAD);
    CHECK_DECODING(vocabulary, "\xC3\xA9", BYTE(0xC3), BYTE(0xA9));
    CHECK_DECODING(vocabulary, "\xC3\xA9", BYTE(0xC3), TOKEN_PAD, BYTE(0xA9));
    vocabulary_free(vocabulary);
}

#define BAD "\xEF\xBF\xBD"

TEST(bytes_that_are_not_text)
{
    Vocabulary *vocabulary = from_text(LOW);
    CHECK_DECODING(vocabulary, BAD, BYTE(0xFF));
    CHECK_DECODING(vocabulary, BAD, BYTE(0xE2), BYTE(0x96));            // ended by the end
    CHECK_DECODING(vocabulary, BAD "low", BYTE(0xE2), BYTE(0x96), 268); // ended by a subword
    CHECK_DECODING(vocabulary, BAD " low" BAD, BYTE(0xC3), 269, BYTE(0xA9));
    CHECK_DECODING(vocabulary, BAD BAD BAD "l", BYTE(0xED), BYTE(0xA0), BYTE(0x80), 261);
    CHECK_DECODING(vocabulary, "low" BAD SPACE, 269, BYTE(0xF0), BYTE(0xE2), BYTE(0x96),
                   BYTE(0x81));
    vocabulary_free(vocabulary);
}

TEST(ids_outside_are_refused)
{
    Vocabulary *vocabulary = from_text(LOW);
    static const int32_t outside[] = {-1, 271, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < 4; i++) {
        Bytes out = {0};
        Error error = {0};
        assert_ok(bytes_append_string(&out, "kept", NULL));
        const int32_t ids[] = {269, outside[i]};
        ck_assert_int_eq(vocabulary_decode(vocabulary, ids, 2, &out, &error), STATUS_ARGUMENT);
        assert_contains(error.text, "not in the vocabulary of 271");
        ck_assert_str_eq(out.data, "kept");
        bytes_free(&out);
        size_t length = 9;
        ck_assert_ptr_null(vocabulary_spelling(vocabulary, outside[i]));
        ck_assert_str_eq(vocabulary_bytes(vocabulary, outside[i], &length), "");
        ck_assert_uint_eq(length, 0);
    }
    vocabulary_free(vocabulary);
    vocabulary_free(NULL);
}

TEST(spellings_are_unique_and_without_space)
{
    Vocabulary *vocabulary = learned();
    for (int32_t id = 0; id < (int32_t)vocabulary_size(vocabulary); id++) {
        const char *spelling = vocabulary_spelling(vocabulary, id);
        size_t spelt = strlen(spelling), length;
        ck_assert_uint_gt(spelt, 0);
        ck_assert_int_eq(vocabulary_find(vocabulary, spelling, spelt), id);
        for (size_t at = 0; at < spelt;) {
            uint32_t code_point;
            bool valid;
            at += utf8_decode(spelling + at, spelt - at, &code_point, &valid);
            ck_assert(valid && !utf8_is_space(code_point) && !utf8_is_control(code_point));
        }
        const char *bytes = vocabulary_bytes(vocabulary, id, &length);
        if (id < TOKEN_BYTES) ck_assert_uint_eq(length, 0);
        if (id >= TOKEN_BYTES && id < TOKEN_FIRST) {
            ck_assert_uint_eq(length, 1);
            ck_assert_int_eq((unsigned char)bytes[0], id - TOKEN_BYTES);
        }
        if (id >= TOKEN_FIRST)
            ck_assert_uint_eq(length, spelt - (strncmp(spelling, SPACE, 3) ? 0 : 2));
    }
    ck_assert_int_eq(vocabulary_find(vocabulary, "<pad>", 5), TOKEN_PAD);
    ck_assert_int_eq(vocabulary_find(vocabulary, "<unk>", 5), TOKEN_UNK);
    ck_assert_int_eq(vocabulary_find(vocabulary, "<s>", 3), TOKEN_BOS);
    ck_assert_int_eq(vocabulary_find(vocabulary, "</s>", 4), TOKEN_EOS);
    ck_assert_int_eq(vocabulary_find(vocabulary, "<0xE2>", 6), BYTE(0xE2));
    ck_assert_int_eq(vocabulary_find(vocabulary, SPACE, 3), TOKEN_FIRST);
    ck_assert_int_eq(vocabulary_find(vocabulary, "no such subword", 13), -1);
    ck_assert_int_eq(vocabulary_find(vocabulary, "", 0), -1);
    vocabulary_free(vocabulary);
}

// A word has the same subwords at the start of a text and inside it.
TEST(words_are_the_same_everywhere)
{
    Vocabulary *vocabulary = learned();
    Subwords alone = {0}, inside = {0};
    assert_ok(vocabulary_encode(vocabulary, "looked", 6, &alone, NULL));
    assert_ok(vocabulary_encode(vocabulary, "sea looked", 10, &inside, NULL));
    ck_assert_uint_gt(inside.count, alone.count);
    ck_assert_mem_eq(alone.ids, inside.ids + inside.count - alone.count,
                     alone.count * sizeof *alone.ids);
    subwords_free(&alone);
    subwords_free(&inside);
    vocabulary_free(vocabulary);
}

TEST(a_text_that_is_too_long)
{
    Vocabulary *vocabulary = learned();
    Subwords subwords = {0};
    Error error = {0};
    ck_assert_int_eq(vocabulary_encode(vocabulary, "x", UINT32_MAX, &subwords, &error),
                     STATUS_ARGUMENT); // nothing of it is read
    assert_contains(error.text, "a text of 4294967295 bytes is too long; split it");
    vocabulary_free(vocabulary);
}

// What comes out is all of the text, or an error; what was there before it stays.
TEST(out_of_memory)
{
    static const char text[] =
        "  The sea, the sea that nobody has ever seen: \xE5\xA4\xA7\xE6\xB5\xB7 ~";
    Vocabulary *vocabulary = learned();
    Subwords whole = {0};
    assert_ok(vocabulary_encode(vocabulary, text, sizeof text - 1, &whole, NULL));
    while (failing_malloc_next()) {
        Subwords subwords = {0};
        Status status = vocabulary_encode(vocabulary, text, sizeof text - 1, &subwords, NULL);
        if (!failing_malloc_expect(status))
            ck_assert_uint_eq(subwords.ends[subwords.count - 1], sizeof text - 1);
        subwords_free(&subwords);
    }
    while (failing_malloc_next()) {
        Bytes out = {0};
        Status status = bytes_append(&out, "before", 6, NULL);
        if (!status) status = vocabulary_decode(vocabulary, whole.ids, whole.count, &out, NULL);
        if (failing_malloc_expect(status))
            ck_assert(!out.data || !strcmp(out.data, "before"));
        else
            ck_assert_str_eq(out.data + 6, text);
        bytes_free(&out);
    }
    subwords_free(&whole);
    vocabulary_free(vocabulary);
}
