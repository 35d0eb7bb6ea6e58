// Words are likelier in the language whose words are spelt like them.
#include "language/spelling.h"

#include "base/memory.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

static Spelling *spelling;

static void learn(void)
{
    static const char *const words[] = {"chose", "cheval", "chaque", "chercher", "été"};
    spelling = memory_new(1, sizeof *spelling);
    ck_assert_ptr_nonnull(spelling);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        spelling_add(spelling, text_view_of(words[i]), 2);
}

static void release(void)
{
    memory_free(spelling);
}

TESTS_EACH(learn, release)

TEST(by_hand)
{
    // n words of weight 1, all "a": P(a | edge) and P(edge | a), each level with λ = 2
    Spelling *one = memory_new(1, sizeof *one);
    spelling_add(one, text_view_of("a"), 1);
    ck_assert_float_eq(one->words, 1);
    double uniform = (1 + 2 * 0.01) / (2 + 2), bigram = (1 + 2 * uniform) / (1 + 2);
    double trigram = (1 + 2 * bigram) / (1 + 2); // of the end, whose context has an edge before a
    ck_assert_double_eq_tol(spelling_log_p(one, text_view_of("a")), log(bigram) + log(trigram),
                            1e-6);
    memory_free(one);
}

TEST(likelier)
{
    ck_assert_double_gt(spelling_log_p(spelling, text_view_of("chacal")),
                        spelling_log_p(spelling, text_view_of("shacal")));
    ck_assert_double_gt(spelling_log_p(spelling, text_view_of("chose")),
                        spelling_log_p(spelling, text_view_of("chosa")));
    double one = spelling_log_p(spelling, text_view_of("chose"));
    ck_assert_double_eq_tol(spelling_log_p(spelling, text_view_of("chose, 12 chose!")), 2 * one,
                            1e-9);
    ck_assert_double_eq(spelling_log_p(spelling, text_view_of(" 12 …")), 0);
    ck_assert_double_eq(spelling_log_p(spelling, text_view_of("")), 0);
}

TEST(words_of_any_length)
{
    char text[1000];
    memset(text, 'e', sizeof text);
    spelling_add(spelling, (TextView){text, sizeof text}, 1);
    double log_p = spelling_log_p(spelling, (TextView){text, sizeof text});
    ck_assert(log_p < 0 && isfinite(log_p));
}
