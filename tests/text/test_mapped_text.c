// Places in a text and in its original, after it was edited.

#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/suite.h"
#include "text/mapped_text.h"
#include "text/normalise.h"

#include <string.h>

static MappedText set(const char *text)
{
    MappedText mapped = {0};
    assert_ok(mapped_set(&mapped, text, strlen(text), NULL));
    return mapped;
}

static void replace(MappedText *mapped, size_t begin, size_t end, const char *with)
{
    assert_ok(mapped_replace(mapped, begin, end, with, strlen(with), NULL));
}

static void finish(MappedText *mapped, const char *expected)
{
    assert_ok(mapped_finish(mapped, NULL));
    ck_assert_str_eq(bytes_text(&mapped->text), expected);
}

TEST(replace)
{
    MappedText mapped = set("Voir https://x.org ici.");
    replace(&mapped, 5, 18, "<U>");
    finish(&mapped, "Voir <U> ici.");
    ck_assert_uint_eq(mapped_origin(&mapped, 5), 5);
    for (size_t end = 6; end <= 8; end++) ck_assert_uint_eq(mapped_origin(&mapped, end), 18);
    ck_assert_uint_eq(mapped_origin(&mapped, 13), 23);
    ck_assert_uint_eq(mapped_place(&mapped, 5), 5);
    ck_assert_uint_eq(mapped_place(&mapped, 17), 5);
    ck_assert_uint_eq(mapped_place(&mapped, 18), 8);
    ck_assert_uint_eq(mapped_place(&mapped, 23), 13);
    // a second pass; the original is the same
    replace(&mapped, 0, 4, "see");
    replace(&mapped, 7, 8, "");
    finish(&mapped, "see <U ici.");
    ck_assert_uint_eq(mapped_origin(&mapped, 3), 4);
    ck_assert_uint_eq(mapped_origin(&mapped, 6), 18);
    ck_assert_uint_eq(mapped_place(&mapped, 18), 6);
    mapped_free(&mapped);
}

// What is inserted belongs to what follows, and at the end to nothing.
TEST(insert)
{
    MappedText mapped = set("ab");
    replace(&mapped, 1, 1, " ");
    replace(&mapped, 2, 2, ".");
    finish(&mapped, "a b.");
    ck_assert_uint_eq(mapped_place(&mapped, 1), 1);
    ck_assert_uint_eq(mapped_place(&mapped, 2), 3);
    ck_assert_uint_eq(mapped_origin(&mapped, 2), 2);
    ck_assert_uint_eq(mapped_origin(&mapped, 4), 2);
    mapped_free(&mapped);
}

TEST(nothing)
{
    MappedText mapped = set("");
    finish(&mapped, "");
    ck_assert_uint_eq(mapped_place(&mapped, 0), 0);
    ck_assert_uint_eq(mapped_origin(&mapped, 0), 0);
    replace(&mapped, 0, 0, "x");
    finish(&mapped, "x");
    ck_assert_uint_eq(mapped_origin(&mapped, 1), 0);
    assert_ok(mapped_set(&mapped, "ab", 2, NULL)); // used again
    replace(&mapped, 0, 2, "");
    finish(&mapped, "");
    ck_assert_uint_eq(mapped_place(&mapped, 2), 0);
    mapped_free(&mapped);
}

static void check_normal(const char *text, const char *normal, const size_t *places)
{
    MappedText mapped = {0};
    assert_ok(mapped_normalise(&mapped, text, strlen(text), NULL, NULL));
    ck_assert_str_eq(bytes_text(&mapped.text), normal);
    for (size_t i = 0; i <= strlen(text); i++)
        ck_assert_msg(mapped_place(&mapped, i) == places[i], "\"%s\": %zu is at %zu, not %zu", text,
                      i, mapped_place(&mapped, i), places[i]);
    mapped_free(&mapped);
}

TEST(normalise)
{
    check_normal("a b", "a b", (const size_t[]){0, 1, 2, 3});
    check_normal(" a\t b ", "a b", (const size_t[]){0, 0, 1, 1, 1, 3, 3});
    check_normal("e\xcc\x81x", "\xc3\xa9x", (const size_t[]){0, 0, 0, 2, 3});
    check_normal("a\xfft", "a\xef\xbf\xbdt", (const size_t[]){0, 1, 4, 5});
}

