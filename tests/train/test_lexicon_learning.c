// A lexicon learned from links, by hand.
#include "train/lexicon_learning.h"

#include "support/failing_malloc.h"
#include "support/suite.h"
#include "text/special_tokens.h"

// 260 " ", 261 a, 262 b, 263 你, 264 好, 265 -, 266 A, 267 ·, 268 " a", 269 " b", 270 " A", 271 " 好",
// 272 " Ab"
static const char TOKENS[] =
    "{\"alphabet\": [\" \", \"a\", \"b\", \"\xE4\xBD\xA0\", \"\xE5\xA5\xBD\", \"-\", \"A\", "
    "\"\xC2\xB7\"],"
    " \"merges\": [[260, 261], [260, 262], [260, 266], [260, 264], [270, 262]]}";
enum {
    A = 261,
    B,
    NI,
    HAO,
    HYPHEN,
    CAPITAL_A,
    DOT,
    SPACE_A,
    SPACE_B,
    SPACE_CAPITAL_A,
    SPACE_HAO,
    SPACE_NAME
};

static Vocabulary *vocabulary;
static TokenCorpus corpus;
static Lexicon learned;

static void set_up(void)
{
    assert_ok(vocabulary_read(&vocabulary, TOKENS, NULL));
    corpus = (TokenCorpus){0};
}

static void tear_down(void)
{
    lexicon_free(&learned);
    token_corpus_free(&corpus);
    vocabulary_free(vocabulary);
}

TESTS_EACH(set_up, tear_down)

// A side of a pair, and links.
#define SIDE(...) (const int32_t[]){__VA_ARGS__}, sizeof((const int32_t[]){__VA_ARGS__}) / 4
#define LINKS(...)                                                                                 \
    (const SubwordLink[]){__VA_ARGS__},                                                            \
        sizeof((const SubwordLink[]){__VA_ARGS__}) / sizeof(SubwordLink)

static void add(const int32_t *source, size_t source_length, const int32_t *target,
                size_t target_length, const SubwordLink *links, size_t count)
{
    assert_ok(token_corpus_add(&corpus, source, source_length, target, target_length, NULL));
    assert_ok(token_corpus_link(&corpus, links, count, NULL));
}

static void learn(void)
{
    const Vocabulary *const vocabularies[2] = {vocabulary, vocabulary};
    assert_ok(lexicon_learn(&learned, &corpus, vocabularies, NULL));
}

static void expect_units(const uint16_t *units, size_t size, size_t count)
{
    ck_assert_uint_eq(learned.count, count);
    ck_assert_uint_eq(learned.size, size);
    ck_assert_mem_eq(learned.units, units, size * sizeof *units);
}

#define EXPECT_UNITS(count, ...)                                                                   \
    expect_units((const uint16_t[]){__VA_ARGS__}, sizeof((const uint16_t[]){__VA_ARGS__}) / 2,     \
                 count)
#define HEAD(tokens, value) ((tokens) + 256 * (value))
#define TEXT(tokens, value) (HEAD(tokens, value) + UNIT_IS_TEXT)

