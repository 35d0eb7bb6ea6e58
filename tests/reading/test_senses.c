// What a word stands for, by a lexicon made by hand.
#include "reading/senses.h"

#include "support/failing_malloc.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <stdio.h>

// 260 " ", 261 a, 262 b, 263 A, 264 你, 265 好, 266 -, 267 " a", 268 " b", 269 " A"
static const char TOKENS[] =
    "{\"alphabet\": [\" \", \"a\", \"b\", \"A\", \"\xE4\xBD\xA0\", \"\xE5\xA5\xBD\", \"-\"],"
    " \"merges\": [[260, 261], [260, 262], [260, 263]]}";
enum { A = 261, B, CAPITAL_A, NI, HAO, HYPHEN, SPACE_A, SPACE_B, SPACE_CAPITAL_A };

// Each unit, and its translations with 255 p.
#define HEAD(tokens, value) ((tokens) + 256 * (value))
#define UNIT_NI_HAO HEAD(2, 1), NI, HAO, HEAD(1, 255), SPACE_A
#define UNIT_SPACE_NI_HAO HEAD(3, 1), 260, NI, HAO, HEAD(1, 51), SPACE_B
#define UNIT_A HEAD(1, 1), A, HEAD(1, 51), SPACE_B
#define UNIT_BA HEAD(2, 1), B, A, HEAD(1, 51), SPACE_B
#define UNIT_SPACE_A                                                                               \
    HEAD(1, 3), SPACE_A, HEAD(1, 102), SPACE_CAPITAL_A, HEAD(1, 51), HYPHEN, HEAD(1, 5), SPACE_B
#define UNIT_SPACE_AB                                                                              \
    HEAD(2, 2) + UNIT_IS_TEXT, SPACE_A, B, HEAD(2, 204), SPACE_B, SPACE_A, HEAD(1, 51), SPACE_B
#define TEXT_A_B HEAD(3, 1), SPACE_A, SPACE_B, TOKEN_EOS, HEAD(2, 255), SPACE_CAPITAL_A, SPACE_B
#define TEXT_A_CAPITAL_A HEAD(3, 1), SPACE_A, SPACE_CAPITAL_A, TOKEN_EOS, HEAD(1, 255), SPACE_B
#define TEXT_B_B HEAD(3, 1), SPACE_B, SPACE_B, TOKEN_EOS, HEAD(2, 255), SPACE_CAPITAL_A, HYPHEN
#define UNIT_SPACE_B HEAD(1, 2), SPACE_B, HEAD(1, 153), SPACE_A, HEAD(2, 51), NI, HAO
#define UNIT_SPACE_CAPITAL_A HEAD(1, 1), SPACE_CAPITAL_A, HEAD(1, 102), SPACE_B
#define TEXT_CAPITAL_A HEAD(2, 1), SPACE_CAPITAL_A, TOKEN_EOS, HEAD(1, 51), SPACE_CAPITAL_A
static const uint16_t units[] = {
    UNIT_SPACE_NI_HAO,    UNIT_A,        UNIT_BA,          UNIT_NI_HAO,  UNIT_SPACE_A,
    UNIT_SPACE_AB,        TEXT_A_B,      TEXT_A_CAPITAL_A, UNIT_SPACE_B, TEXT_B_B,
    UNIT_SPACE_CAPITAL_A, TEXT_CAPITAL_A};
static uint32_t places[] = {0, 6, 10, 15, 20, 28, 36, 43, 49, 56, 63, 67};
static const Lexicon lexicon = {NULL, units, sizeof units / sizeof *units, places, 12, {NULL}};

static Vocabulary *vocabulary;

static void set_up(void)
{
    assert_ok(vocabulary_read(&vocabulary, TOKENS, NULL));
}

static void tear_down(void)
{
    vocabulary_free(vocabulary);
}

TESTS_EACH(set_up, tear_down)

