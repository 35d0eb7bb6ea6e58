#include "align/link_lines.h"
#include "base/random.h"
#include "support/failing_malloc.h"

enum { UNITS = 6 }; // on either side of the cases here

static void expect(const char *forward, const char *reverse, Symmetrization way,
                   const char *expected)
{
    Links sides[2] = {links_of(forward), links_of(reverse)}, joint = {0};
    assert_ok(links_symmetrize(&joint, way, &sides[0], &sides[1], NULL));
    expect_line(&joint, expected);
    links_free(&sides[0]);
    links_free(&sides[1]);
    links_free(&joint);
}

TEST(sets)
{
    static const char forward[] = "0-0 1-1 2-3", reverse[] = "0-0 1-2 2-3 4-4";
    expect(forward, reverse, SYMMETRIZE_INTERSECTION, "0-0 2-3");
    expect(forward, reverse, SYMMETRIZE_UNION, "0-0 1-1 1-2 2-3 4-4");
    expect("", reverse, SYMMETRIZE_INTERSECTION, "");
    expect("", reverse, SYMMETRIZE_UNION, reverse);
    for (Symmetrization way = 0; symmetrization_names[way]; way++) {
        expect("", "", way, "");
        expect(reverse, reverse, way, reverse);
    }
}

/* From the intersection {0-0}: 1-1 touches it at a corner; then 1-2 touches 1-1 and brings target 2 its first link, and
 * 2-2 touches 1-1 and brings source 2 its own. */
TEST(grows)
{
    expect("0-0 1-1 1-2", "0-0 2-2", SYMMETRIZE_GROW_DIAG_FINAL_AND, "0-0 1-1 1-2 2-2");
    expect("0-0 1-1", "0-0 0-1", SYMMETRIZE_GROW_DIAG_FINAL_AND, "0-0 0-1 1-1");
    // sides come before corners: 0-1 and 1-0 are taken in, and then nothing is left for 1-1 to bring
    expect("0-0 0-1 1-1", "0-0 1-0", SYMMETRIZE_GROW_DIAG_FINAL_AND, "0-0 0-1 1-0");
}

/* 3-3 touches nothing that is taken. Its units have no link, so final-and takes it; 0-3 and 3-0 each have one unit with a
 * link, and final (without "and") alone would take them. */
TEST(final_and)
{
    expect("0-0 3-3", "0-0", SYMMETRIZE_GROW_DIAG_FINAL_AND, "0-0 3-3");
    expect("0-0 0-3", "0-0 3-0", SYMMETRIZE_GROW_DIAG_FINAL_AND, "0-0");
    // forward comes first: 5-3 has lost its target by then
    expect("0-0 3-3", "0-0 5-3 5-5", SYMMETRIZE_GROW_DIAG_FINAL_AND, "0-0 3-3 5-5");
    // without an intersection there is nothing to grow from, and final-and takes what it can in order
    expect("0-0 1-0", "1-1", SYMMETRIZE_GROW_DIAG_FINAL_AND, "0-0 1-1");
}

// intersection ⊆ grow-diag-final-and ⊆ union; a unit with links in the union has one in the result, or its partner has.
TEST(random_sets)
{
    Random random = random_from(5, 2);
    for (int round = 0; round < 2000; round++) {
        Links sides[2] = {{0}, {0}}, joint[3] = {{0}, {0}, {0}};
        for (int side = 0; side < 2; side++) {
            for (uint64_t i = random_below(&random, 8); i > 0; i--)
                assert_ok(links_append(&sides[side], random_below(&random, UNITS),
                                       random_below(&random, UNITS), NULL));
            links_sort(&sides[side]);
        }
        for (Symmetrization way = 0; way < 3; way++)
            assert_ok(links_symmetrize(&joint[way], way, &sides[0], &sides[1], NULL));
        const Links *grown = &joint[SYMMETRIZE_GROW_DIAG_FINAL_AND];
        const Links *inner = &joint[SYMMETRIZE_INTERSECTION], *outer = &joint[SYMMETRIZE_UNION];
        for (size_t i = 0; i < inner->count; i++) ck_assert(links_contain(grown, inner->items[i]));
        bool sources[UNITS] = {false}, targets[UNITS] = {false};
        for (size_t i = 0; i < grown->count; i++) {
            ck_assert(links_contain(outer, grown->items[i]));
            sources[grown->items[i].source] = targets[grown->items[i].target] = true;
        }
        for (size_t i = 0; i < outer->count; i++)
            ck_assert(sources[outer->items[i].source] || targets[outer->items[i].target]);
        for (int i = 0; i < 2; i++) links_free(&sides[i]);
        for (int i = 0; i < 3; i++) links_free(&joint[i]);
    }
}

TEST(turns)
{
    Links links = links_of("0-3 1-0 1-2"), turned = {0}, back = {0};
    assert_ok(links_transpose(&turned, &links, NULL));
    expect_line(&turned, "0-1 2-1 3-0");
    assert_ok(links_transpose(&back, &turned, NULL));
    expect_line(&back, "0-3 1-0 1-2");
    links_free(&links);
    links_free(&turned);
    links_free(&back);
}

TEST(out_of_memory)
{
    Links sides[2] = {links_of("0-0 3-3"), links_of("0-0 1-1")};
    while (failing_malloc_next()) {
        Links joint = {0};
        bool failed = failing_malloc_expect(
            links_symmetrize(&joint, SYMMETRIZE_GROW_DIAG_FINAL_AND, &sides[0], &sides[1], NULL));
        ck_assert_uint_eq(joint.count, failed ? 0 : 3);
        links_free(&joint);
    }
    links_free(&sides[0]);
    links_free(&sides[1]);
}
