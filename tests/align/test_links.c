#include "align/link_lines.h"
#include "base/random.h"

#include <math.h>

// A threshold of 1: each target unit's strongest link.
TEST(best)
{
    float weights[5 * 3] = {
        0.125F, 0.25F,  0.625F, //
        0.375F, 0.375F, 0.25F,  // a tie, since both columns sum to 1.25: the lower source
        0.0F,   0.0F,   0.0F,   // nothing to believe: no link
        0.25F,  0.25F,  0.5F,   //
        0.5F,   0.375F, 0.125F,
    };
    static const struct {
        size_t targets, sources;
        const char *expected;
    } cases[] = {{5, 3, "0-1 0-4 2-0 2-3"}, {0, 3, ""}, {5, 0, ""}, {1, 1, "0-0"}};
    Links links = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SoftAlignment soft = {weights, cases[i].targets, cases[i].sources, 15};
        assert_ok(links_from_soft(&links, &soft, 1, true, NULL));
        expect_line(&links, cases[i].expected);
    }
    links_free(&links);
}

/* By hand: the columns sum to 1, 1 and 0.5, so that the strengths are 0.5 0.5 0 | 0.5 0.25 0.1875 |
 * 0 0.25 0.5625. */
TEST(threshold)
{
    float weights[3 * 3] = {0.5F, 0.5F, 0, 0.5F, 0.25F, 0.125F, 0, 0.25F, 0.375F};
    SoftAlignment soft = {weights, 3, 3, 9};
    Links links = {0};
    assert_ok(links_from_soft(&links, &soft, 0.5F, true, NULL));
    expect_line(&links, "0-0 0-1 1-0 2-2"); // one that equals the threshold counts
    assert_ok(links_from_soft(&links, &soft, 0.9F, true, NULL));
    expect_line(&links, "0-0 0-1 2-2"); // the best counts in any case
    assert_ok(links_from_soft(&links, &soft, 0.5625F, false, NULL));
    expect_line(&links, "2-2"); // unless it need not
    assert_ok(links_from_soft(&links, &soft, 0.1875F, true, NULL));
    expect_line(&links, "0-0 0-1 1-0 1-1 1-2 2-1 2-2");
    assert_ok(links_from_soft(&links, &soft, MIN_STRENGTH, true, NULL));
    expect_line(&links, "0-0 0-1 1-0 2-2");

    const float wrong[] = {0.0F, -0.1F, 1.01F, NAN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Error error = {0};
        ck_assert_int_eq(links_from_soft(&links, &soft, wrong[i], true, &error), STATUS_ARGUMENT);
        assert_contains(error.text, "threshold");
        ck_assert_uint_eq(links.count, 0);
    }
    links_free(&links);
}

// A source unit that all attend to loses to one that a single target unit attends to.
TEST(shared_sources_count_less)
{
    float weights[2 * 2] = {0.95F, 0.05F, 0.55F, 0.45F};
    SoftAlignment soft = {weights, 2, 2, 4};
    Links links = {0};
    assert_ok(links_from_soft(&links, &soft, 1, true, NULL));
    expect_line(&links, "0-0 1-1");
    links_free(&links);
}

// Sets made by hand: any order, twice the same.
TEST(append_and_sort)
{
    Links links = {0};
    static const uint32_t given[][2] = {{3, 1}, {0, 2}, {3, 1}, {0, 1}};
    for (size_t i = 0; i < 4; i++) assert_ok(links_append(&links, given[i][0], given[i][1], NULL));
    links_sort(&links);
    expect_line(&links, "0-1 0-2 3-1");
    ck_assert_uint_eq(links_find(&links, (Link){3, 1}), 2);
    ck_assert_uint_eq(links_find(&links, (Link){1, 1}), links.count);
    Error error = {0};
    ck_assert_int_eq(links_append(&links, (size_t)UINT32_MAX + 1, 0, &error), STATUS_ARGUMENT);
    links_free(&links);
}

TEST(parses)
{
    static const struct {
        const char *text, *sure, *possible;
    } cases[] = {
        {"0-0 1?2 3-1", "0-0 3-1", "0-0 1-2 3-1"},
        {"", "", ""},
        {" \t ", "", ""},
        {"\r", "", ""},
        {"7-3\t2?5  0-1 \r", "0-1 7-3", "0-1 2-5 7-3"},
        {"1-1 1-1 1?1", "1-1", "1-1"}, // a set
        {"10-9 9-10 9-2", "9-2 9-10 10-9", "9-2 9-10 10-9"},
        {"007-0", "7-0", "7-0"},
        {"999999?0", "", "999999-0"},
    };
    Links sure = {0}, possible = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Error error = {0};
        const Line line = line_of(cases[i].text);
        ck_assert_msg(!links_parse(&sure, &possible, "gold", &line, &error), "'%s': %s", line.text,
                      error.text);
        expect_line(&sure, cases[i].sure);
        expect_line(&possible, cases[i].possible);
    }
    links_free(&sure);
    links_free(&possible);
}