static Status find(Senses *senses, const char *text, bool alone)
{
    const Vocabulary *const vocabularies[2] = {vocabulary, vocabulary};
    return senses_find(senses, &lexicon, vocabularies, text_view_of(text), alone, NULL);
}

// The senses as text: their words with shares in percent.
static void expect(const char *text, const char *expected)
{
    char found[400] = "";
    Senses senses;
    assert_ok(find(&senses, text, false));
    for (size_t i = 0; i < senses.count; i++)
        (void)sprintf(found + strlen(found), "%s %.0f ", senses.items[i].word,
                      100 * senses.items[i].share);
    ck_assert_str_eq(found, expected);
}

// a: 0.4 and b: 0.02; a hyphen is no word. With a capital b: 0.4, a third of that in lower case.
TEST(spellings)
{
    expect("a", "a 95 b 5 ");
    expect("A", "a 72 b 28 ");
    expect("ab", "b a 80 b 20 ");
}

// "ba" is not known behind a space; in Chinese both are as good.
TEST(spaces)
{
    expect("ba", "b 100 ");
    expect("\xE4\xBD\xA0\xE5\xA5\xBD", "a 83 b 17 ");
}

TEST(marks)
{
    expect("(a!) ", "a 95 b 5 ");
    expect("\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82", "a 83 b 17 ");
}

TEST(han_alone)
{
    expect("b", "\xE4\xBD\xA0\xE5\xA5\xBD 100 ");
}

// The same of a text alone, with those of the whole, as they are written, before a slash.
static void expect_alone(const char *text, const char *expected)
{
    char found[400] = "";
    Senses senses;
    assert_ok(find(&senses, text, true));
    for (size_t i = 0; i < senses.count; i++)
        (void)sprintf(found + strlen(found), "%s/%s %.0f ",
                      senses.items[i].origin ? senses.items[i].spelling : "", senses.items[i].word,
                      100 * senses.items[i].share);
    ck_assert_str_eq(found, expected);
}

/* "A" has 6 · 0.2 more for "A" than in the midst of a text; "A B" is looked up in lower case, and what
 * has marks around it is not that text, other than at the end of a sentence of several words. */
TEST(whole_texts)
{
    expect_alone("A", "A/a 84 /b 16 ");
    expect_alone("a b", "A b/a b 100 ");
    expect_alone("A B", "A b/a b 100 ");
    expect_alone("b b", "A-/a- 100 "); // with its mark, unlike that of a word
    expect_alone("a b!", "A b/a b 100 ");
    expect_alone("a b \xE2\x80\xA6", "A b/a b 100 ");
    expect_alone("A!", "/a 72 /b 28 ");
    expect_alone("A A!", "b/b 100 "); // as "a A"
    expect_alone("a b,", "A b/a b 100 ");
    expect_alone("a b 2.", "");
    expect_alone("(a b)", "");
    expect_alone("a", "/a 95 /b 5 ");
    expect_alone("ab", "b a/b a 92 /b 8 "); // a unit that is a text, too
}

static void expect_end(const char *text, const char *expected)
{
    const TextView end = senses_end(text_view_of(text));
    ck_assert(text_view_equal(end, text_view_of(expected)));
}

TEST(ends)
{
    expect_end("a b", "");
    expect_end("a b!", "!");
    expect_end("a\xC2\xA0?", "\xC2\xA0?");
    expect_end("\xE4\xBD\xA0\xE3\x80\x82", "\xE3\x80\x82");
    expect_end("a 2.", "");
    expect_end("...", "");
}

TEST(none)
{
    static const char *const texts[] = {"", " ", "-", "a b", "bb", "bbbbbbbbb"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect(texts[i], "");
    const Lexicon empty = {.count = 0};
    const Vocabulary *const vocabularies[2] = {vocabulary, vocabulary};
    Senses senses;
    assert_ok(senses_find(&senses, &empty, vocabularies, (TextView){"a", 1}, true, NULL));
    ck_assert_uint_eq(senses.count, 0);
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        Senses senses;
        failing_malloc_expect(find(&senses, "A", true));
    }
}