// "ab" is "ba" twice of three times, "a" is "b" twice of two; "bb" occurs once.
TEST(words)
{
    for (size_t i = 0; i < 2; i++)
        add(SIDE(SPACE_A, B, SPACE_A, HYPHEN), SIDE(SPACE_B, A, SPACE_B),
            LINKS({0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {2, 2, 1}));
    add(SIDE(SPACE_A, B, SPACE_B, B, HYPHEN), SIDE(SPACE_A), LINKS({2, 0, 1}, {3, 0, 1}));
    learn();
    EXPECT_UNITS(2, HEAD(1, 1), SPACE_A, HEAD(1, 170), SPACE_B, //
                 HEAD(2, 1), SPACE_A, B, HEAD(2, 128), SPACE_B, A);
    ck_assert_uint_eq(learned.edges[SPACE_A], EDGE_SPACE | EDGE_ENDS | EDGE_WORD);
    ck_assert_uint_eq(learned.edges[B], EDGE_BEGINS | EDGE_ENDS | EDGE_WORD);
    ck_assert_uint_eq(learned.edges[NI], EDGE_WORD);
    ck_assert_uint_eq(learned.edges[HYPHEN], 0);
}

// Han tokens that are linked to one word are a unit, of the likelier translation first.
TEST(han)
{
    for (size_t i = 0; i < 5; i++)
        add(SIDE(260, NI, HAO, HYPHEN), SIDE(i < 2 ? SPACE_A : SPACE_B),
            LINKS({1, 0, 9}, {2, 0, 7}));
    learn();
    EXPECT_UNITS(1, HEAD(2, 2), NI, HAO, HEAD(1, 128), SPACE_B, HEAD(1, 85), SPACE_A);
}

// Parts with a hyphen are one unit, words with a space between them none.
TEST(spaces)
{
    for (size_t i = 0; i < 2; i++) {
        add(SIDE(SPACE_A, HYPHEN, A), SIDE(SPACE_B), LINKS({0, 0, 1}, {1, 0, 1}, {2, 0, 1}));
        add(SIDE(SPACE_A, SPACE_B, HYPHEN), SIDE(SPACE_B), LINKS({0, 0, 1}, {1, 0, 1}));
    }
    learn();
    EXPECT_UNITS(1, TEXT(3, 1), SPACE_A, HYPHEN, A, HEAD(1, 170), SPACE_B);
}

/* A word of whose translation another source word has a part has none; a weak link does not count. The
 * lexicon has the first word all the same. */
TEST(consistent)
{
    for (size_t i = 0; i < 2; i++) {
        add(SIDE(SPACE_A, B, SPACE_B, HYPHEN), SIDE(SPACE_A),
            LINKS({0, 0, 2}, {1, 0, 2}, {2, 0, 4}));
        add(SIDE(SPACE_B, A, SPACE_B, HYPHEN), SIDE(SPACE_B),
            LINKS({0, 0, 4}, {1, 0, 4}, {2, 0, 2}));
    }
    learn();
    EXPECT_UNITS(2, HEAD(2, 0), SPACE_A, B, HEAD(2, 1), SPACE_B, A, HEAD(1, 170), SPACE_B);
}

// A mark before a name, or behind it, is no part of the translation.
TEST(marks_around)
{
    for (size_t i = 0; i < 2; i++)
        add(SIDE(HYPHEN, SPACE_A, B, HYPHEN), SIDE(NI, DOT, HAO, DOT),
            LINKS({0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {2, 3, 1}));
    learn();
    EXPECT_UNITS(1, HEAD(2, 1), SPACE_A, B, HEAD(1, 170), HAO);
}

/* Two words are a unit as a text, but nothing with a mark at its end. All of a short text without a space
 * inside is a unit, whatever its links are. */
TEST(texts)
{
    for (size_t i = 0; i < 2; i++) {
        add(SIDE(SPACE_A, SPACE_B), SIDE(SPACE_B, A), LINKS({0, 0, 1}));
        add(SIDE(SPACE_B), SIDE(SPACE_A), LINKS({0, 0, 1}));
        add(SIDE(SPACE_A, SPACE_A, HYPHEN), SIDE(SPACE_A, HYPHEN), LINKS({2, 1, 1}));
        add(SIDE(260, NI), SIDE(SPACE_A), LINKS({0, 0, 1}));
    }
    learn();
    EXPECT_UNITS(4, TEXT(1, 1), NI, HEAD(1, 170), SPACE_A,     //
                 HEAD(1, 1), SPACE_A, HEAD(2, 73), SPACE_B, A, //
                 HEAD(3, 1), SPACE_A, SPACE_B, TOKEN_EOS, HEAD(2, 170), SPACE_B, A, TEXT(1, 1),
                 SPACE_B, HEAD(1, 102), SPACE_A);
}

// 好 as a text is left out: the unit, which says the same, is one, too; 你 is another thing there.
TEST(texts_that_repeat)
{
    for (size_t i = 0; i < 2; i++) {
        add(SIDE(260, NI), SIDE(SPACE_A), LINKS({1, 0, 1}));
        add(SIDE(260, HAO), SIDE(SPACE_B), LINKS({1, 0, 1}));
    }
    for (size_t i = 0; i < 3; i++) add(SIDE(260, NI, HYPHEN), SIDE(SPACE_B), LINKS({1, 0, 1}));
    learn();
    EXPECT_UNITS(3, HEAD(3, 1), 260, NI, TOKEN_EOS, HEAD(1, 170), SPACE_A, //
                 HEAD(1, 2), NI, HEAD(1, 128), SPACE_B, HEAD(1, 85), SPACE_A, TEXT(1, 1), HAO,
                 HEAD(1, 170), SPACE_B);
}

/* The space that begins a text is not said inside one, before Han, nor is it read there; as a text 好 is
 * left out, too, since its unit says the same. */
TEST(spaces_before_han)
{
    for (size_t i = 0; i < 2; i++) {
        add(SIDE(SPACE_A, HYPHEN), SIDE(SPACE_HAO), LINKS({0, 0, 1}));
        add(SIDE(SPACE_B, HYPHEN), SIDE(260, NI), LINKS({0, 0, 1}, {0, 1, 1}));
        add(SIDE(SPACE_HAO), SIDE(SPACE_A), LINKS({0, 0, 1}));
    }
    learn();
    EXPECT_UNITS(3, TEXT(1, 1), HAO, HEAD(1, 170), SPACE_A, //
                 HEAD(1, 1), SPACE_A, HEAD(1, 170), HAO,    //
                 HEAD(1, 1), SPACE_B, HEAD(1, 170), NI);
}

// A word in lower case is a text, too; where the source has no case, that of the translation is free.
TEST(texts_in_lower_case)
{
    for (size_t i = 0; i < 2; i++) {
        add(SIDE(SPACE_A), SIDE(SPACE_B), LINKS({0, 0, 1}));
        add(SIDE(260, NI), SIDE(SPACE_CAPITAL_A), LINKS({1, 0, 1}));
    }
    for (size_t i = 0; i < 3; i++) {
        add(SIDE(SPACE_A, HYPHEN), SIDE(NI), LINKS({0, 0, 1}));
        add(SIDE(260, NI, HYPHEN), SIDE(SPACE_A), LINKS({1, 0, 1}));
    }
    learn();
    EXPECT_UNITS(3, TEXT(1, 2), NI, HEAD(1, 128), SPACE_A, HEAD(1, 85), SPACE_CAPITAL_A, //
                 HEAD(1, 2), SPACE_A, HEAD(1, 128), NI, HEAD(1, 85), SPACE_B,            //
                 HEAD(2, 1), SPACE_A, TOKEN_EOS, HEAD(1, 170), SPACE_B);
}

// What has a capital and, in lower case, several tokens.
TEST(names)
{
    for (size_t i = 0; i < 2; i++) add(SIDE(SPACE_NAME, HYPHEN), SIDE(SPACE_B), LINKS({0, 0, 1}));
    learn();
    EXPECT_UNITS(1, HEAD(1, 1), SPACE_NAME, HEAD(1, 170), SPACE_B);
    ck_assert(learned.edges[SPACE_NAME] & EDGE_NAME);
    ck_assert(!(learned.edges[SPACE_CAPITAL_A] & EDGE_NAME));
    ck_assert(!(learned.edges[SPACE_A] & EDGE_NAME));
}

// A name of several words is a unit as a text, and how often sentences have it says nothing.
TEST(names_of_several_words)
{
    for (size_t i = 0; i < 2; i++) {
        add(SIDE(SPACE_CAPITAL_A, SPACE_NAME), SIDE(SPACE_B), LINKS({0, 0, 1}));
        add(SIDE(SPACE_A, SPACE_CAPITAL_A, SPACE_NAME), SIDE(HYPHEN), LINKS({0, 0, 1}));
    }
    learn();
    EXPECT_UNITS(4, HEAD(1, 1), SPACE_A, HEAD(1, 170), HYPHEN, //
                 HEAD(4, 1), SPACE_A, SPACE_CAPITAL_A, SPACE_NAME, TOKEN_EOS, HEAD(1, 170), HYPHEN,
                 HEAD(1, 1), SPACE_CAPITAL_A, HEAD(1, 102), SPACE_B, //
                 TEXT(2, 1), SPACE_CAPITAL_A, SPACE_NAME, HEAD(1, 170), SPACE_B);
}

static void add_twice(void)
{
    for (size_t i = 0; i < 2; i++)
        add(SIDE(SPACE_A, B), SIDE(SPACE_B, A), LINKS({0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}));
}

TEST(out_of_memory)
{
    const Vocabulary *const vocabularies[2] = {vocabulary, vocabulary};
    add_twice();
    while (failing_malloc_next()) {
        failing_malloc_expect(lexicon_learn(&learned, &corpus, vocabularies, NULL));
        lexicon_free(&learned);
    }
}

TEST(nothing)
{
    learn();
    ck_assert_uint_eq(learned.count, 0);
    assert_ok(token_corpus_add(&corpus, SIDE(SPACE_A, B), SIDE(SPACE_B), NULL)); // without links
    lexicon_free(&learned);
    learn();
    ck_assert_uint_eq(learned.count, 0);
}
