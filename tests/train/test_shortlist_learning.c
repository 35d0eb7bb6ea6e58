#include "train/shortlist_learning.h"

#include "support/small_model.h"
#include "support/suite.h"
#include "text/special_tokens.h"

#include <string.h>

// with </s> as many frequent ones as are always in
enum { SOURCES = 12, TARGETS = 1100, FREQUENT_FIRST = 300, FREQUENT = SHORTLIST_FREQUENT - 1 };
enum { RARE_FIRST = 900 };
_Static_assert((int)FREQUENT_FIRST + (int)FREQUENT <= (int)RARE_FIRST, "other tokens");

static SmallModel small;
static TokenCorpus corpus;

static void add(const int32_t *source, size_t source_length, const int32_t *target,
                size_t target_length)
{
    assert_ok(token_corpus_add(&corpus, source, source_length, target, target_length, NULL));
}

/* A model whose every number is 0 looks at all of a source alike. Source 4 with 900, 901; 5 with
 * 902; 4 5 6 with 901 903; and three times each of the FREQUENT tokens, with source 7. */
static void set_up(double scale)
{
    small_model_new(&small, SOURCES, TARGETS, scale, 1);
    corpus = (TokenCorpus){0};
    add((const int32_t[]){4}, 1, (const int32_t[]){901, 900}, 2);
    add((const int32_t[]){5}, 1, (const int32_t[]){902}, 1);
    add((const int32_t[]){4, 5, 6}, 3, (const int32_t[]){901, 903}, 2);
    for (int32_t i = 0; i < 3 * FREQUENT; i++)
        add((const int32_t[]){7}, 1, (const int32_t[]){FREQUENT_FIRST + i / 3}, 1);
}

static void tear_down(void)
{
    small_model_free(&small);
    token_corpus_free(&corpus);
}

static Shortlist learn(size_t thread_count)
{
    Shortlist learned;
    Threads *threads = NULL;
    assert_ok(threads_new(&threads, thread_count, NULL));
    assert_ok(shortlist_learn(&learned, &corpus, &small.params, threads, NULL));
    threads_free(threads);
    return learned;
}

static void expect_candidates(const Shortlist *list, int32_t source, const uint16_t *expected,
                              size_t count)
{
    ck_assert_int_eq(list->begin[source + 1] - list->begin[source], (int32_t)count);
    if (count > 0)
        ck_assert_mem_eq(list->ids + list->begin[source], expected, count * sizeof *expected);
}

TEST(by_hand)
{
    set_up(0);
    Shortlist learned = learn(2);
    const Shortlist *list = &learned;
    // specials, bytes, and the frequent ones, </s> among them
    ck_assert_uint_eq(list->always_count, 260 + FREQUENT);
    for (size_t i = 0; i < list->always_count; i++)
        ck_assert_int_eq(list->always[i], (int32_t)(i < 260 ? i : FREQUENT_FIRST + (i - 260)));
    for (int32_t source = 0; source < TOKEN_EOS; source++) expect_candidates(list, source, NULL, 0);
    expect_candidates(list, TOKEN_EOS, (const uint16_t[]){900, 901, 902, 903}, 4);
    expect_candidates(list, 4, (const uint16_t[]){900, 901, 903}, 3);
    expect_candidates(list, 5, (const uint16_t[]){901, 902, 903}, 3);
    expect_candidates(list, 6, (const uint16_t[]){901, 903}, 2);
    expect_candidates(list, 7, NULL, 0); // all of its own are always in
    expect_candidates(list, 11, NULL, 0);
    shortlist_free(&learned);
    ck_assert_ptr_null(learned.always);
    tear_down();
}

TEST(keeps_the_best)
{
    set_up(0);
    // source 8 with a hundred tokens, the later ones more often
    for (int32_t i = 0; i < 99; i++)
        for (int32_t times = 0; times < (i < 40 ? 1 : 2); times++)
            add((const int32_t[]){8}, 1, (const int32_t[]){RARE_FIRST + i}, 1);
    Shortlist learned = learn(1);
    const Shortlist *list = &learned;
    size_t count = (size_t)(list->begin[9] - list->begin[8]);
    ck_assert_uint_eq(count, MAX_SHORTLIST_CANDIDATES);
    ck_assert_int_ge(list->ids[list->begin[8]], RARE_FIRST + 40); // of those met twice
    for (size_t i = 1; i < count; i++)
        ck_assert_int_lt(list->ids[list->begin[8] + (int32_t)i - 1],
                         list->ids[list->begin[8] + (int32_t)i]);
    shortlist_free(&learned);
    tear_down();
}

TEST(threads_do_not_matter)
{
    set_up(3);
    Shortlist one = learn(1);
    for (size_t threads = 2; threads <= 4; threads += 2) {
        Shortlist more = learn(threads);
        size_t ids = (size_t)one.begin[SOURCES];
        ck_assert_uint_eq(more.always_count, one.always_count);
        ck_assert_mem_eq(more.begin, one.begin, (SOURCES + 1) * sizeof *one.begin);
        ck_assert_mem_eq(more.always, one.always, (one.always_count + ids) * sizeof *one.always);
        shortlist_free(&more);
    }
    shortlist_free(&one);
    tear_down();
}
