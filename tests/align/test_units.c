#include "align/units.h"
#include "support/suite.h"

#include <string.h>

// The units of a text, with | between two, must be `expected`.
static void expect(UnitKind kind, const char *text, const char *expected)
{
    Spans units = {0};
    Bytes joined = {0};
    assert_ok(units_split(&units, kind, text, strlen(text), NULL));
    for (size_t i = 0; i < units.count; i++) {
        const TextView unit = span_text(text_view_of(text), units.items[i]);
        ck_assert_uint_gt(unit.length, 0);
        if (i) assert_ok(bytes_append_string(&joined, "|", NULL));
        assert_ok(bytes_append(&joined, unit.data, unit.length, NULL));
    }
    ck_assert_str_eq(bytes_text(&joined), expected);
    bytes_free(&joined);
    spans_free(&units);
}

TEST(words)
{
    expect(UNITS_WORDS, "Le chat dort .", "Le|chat|dort|.");
    expect(UNITS_WORDS, "seul", "seul");
    expect(UNITS_WORDS, "我们 走。", "我们|走。");
    expect(UNITS_WORDS, "", "");
    expect(UNITS_WORDS, "  two\u3000 spaces\t", "two|spaces");
}

TEST(characters)
{
    expect(UNITS_CHARACTERS, "我 们。", "我|们|。");
    expect(UNITS_CHARACTERS, "a1 é", "a|1|é");
    expect(UNITS_CHARACTERS, "", "");
    expect(UNITS_CHARACTERS, " ", "");
    expect(UNITS_CHARACTERS, "𠀀𠀁", "𠀀|𠀁"); // beyond the first plane
}

TEST(marks_stay_with_their_base)
{
    // x with COMBINING TILDE and COMBINING DOT BELOW: no composed form exists, so NFC keeps three
    // code points
    expect(UNITS_CHARACTERS, "ax\u0303\u0323b", "a|x\u0303\u0323|b");
    expect(UNITS_CHARACTERS, "\u2764\uFE0Fa", "\u2764\uFE0F|a");
    expect(UNITS_CHARACTERS, "\u0915\u093F\u0924",
           "\u0915\u093F|\u0924"); // a Devanagari vowel sign has a column of its own
    // without a character before it, a mark is a unit of its own
    expect(UNITS_CHARACTERS, "\u0303", "\u0303");
    expect(UNITS_CHARACTERS, "a \u0303b", "a|\u0303|b");
    expect(UNITS_CHARACTERS,
           "a\x01"
           "b",
           "a|\x01|b"); // a control character takes no column either, but is no mark
}

TEST(invalid_bytes_are_units)
{
    Spans units = {0};
    assert_ok(units_split(&units, UNITS_CHARACTERS, "a\xFF\0b", 4, NULL));
    ck_assert_uint_eq(units.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(units.items[i].begin, i);
        ck_assert_uint_eq(units.items[i].end, i + 1);
    }
    spans_free(&units);
}

TEST(is_reused_and_appended_to)
{
    Spans units = {0};
    char text[2 * 5000];
    memset(text, ' ', sizeof text);
    for (size_t i = 0; i < sizeof text; i += 2) text[i] = 'x';
    assert_ok(units_split(&units, UNITS_WORDS, text, sizeof text, NULL));
    ck_assert_uint_eq(units.count, 5000);
    ck_assert_uint_eq(units.items[4999].begin, 9998);
    assert_ok(units_split(&units, UNITS_WORDS, "one", 3, NULL));
    ck_assert_uint_eq(units.count, 1);
    assert_ok(spans_append(&units, (Span){3, 4}, NULL)); // a neighbour, no space between
    ck_assert_uint_eq(units.count, 2);
    spans_free(&units);
}

TEST(default_follows_the_letters)
{
    size_t han = 0, letters = 0;
    const char *mixed = "我们 use 1。"; // 2 Han among 5 letters; digits and stops are none
    units_count_han(mixed, strlen(mixed), &han, &letters);
    ck_assert_uint_eq(han, 2);
    ck_assert_uint_eq(letters, 5);
    ck_assert_int_eq(units_default(han, letters), UNITS_WORDS);
    units_count_han("他", strlen("他"), &han, &letters); // 3 of 6 is not more than half
    ck_assert_int_eq(units_default(han, letters), UNITS_WORDS);
    units_count_han("他", strlen("他"), &han, &letters); // 4 of 7 is
    ck_assert_int_eq(units_default(han, letters), UNITS_CHARACTERS);
    ck_assert_int_eq(units_default(0, 0), UNITS_WORDS);
    ck_assert_int_eq(units_default(1, 1), UNITS_CHARACTERS);
}

TEST(units_of_a_subword)
{
    // "ab cd  e" has the units 0-2, 3-5 and 7-8; subwords of one space each stand for the unit behind
    Spans units = {0};
    assert_ok(units_split(&units, UNITS_WORDS, "ab cd  e ", 9, NULL));
    static const struct {
        Span subword, units;
    } cases[] = {
        {{0, 1}, {0, 1}}, {{1, 4}, {0, 2}}, {{4, 5}, {1, 2}}, {{5, 6}, {2, 3}},
        {{6, 7}, {2, 3}}, {{7, 8}, {2, 3}}, {{8, 9}, {3, 3}},
    };
    size_t first = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Span found = units_of_subword(&units, cases[i].subword, &first);
        ck_assert_uint_eq(found.begin, cases[i].units.begin);
        ck_assert_uint_eq(found.end, cases[i].units.end);
    }
    spans_free(&units);
}

TEST(names)
{
    ck_assert_str_eq(unit_kind_names[UNITS_WORDS], "words");
    ck_assert_str_eq(unit_kind_names[UNITS_CHARACTERS], "characters");
    ck_assert_ptr_null(unit_kind_names[2]);
}
