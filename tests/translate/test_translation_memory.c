// Sources that are like a text: their similarity by hand, and how long they are looked for.
#include "translate/translation_memory.h"

#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static TranslationMemory *memory;
static MemoryMatch match;

static void open_memory(void)
{
    assert_ok(translation_memory_new(&memory, NULL));
}

static void close_memory(void)
{
    memory_match_free(&match);
    translation_memory_free(memory);
}

static void add(const char *source, const char *target)
{
    assert_ok(translation_memory_add(memory, text_view_of(source), text_view_of(target), NULL));
}

static void expect(const char *text, double similarity, const char *target)
{
    assert_ok(translation_memory_find(memory, text_view_of(text), &match, NULL));
    ck_assert_msg(fabs(match.similarity - similarity) < 1e-9, "%s: %g", text, match.similarity);
    if (similarity > 0) ck_assert_str_eq(match.target.data, target);
}

TESTS_EACH(open_memory, close_memory)

TEST(exact)
{
    expect("A cat.", 0, "");
    add("  A \t cat.", "Un chat.");
    add("", "rien");
    add("nothing", " ");
    expect("A cat.", 1, "Un chat.");
    expect("a Cat .", CASE_SIMILARITY, "Un chat."); // the same tokens
    expect("nothing", 0, "");
    expect("", 0, "");
    add("A cat.", "Une chatte.");
    expect("A cat.", 1, "Une chatte.");
}

TEST(similarity_by_hand)
{
    add("a b c d e f g h i j", "ten");
    expect("a b c d e f g h i x", 0.9, "ten");
    expect("x y z d e f g h i j", 0.7, "ten"); // replaced
    expect("x y z k e f g h i j", 0, "");
    expect("d e f g h i j", 0.7, "ten"); // left out
    expect("e f g h i j", 0, "");
    expect("a b c x d e f y g h i j z", 10 / 13.0, "ten"); // put in
    expect("b a c d e f g h i j", 0.8, "ten");
    expect("j i h g f e d c b a", 0, ""); // the same words
}

TEST(nearest_and_last)
{
    add("one two three four five", "first");
    add("one two three four six", "second");
    expect("one two three four seven", 0.8, "second");
    expect("one two three five", 0.8, "first");
    add("one two three four seven eight", "third");
    expect("one two three four seven", 5 / 6.0, "third");
}

TEST(partners)
{
    static const int32_t expected[] = {0, -1, 2, 4};
    add("the red cat sleeps", "le chat rouge dort");
    expect("the black cat often sleeps", 0, "");
    add("well , the red cat sleeps here now", "bon");
    expect("well , the black cat often sleeps here now", 7 / 9.0, "bon");
    ck_assert_uint_eq(match.count, 8);
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(match.partners[i + 2], expected[i] < 0 ? -1 : expected[i] + 2);
}

TEST(han)
{
    add("我明天去北京。", "I go to Beijing tomorrow.");
    expect("我今天去北京。", 6 / 7.0, "I go to Beijing tomorrow.");
}

TEST(long_texts_only_as_they_are)
{
    char text[4 * MAX_MEMORY_TOKENS];
    memset(text, 0, sizeof text);
    for (size_t i = 0; i <= MAX_MEMORY_TOKENS; i++) memcpy(text + 2 * i, "w ", 2);
    add(text, "long");
    text[2 * MAX_MEMORY_TOKENS + 1] = '\0';
    expect(text, 1, "long");
    text[2 * MAX_MEMORY_TOKENS] = 'v';
    expect(text, 0, "");
}

TEST(short_memory)
{
    add("a b c", "x");
    while (failing_malloc_next()) {
        bool failed = failing_malloc_expect(
            translation_memory_add(memory, text_view_of("a b d e"), text_view_of("y"), NULL));
        expect("a b c", 1, "x");
        if (failed) continue;
    }
    expect("a b d e", 1, "y");
}

// Sentences of 4 to 15 words, the k-th commonest of 20,000 about as often as 1/k.
static size_t random_sentence(char *text, Random *random)
{
    size_t length = 0, words = 4 + (size_t)(12 * random_uniform(random));
    for (size_t i = 0; i < words; i++)
        length += (size_t)sprintf(text + length, "w%.0f ", pow(20000, random_uniform(random)));
    return length;
}

TEST(a_hundred_thousand_in_less_than_two_milliseconds, .seconds = 60)
{
    enum { ENTRIES = 100000, QUERIES = 500 };
    char text[400];
    Random random = random_from(1, 0);
    for (size_t i = 0; i < ENTRIES; i++) {
        size_t length = random_sentence(text, &random);
        assert_ok(
            translation_memory_add(memory, (TextView){text, length}, text_view_of("x"), NULL));
    }
    size_t found = 0;
    double each = INFINITY; // of the best hundred: another program may disturb the others
    for (size_t i = 0; i < QUERIES / 100; i++) {
        clock_t begin = clock();
        for (size_t j = 0; j < 100; j++) {
            size_t length = random_sentence(text, &random);
            assert_ok(translation_memory_find(memory, (TextView){text, length - 1}, &match, NULL));
            found += match.similarity > 0;
        }
        each = fmin(each, (double)(clock() - begin) / CLOCKS_PER_SEC / 100);
    }
    printf("%.3f ms for each of %d texts, %zu found\n", 1000 * each, QUERIES, found);
#if !defined __SANITIZE_THREAD__ && !defined __SANITIZE_ADDRESS__
    const char *emulator = getenv("EMULATOR"); // tests/run
    if (!emulator || !*emulator) ck_assert_double_lt(each, 0.002);
#endif
}
