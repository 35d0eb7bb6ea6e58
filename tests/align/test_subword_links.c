#include "align/subword_links.h"

#include "align/link_lines.h"
#include "align/subword_text.h"
#include "support/failing_malloc.h"

#include <stdio.h>
#include <string.h>

/* What the links of a line are among the subwords, target by target: "0:0 1:0" with the source
 * subword first. */
static void expect(Text source, Text target, const char *line, const char *expected)
{
    char text[256] = "";
    Links given = links_of(line);
    SubwordLinks links = {0};
    assert_ok(subword_links_set(&links, &given, side(&source), side(&target), NULL));
    for (size_t i = 0; i < links.count; i++) {
        char one[32];
        snprintf(one, sizeof one, "%s%u:%u", i ? " " : "", links.items[i].source,
                 links.items[i].target);
        strcat(text, one);
    }
    ck_assert_str_eq(text, expected);
    subword_links_free(&links);
    links_free(&given);
    spans_free(&source.units);
    spans_free(&target.units);
}

static const Text the_cats = {"the cats", UNITS_WORDS, {3, 5, 8}, 3, {0}};       // the| c|ats
static const Text chats_ici = {"chats ici", UNITS_WORDS, {2, 5, 9}, 3, {0}};     // ch|ats| ici
static const Text cat_runs = {"猫跑了。", UNITS_CHARACTERS, {3, 9, 12}, 3, {0}}; // 猫|跑了|。

TEST(words_of_several_subwords)
{
    expect(the_cats, chats_ici, "1-0",
           "1:0 2:0 1:1 2:1"); // every subword of the one with every of the other
    expect(the_cats, chats_ici, "0-1", "0:2");
    expect(the_cats, chats_ici, "1-0 0?0", "0:0 1:0 2:0 0:1 1:1 2:1"); // possible ones count too
    expect(the_cats, chats_ici, "0-0 0-1", "0:0 0:1 0:2");
    expect(the_cats, chats_ici, "", "");
}

TEST(subwords_of_several_units)
{
    expect(the_cats, cat_runs, "1-0", "1:0 2:0");
    expect(the_cats, cat_runs, "0-1 1-2", "0:1 1:1 2:1"); // 跑了 has the links of both
    expect(the_cats, cat_runs, "0-2", "0:1");
    expect(cat_runs, the_cats, "1-0", "1:0"); // and is linked for either
    expect(cat_runs, the_cats, "1-0 2-0 3-1", "1:0 2:1 2:2");
}

// The links of a soft alignment (target units, source units), "source:target=share", in percent.
static void expect_soft(Text source, Text target, float *weights, const char *expected)
{
    char text[256] = "";
    SubwordLinks links = {0};
    SoftSide sides[2] = {side(&source), side(&target)};
    const SoftAlignment soft = {weights, target.units.count, source.units.count, 0};
    assert_ok(subword_links_set_soft(&links, &soft, sides[0], sides[1], NULL));
    for (size_t i = 0; i < links.count; i++) {
        const SubwordLink *link = &links.items[i];
        char one[48];
        snprintf(one, sizeof one, "%s%u:%u=%.0f", i ? " " : "", link->source, link->target,
                 100.0 * link->weight / UINT16_MAX);
        strcat(text, one);
    }
    ck_assert_str_eq(text, expected);
    subword_links_free(&links);
    spans_free(&source.units);
    spans_free(&target.units);
}

// A word's weight is shared by its subwords; a row is made to sum to 1, or has no link at all.
TEST(soft)
{
    expect_soft(the_cats, chats_ici, (float[]){0.2F, 0.6F, 0.05F, 0.09F},
                "0:0=25 1:0=38 2:0=38 0:1=25 1:1=38 2:1=38");
    expect_soft(the_cats, chats_ici, (float[]){0, 0, 0.4F, 0}, "0:2=100");
    // 跑了 is one subword of two units: it has what both are linked to
    expect_soft(the_cats, cat_runs, (float[]){0, 1, 0.5F, 0, 1, 0.5F, 0, 0},
                "1:0=50 2:0=50 0:1=75 1:1=13 2:1=13");
    expect_soft(cat_runs, the_cats, (float[]){1, 0, 0, 0, 0, 0.5F, 0.25F, 0.25F},
                "0:0=100 1:1=75 2:1=25 1:2=75 2:2=25");
}

TEST(soft_without_units)
{
    const Text nothing = {"", UNITS_WORDS, {0}, 0, {0}};
    expect_soft(nothing, chats_ici, (float[]){0}, "");
    expect_soft(the_cats, nothing, (float[]){0}, "");
}

TEST(spaces_of_their_own)
{
    Text apart = {"a b", UNITS_WORDS, {1, 2, 3}, 3, {0}}; // a| |b
    expect(apart, apart, "1-1", "1:1 2:1 1:2 2:2");
    expect(apart, apart, "0-0", "0:0");
}

TEST(out_of_memory)
{
    Text source = the_cats, target = chats_ici;
    SoftSide sides[2] = {side(&source), side(&target)};
    const Link items[] = {{0, 0}, {1, 0}, {1, 1}};
    const Links given = {.items = (Link *)(size_t)items, .count = 3};
    while (failing_malloc_next()) {
        SubwordLinks links = {0};
        Error error = {0};
        bool failed =
            failing_malloc_expect(subword_links_set(&links, &given, sides[0], sides[1], &error));
        ck_assert_uint_eq(links.count, failed ? 0 : 8);
        assert_ok(subword_links_set(&links, &given, sides[0], sides[1], NULL));
        ck_assert_uint_eq(links.count, 8);
        subword_links_free(&links);
    }
    spans_free(&source.units);
    spans_free(&target.units);
}
