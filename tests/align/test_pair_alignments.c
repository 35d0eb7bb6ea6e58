// Alignments that are kept: their links are those of the alignments themselves, in any segmentation.
#include "align/subword_links.h"

#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

enum { PAIRS = 40, MOST = 6 };

typedef struct Pair {
    Spans units[2];
    Links links;
    SoftAlignment soft;
} Pair;

static Pair pairs[PAIRS];

// Up to MOST units on a side, with gaps between them, and random links and weights.
static void draw_pairs(void)
{
    Random random = random_from(1, 0);
    for (Pair *pair = pairs; pair < pairs + PAIRS; pair++) {
        *pair = (Pair){0};
        for (int side = 0; side < 2; side++) {
            size_t count = random_below(&random, MOST + 1), at = 0;
            for (size_t i = 0; i < count; i++) {
                size_t begin = at + random_below(&random, 2);
                at = begin + 1 + random_below(&random, 4);
                assert_ok(spans_append(&pair->units[side], (Span){begin, at}, NULL));
            }
        }
        size_t sources = pair->units[0].count, targets = pair->units[1].count;
        assert_ok(soft_alignment_clear(&pair->soft, targets, sources, NULL));
        for (size_t i = 0; i < targets * sources; i++) {
            pair->soft.weights[i] = (float)random_uniform(&random);
            if (random_below(&random, 3)) continue;
            assert_ok(links_append(&pair->links, i % sources, i / sources, NULL));
        }
        links_sort(&pair->links);
    }
}

static void free_pairs(void)
{
    for (Pair *pair = pairs; pair < pairs + PAIRS; pair++) {
        spans_free(&pair->units[0]);
        spans_free(&pair->units[1]);
        links_free(&pair->links);
        soft_alignment_free(&pair->soft);
    }
}

static Status add_all(PairAlignments *alignments, bool soft, Error *error)
{
    Status status = STATUS_OK;
    for (const Pair *pair = pairs; pair < pairs + PAIRS && !status; pair++) {
        const Spans *source = &pair->units[0], *target = &pair->units[1];
        status = soft ? pair_alignments_add_soft(alignments, source, target, &pair->soft, error)
                      : pair_alignments_add(alignments, source, target, &pair->links, error);
    }
    return status;
}

// A random segmentation of a side.
static SoftSide draw_side(Random *random, uint32_t ends[5 * MOST], const Spans *units)
{
    SoftSide side = {.ends = ends, .units = units};
    size_t length = units->count ? units->items[units->count - 1].end : 1;
    for (uint32_t at = 1; at <= length; at++)
        if (at == length || random_below(random, 2)) ends[side.subwords++] = at;
    return side;
}

// The links of a pair in the segmentation of the sides.
static Status project(SubwordLinks *links, const PairAlignments *alignments, StoreWindow *window,
                      size_t number, SoftSide source, SoftSide target)
{
    PairAlignment alignment;
    TRY(pair_alignments_view(alignments, window, &alignment, number, NULL));
    return pair_alignment_project(links, &alignment, source, target, NULL);
}

static Status links_of(SubwordLinks *links, const Pair *pair, bool soft, SoftSide source,
                       SoftSide target)
{
    return soft ? subword_links_set_soft(links, &pair->soft, source, target, NULL)
                : subword_links_set(links, &pair->links, source, target, NULL);
}

// In memory and in a file.
TEST(same_links)
{
    Random random = random_from(2, 0);
    draw_pairs();
    for (int kind = 0; kind < 4; kind++) {
        bool soft = kind % 2;
        PairAlignments alignments = {0};
        StoreWindow window = {0};
        SubwordLinks expected = {0}, links = {0};
        size_t all = 0;
        assert_ok(corpus_store_open(&alignments.store, kind > 1 ? scratch_folder() : NULL, NULL));
        assert_ok(add_all(&alignments, soft, NULL));
        for (size_t i = 0; i < 10 * PAIRS; i++) {
            uint32_t ends[2][5 * MOST];
            const Pair *pair = &pairs[i % PAIRS];
            SoftSide source = draw_side(&random, ends[0], &pair->units[0]);
            SoftSide target = draw_side(&random, ends[1], &pair->units[1]);
            assert_ok(links_of(&expected, pair, soft, source, target));
            source.units = target.units = NULL;
            assert_ok(project(&links, &alignments, &window, i % PAIRS, source, target));
            ck_assert_uint_eq(links.count, expected.count);
            for (size_t l = 0; l < links.count; l++) {
                const SubwordLink a = links.items[l], b = expected.items[l];
                ck_assert(a.source == b.source && a.target == b.target && a.weight == b.weight);
            }
            all += links.count;
        }
        ck_assert_uint_gt(all, 1000);
        subword_links_free(&expected);
        subword_links_free(&links);
        store_window_free(&window);
        pair_alignments_free(&alignments);
    }
    free_pairs();
}

// Pairs that were not added have no links.
TEST(not_added)
{
    PairAlignments alignments = {0};
    SubwordLinks links = {.count = 3};
    static const uint32_t end = 1;
    const SoftSide side = {.ends = &end, .subwords = 1};
    assert_ok(project(&links, &alignments, NULL, 0, side, side));
    ck_assert_uint_eq(links.count, 0);
    pair_alignments_free(&alignments);
}

TEST(out_of_memory)
{
    draw_pairs();
    for (int soft = 0; soft < 2; soft++) {
        while (failing_malloc_next()) {
            PairAlignments alignments = {0};
            bool failed = failing_malloc_expect(add_all(&alignments, soft, NULL));
            ck_assert(failed == (alignments.count < PAIRS));
            pair_alignments_free(&alignments);
        }
    }
    free_pairs();
}
