#include "align/gold.h"
#include "align/link_lines.h"

// Adds a pair given as lines: the alignment's links, and those made by hand.
static void add(AerCounts *counts, const char *alignment, const char *gold)
{
    Links links = links_of(alignment), sure = {0}, possible = {0};
    const Line line = line_of(gold);
    assert_ok(links_parse(&sure, &possible, "g", &line, NULL));
    aer_add(counts, &links, &sure, &possible);
    links_free(&links);
    links_free(&sure);
    links_free(&possible);
}

TEST(by_hand)
{
    AerCounts counts = {0};
    // A = {0-0, 1-1, 1-2, 3-3}, S = {0-0, 1-1, 2-2}, P = S and {1-2}: A∩S = 2, A∩P = 3
    add(&counts, "0-0 1-1 1-2 3-3", "0-0 1-1 1?2 2-2");
    ck_assert_uint_eq(counts.links, 4);
    ck_assert_uint_eq(counts.sure, 3);
    ck_assert_uint_eq(counts.sure_hits, 2);
    ck_assert_uint_eq(counts.possible_hits, 3);
    ck_assert_double_eq_tol(aer_precision(&counts), 3.0 / 4, 1e-15);
    ck_assert_double_eq_tol(aer_recall(&counts), 2.0 / 3, 1e-15);
    ck_assert_double_eq_tol(aer(&counts), 1 - 5.0 / 7, 1e-15);

    // a second pair: A = S = P = {5-0}; the sums are 5, 4, 3, 4, which is not the mean of two rates
    add(&counts, "5-0", "5-0");
    ck_assert_double_eq_tol(aer_precision(&counts), 4.0 / 5, 1e-15);
    ck_assert_double_eq_tol(aer_recall(&counts), 3.0 / 4, 1e-15);
    ck_assert_double_eq_tol(aer(&counts), 1 - 7.0 / 9, 1e-15);
}

TEST(perfect_and_hopeless)
{
    AerCounts perfect = {0}, hopeless = {0};
    add(&perfect, "0-0 1-1", "0-0 1-1 2?2"); // a possible link left out costs nothing
    ck_assert_double_eq(aer(&perfect), 0);
    ck_assert_double_eq(aer_precision(&perfect), 1);
    ck_assert_double_eq(aer_recall(&perfect), 1);
    add(&hopeless, "0-1 1-0", "0-0 1-1");
    ck_assert_double_eq(aer(&hopeless), 1);
    ck_assert_double_eq(aer_precision(&hopeless), 0);
    ck_assert_double_eq(aer_recall(&hopeless), 0);
}

TEST(nothing_to_divide_by)
{
    AerCounts counts = {0};
    add(&counts, "", "");
    ck_assert_double_eq(aer_precision(&counts), 1);
    ck_assert_double_eq(aer_recall(&counts), 1);
    ck_assert_double_eq(aer(&counts), 0);

    add(&counts, "", "0-0"); // nothing said, all missed
    ck_assert_double_eq(aer_precision(&counts), 1);
    ck_assert_double_eq(aer_recall(&counts), 0);
    ck_assert_double_eq(aer(&counts), 1);

    counts = (AerCounts){0};
    add(&counts, "0-0 1-1", "0?0"); // no sure link: 1 − (0 + 1) / (2 + 0)
    ck_assert_double_eq(aer_recall(&counts), 1);
    ck_assert_double_eq(aer(&counts), 0.5);
}

TEST(sure_is_possible)
{
    Links links = {.items = (Link[]){{0, 0}}, .count = 1};
    Links none = {0};
    AerCounts counts = {0};
    aer_add(&counts, &links, &links, &none);
    ck_assert_uint_eq(counts.possible_hits, 1);
    ck_assert_double_eq(aer(&counts), 0);
}