// A span of the original has no space at its ends in the text; it may be nowhere.
TEST(spans)
{
    MappedText mapped = {0};
    const char *text = "a  <b c> \t d";
    assert_ok(mapped_normalise(&mapped, text, strlen(text), NULL, NULL)); // a <b c> d
    Span span = mapped_span(&mapped, (Span){1, 9}), nowhere = mapped_span(&mapped, (Span){1, 3});
    ck_assert(span.begin == 2 && span.end == 7);
    ck_assert_uint_eq(nowhere.begin, nowhere.end);
    mapped_free(&mapped);
}

// Texts of all kinds: the normal form is that of text/normalise.h, and no place goes back.
TEST(normalise_anything)
{
    static const char *const parts[] = {
        "a",    " ",  "\t",     "\xcc\x81",     "\xe1\x84\x80", "\xe1\x85\xa1",
        "é",    "が", "か",     "\xe3\x82\x99", "\xef",         "\xef\xbf",
        "\xff", "我", "\u2126", "\u1e9b\u0323"};
    Random random = random_from(5, 0);
    MappedText mapped = {0};
    Bytes text = {0}, normal = {0};
    for (int trial = 0; trial < 2000; trial++) {
        bytes_clear(&text);
        for (size_t i = random_below(&random, 12); i > 0; i--)
            assert_ok(bytes_append_string(
                &text, parts[random_below(&random, sizeof parts / sizeof *parts)], NULL));
        assert_ok(normalise(&normal, bytes_text(&text), text.length, NULL, NULL));
        assert_ok(mapped_normalise(&mapped, bytes_text(&text), text.length, NULL, NULL));
        ck_assert_str_eq(bytes_text(&mapped.text), bytes_text(&normal));
        for (size_t i = 0; i < normal.length; i++) {
            ck_assert_uint_le(mapped.origins[i], text.length);
            if (i > 0) ck_assert_uint_le(mapped.origins[i - 1], mapped.origins[i]);
        }
        ck_assert_uint_eq(mapped_place(&mapped, text.length), normal.length);
    }
    mapped_free(&mapped);
    bytes_free(&text);
    bytes_free(&normal);
}

// What is cut off of U+FFFD looks like its beginning, and what follows stays in its place.
TEST(half_a_replacement)
{
    static const char *const texts[] = {"a\xef z", "a\xef\xbf z", "a\xff z"};
    for (size_t i = 0; i < 3; i++) {
        MappedText mapped = {0};
        size_t length = strlen(texts[i]);
        assert_ok(mapped_normalise(&mapped, texts[i], length, NULL, NULL));
        ck_assert_str_eq(mapped.text.data, "a\ufffd z");
        for (size_t end = 2; end <= 4; end++)
            ck_assert_uint_eq(mapped_origin(&mapped, end), length - 2);
        ck_assert_uint_eq(mapped_origin(&mapped, 5), length - 1);
        ck_assert_uint_eq(mapped_origin(&mapped, 6), length);
        mapped_free(&mapped);
    }
}

static Status rewrite(MappedText *mapped, const char *text)
{
    TRY(mapped_set(mapped, text, strlen(text), NULL));
    TRY(mapped_normalise(mapped, text, strlen(text), NULL, NULL));
    TRY(mapped_keep(mapped, 1, NULL));
    TRY(mapped_replace(mapped, 2, 3, "what is longer than all of the text was", 39, NULL));
    return mapped_finish(mapped, NULL);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        MappedText mapped = {0};
        bool failed = failing_malloc_expect(rewrite(&mapped, "e\u0301 \u1e9b\u0323  b"));
        if (!failed)
            ck_assert_str_eq(mapped.text.data,
                             "\u00e9what is longer than all of the text was\u1e9b\u0323 b");
        mapped_free(&mapped);
    }
}

// An empty text, and one that becomes empty.
TEST(of_nothing)
{
    MappedText mapped = {0};
    ck_assert_uint_eq(mapped_span(&mapped, (Span){0, 0}).end, 0);
    assert_ok(mapped_normalise(&mapped, " \t ", 3, NULL, NULL));
    ck_assert_uint_eq(mapped.text.length, 0);
    ck_assert_uint_eq(mapped_origin(&mapped, 0), 0);
    mapped_free(&mapped);
    mapped = set(" ");
    Span span = mapped_span(&mapped, (Span){0, 1});
    ck_assert_uint_eq(span.begin, span.end);
    mapped_free(&mapped);
}
