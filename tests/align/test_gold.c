#include "align/gold.h"

#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

static Gold gold;

static void open_gold(const char *text)
{
    gold = (Gold){0};
    assert_ok(gold_open(&gold, scratch_text("x.align", text), NULL));
}

static void end_gold(void)
{
    gold_close(&gold);
    gold_close(&gold);
}

TEST(counts)
{
    bool more = false;
    Links links = {.items = (Link[]){{0, 0}, {1, 1}, {1, 2}, {3, 3}}, .count = 4}, none = {0};
    open_gold("0-0 1-1 1?2 2-2\r\n\n0?0\n");
    assert_ok(gold_add(&gold, &links, 4, 4, &more, NULL));
    assert_ok(gold_add(&gold, &none, 0, 0, &more, NULL));
    assert_ok(gold_add(&gold, &none, 1, 1, &more, NULL));
    ck_assert(more);
    assert_ok(gold_end(&gold, 3, "pairs", NULL));
    ck_assert_uint_eq(gold.counts.links, 4);
    ck_assert_uint_eq(gold.counts.sure, 3);
    ck_assert_uint_eq(gold.possible_links, 5);
    ck_assert_double_eq_tol(aer(&gold.counts), 1 - 5.0 / 7, 1e-15);
    end_gold();
}

static void expect_refused(const char *text, const char *message)
{
    Links none = {0};
    Error error = {0};
    bool more = true;
    open_gold(text);
    Status status = STATUS_OK;
    while (!status && more) status = gold_add(&gold, &none, 2, 3, &more, &error);
    ck_assert_int_eq(status, STATUS_FORMAT);
    assert_contains(error.text, message);
    end_gold();
}

TEST(refuses)
{
    expect_refused("0-0\n0_0\n", "x.align:2:1: '0_0' is not a link");
    expect_refused("-1-0\n", "x.align:1:1: '-1-0' is not a link");
    expect_refused("0-99999999999999999999\n", "'0-99999999999999999999' is not a link");
    expect_refused("0-0\n\n2-0\n", "x.align:3: link 2-0 is outside the pair of 2 source and 3");
    expect_refused("1?3\n", "x.align:1: link 1-3 is outside");
}

TEST(wrong_number_of_lines)
{
    Links none = {0};
    Error error = {0};
    bool more = true;
    open_gold("0-0\n\n0-0\n");
    assert_ok(gold_add(&gold, &none, 1, 1, &more, NULL));
    ck_assert_int_eq(gold_end(&gold, 1, "pairs.tsv", &error), STATUS_FORMAT);
    assert_contains(error.text, "x.align has 3 lines, but pairs.tsv has 1 pairs");
    end_gold();

    open_gold("0-0");
    for (int i = 0; i < 3; i++) assert_ok(gold_add(&gold, &none, 1, 1, &more, NULL));
    ck_assert(!more);
    ck_assert_uint_eq(gold.counts.sure, 1);
    ck_assert_int_eq(gold_end(&gold, 3, "pairs.tsv", &error), STATUS_FORMAT);
    assert_contains(error.text, "x.align has 1 lines, but pairs.tsv has 3 pairs");
    end_gold();
    ck_assert_int_eq(gold_open(&gold, "/nonexistent/x", &error), STATUS_IO);
    gold_close(&gold);
}