TEST(refuses)
{
    static const struct {
        const char *text, *place, *shown;
    } cases[] = {
        {"0-0 x-1", "gold.align:12:5:", "'x-1'"},
        {"0-", "gold.align:12:1:", "'0-'"},
        {"-1", "gold.align:12:1:", "'-1'"},
        {"0-0 1", "gold.align:12:5:", "'1'"},
        {"0--1", "gold.align:12:1:", "'0--1'"},
        {"0-0-0", "gold.align:12:1:", "'0-0-0'"},
        {"0-0,1-1", "gold.align:12:1:", "'0-0,1-1'"},
        {"0 - 0", "gold.align:12:1:", "'0'"},
        {"0-0\r 1-1", "gold.align:12:1:", "'0-0"}, // CR in the middle
        {"0-1000000", "gold.align:12:1:", "to 999999"},
        {"99999999999999999999999999-0", "gold.align:12:1:", "to 999999"},
        {"0-18446744073709551616", "gold.align:12:1:", "to 999999"},
        {"0-\xD9\xA1", "gold.align:12:1:", "is not a link"}, // ARABIC-INDIC DIGIT ONE
    };
    Links sure = {0}, possible = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Error error = {0};
        Line line = line_of(cases[i].text);
        line.number = 12;
        ck_assert_int_eq(links_parse(&sure, &possible, "gold.align", &line, &error), STATUS_FORMAT);
        ck_assert_msg(strstr(error.text, cases[i].place) == error.text, "%s", error.text);
        assert_contains(error.text, cases[i].shown);
        ck_assert_uint_eq(sure.count, 0);
        ck_assert_uint_eq(possible.count, 0);
    }
    links_free(&sure);
    links_free(&possible);
}

TEST(checks_the_range)
{
    const Links none = {0};
    Links possible = links_of("0-0 1-3 2?1");
    assert_ok(links_check(&possible, 3, 4, "g", 9, NULL));
    Error error = {0};
    ck_assert_int_eq(links_check(&possible, 2, 4, "g", 9, &error), STATUS_FORMAT);
    ck_assert_ptr_eq(strstr(error.text, "g:9: link 2-1"), error.text);
    ck_assert_int_eq(links_check(&possible, 3, 3, "g", 9, &error), STATUS_FORMAT);
    assert_contains(error.text, "link 1-3 is outside the pair of 3 source and 3");
    assert_ok(links_check(&none, 0, 0, "g", 9, NULL));
    links_free(&possible);
}

TEST(contains)
{
    Links sure = {0}, possible = {0};
    const Line line = line_of("5-5 0-0 1?2");
    ck_assert(!links_contain(&sure, (Link){0, 0}));
    assert_ok(links_parse(&sure, &possible, "g", &line, NULL));
    ck_assert(links_contain(&sure, (Link){5, 5}));
    ck_assert(!links_contain(&sure, (Link){1, 2}));
    ck_assert(links_contain(&possible, (Link){1, 2}));
    ck_assert(!links_contain(&possible, (Link){2, 1}));
    links_free(&sure);
    links_free(&possible);
}

// Random bytes, mostly of the alphabet of links: what is taken must be written and read again the
// same.
TEST(random_lines)
{
    static const char alphabet[] = "0123456789--??  \t\r\0\x80x";
    Random random = random_from(3, 1);
    Links sure = {0}, possible = {0};
    size_t taken = 0;
    for (int round = 0; round < 20000; round++) {
        char line[16];
        size_t length = random_below(&random, sizeof line);
        for (size_t i = 0; i < length; i++)
            line[i] = alphabet[random_below(&random, sizeof alphabet - 1)];
        Error error = {0};
        if (links_parse(&sure, &possible, "fuzz", &(Line){line, length, 1, false}, &error)) {
            ck_assert_ptr_eq(strstr(error.text, "fuzz:1:"), error.text);
            continue;
        }
        taken += possible.count > 0;
        Bytes out = line_with(&possible);
        Links again = links_of(out.data);
        ck_assert_uint_eq(again.count, possible.count);
        for (size_t i = 0; i < again.count; i++)
            ck_assert(links_contain(&possible, again.items[i]));
        for (size_t i = 0; i < sure.count; i++) ck_assert(links_contain(&possible, sure.items[i]));
        bytes_free(&out);
        links_free(&again);
    }
    ck_assert_uint_gt(taken, 100);
    links_free(&sure);
    links_free(&possible);
}
