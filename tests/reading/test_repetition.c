// Words said twice in a row, and which hypotheses are left of those that repeat themselves.

#include "base/array.h"
#include "base/memory.h"
#include "reading/repetition.h"
#include "support/failing_malloc.h"
#include "support/learned_vocabulary.h"
#include "support/suite.h"

#include <string.h>

static bool repeats(const char *text)
{
    bool found;
    assert_ok(repetition_find(&found, text, strlen(text), NULL));
    return found;
}

TEST(repeated)
{
    static const char *const texts[] = {
        "She picked flowers flowers.", "from here from here", "a été été là été là",
        "什么时候什么时候来", "波士顿波士顿", "在 Boston Boston", "une école  école",
        "peut-être peut-être",
        // clauses, behind a comma
        "睡到晚上，睡到晚上农民来了", "they were tired, they were tired"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(repeats(texts[i]), "%s", texts[i]);
}

TEST(others)
{
    static const char *const texts[] = {
        "",           "nous nous sommes",     "If I had had that",
        "爸爸慢慢走", "thank you, thank you", "flower flowers, really",
        "苹果，苹果", "12345 12345",          "l'école l'école",
        "\xff\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(!repeats(texts[i]), "%s", texts[i]);
}

TEST(allocation_fails)
{
    bool found = true;
    Error error = {0};
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(repetition_find(&found, "flowers flowers", 15, &error)));
    ck_assert(!found);
}

// Leaves out those of three texts that repeat themselves; checks how many are left, and the first.
static void check(const char *source, const char *const texts[3], size_t left, const char *first)
{
    static const char *const learned[] = {"She picked flowers here", "She picked flowers here"};
    Vocabulary *vocabulary = learned_vocabulary(learned, 2, 400);
    Hypotheses hypotheses = {.count = 3};
    Bytes found = {0};
    assert_ok(array_new(&hypotheses.items, 3, "a test", NULL));
    for (size_t i = 0; i < 3; i++) {
        Subwords subwords = {0};
        assert_ok(vocabulary_encode(vocabulary, texts[i], strlen(texts[i]), &subwords, NULL));
        hypotheses.items[i] = (Hypothesis){.tokens = subwords.ids, .length = subwords.count};
        memory_free(subwords.ends);
    }
    assert_ok(repetition_leave_out(&hypotheses, text_view_of(source), vocabulary, NULL));
    ck_assert_uint_eq(hypotheses.count, left);
    const Hypothesis *best = &hypotheses.items[0];
    assert_ok(vocabulary_decode(vocabulary, best->tokens, best->length, &found, NULL));
    ck_assert_str_eq(found.data, first);
    bytes_free(&found);
    hypotheses_free(&hypotheses);
    vocabulary_free(vocabulary);
}

TEST(left_out)
{
    check("我", (const char *const[]){"She flowers flowers", "She picked", "here"}, 2,
          "She picked");
    check("我", (const char *const[]){"She", "flowers flowers", "here"}, 3, "She");
}

TEST(not_left_out)
{
    static const char *const all[] = {"flowers flowers", "picked picked", "here flowers flowers"};
    check("我", all, 3, "flowers flowers");
    check("真的真的", (const char *const[]){"flowers flowers", "She", "here"}, 3,
          "flowers flowers");
}
