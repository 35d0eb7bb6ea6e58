#include "train/guide.h"

#include "base/bytes.h"
#include "support/failing_malloc.h"
#include "support/rank_threads.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>

enum { PAIRS = 60, WORDS = 8 };

static const AlignedGuide nothing;

static void add_text(TextCorpus *text, const char *source, const char *target)
{
    const TextPair pair = {.sides = {{source, strlen(source)}, {target, strlen(target)}}};
    assert_ok(text_corpus_add(text, &pair, NULL));
}

// Two words out of eight in each sentence, in the target the other way round: "waa wab", "vab vaa".
static void fill(TextCorpus *text)
{
    for (size_t i = 0; i < PAIRS; i++) {
        char source[64], target[64];
        size_t a = i % WORDS, b = (i / WORDS + a + 1) % WORDS;
        snprintf(source, sizeof source, "wa%c wa%c", (char)('a' + a), (char)('a' + b));
        snprintf(target, sizeof target, "va%c va%c", (char)('a' + b), (char)('a' + a));
        add_text(text, source, target);
    }
}

// Each word of "waa wab" is two subwords: wa|a| wa|b.
static const uint32_t ends[] = {2, 3, 6, 7};

static Status links_of(AlignedGuide *guide, SubwordLinks *links, const TextCorpus *text, size_t n,
                       Error *error)
{
    const SoftSide side = {.ends = ends, .subwords = 4};
    const TextPair pair = text_corpus_pair(text, n);
    return aligned_guide_links(guide, links, &pair, side, side, error);
}

// Every subword is linked to both subwords of its word's translation, half and half.
TEST(links)
{
    TextCorpus text = {0};
    AlignedGuide guide = nothing;
    SubwordLinks links = {0};
    static const uint16_t expected[][2] = {{2, 0}, {3, 0}, {2, 1}, {3, 1},
                                           {0, 2}, {1, 2}, {0, 3}, {1, 3}};
    fill(&text);
    assert_ok(aligned_guide_learn(&guide, &text, 2, NULL, NULL, NULL));
    for (size_t n = 0; n < PAIRS; n++) {
        assert_ok(links_of(&guide, &links, &text, n, NULL));
        ck_assert_uint_eq(links.count, 8);
        for (size_t i = 0; i < 8; i++) {
            ck_assert_uint_eq(links.items[i].source, expected[i][0]);
            ck_assert_uint_eq(links.items[i].target, expected[i][1]);
            ck_assert_uint_eq(links.items[i].weight, UINT16_MAX / 2 + 1);
        }
    }
    subword_links_free(&links);
    aligned_guide_free(&guide);
    text_corpus_free(&text);
}

// One pair is enough to learn from; a sentence without end has no links and costs nothing.
TEST(few_and_long)
{
    static char endless[4 * MAX_ALIGNED_TOKENS + 1];
    static uint32_t endless_ends[4 * MAX_ALIGNED_TOKENS];
    for (size_t i = 0; i < sizeof endless - 1; i++) {
        endless[i] = i % 2 ? ' ' : (char)('a' + i / 2 % 26);
        endless_ends[i] = (uint32_t)(i + 1);
    }
    for (int with_long = 0; with_long < 2; with_long++) {
        TextCorpus text = {0};
        AlignedGuide guide = nothing;
        SubwordLinks links = {0};
        add_text(&text, "waa wab", "vaa vab");
        if (with_long) add_text(&text, endless, "vaa vab");
        assert_ok(aligned_guide_learn(&guide, &text, 1, NULL, NULL, NULL));
        assert_ok(links_of(&guide, &links, &text, 0, NULL));
        ck_assert_uint_gt(links.count, 0);
        if (with_long) {
            const SoftSide source = {.ends = endless_ends, .subwords = sizeof endless - 1};
            const SoftSide target = {.ends = ends, .subwords = 4};
            const TextPair pair = text_corpus_pair(&text, 1);
            assert_ok(aligned_guide_links(&guide, &links, &pair, source, target, NULL));
            ck_assert_uint_eq(links.count, 0);
        }
        subword_links_free(&links);
        aligned_guide_free(&guide);
        text_corpus_free(&text);
    }
}

TEST(out_of_memory)
{
    TextCorpus text = {0};
    add_text(&text, "waa wab", "vaa vab");
    add_text(&text, "wab waa", "vab vaa");
    while (failing_malloc_next()) {
        AlignedGuide guide = nothing;
        SubwordLinks links = {0};
        Status status = aligned_guide_learn(&guide, &text, 1, NULL, NULL, NULL);
        if (!status) status = links_of(&guide, &links, &text, 1, NULL);
        failing_malloc_expect(status);
        subword_links_free(&links);
        aligned_guide_free(&guide);
    }
    text_corpus_free(&text);
}

typedef struct Learned {
    const TextCorpus *text;
    const SubwordLinks *expected; // (PAIRS)
} Learned;

static void learn_as_rank(void *context, Ranks *ranks)
{
    const Learned *learned = context;
    AlignedGuide guide = nothing;
    SubwordLinks links = {0};
    assert_ok(aligned_guide_learn(&guide, learned->text, 1, NULL, ranks, NULL));
    for (size_t n = 0; n < PAIRS; n++) {
        const SubwordLinks *expected = &learned->expected[n];
        assert_ok(links_of(&guide, &links, learned->text, n, NULL));
        ck_assert_uint_eq(links.count, expected->count);
        ck_assert_mem_eq(links.items, expected->items, links.count * sizeof *links.items);
    }
    subword_links_free(&links);
    aligned_guide_free(&guide);
}

TEST(ranks_learn_the_same)
{
    TextCorpus text = {0};
    AlignedGuide guide = nothing;
    SubwordLinks links[PAIRS] = {{0}};
    fill(&text);
    add_text(&text, "waa wac wab", "vab vac"); // not as regular
    assert_ok(aligned_guide_learn(&guide, &text, 1, NULL, NULL, NULL));
    for (size_t n = 0; n < PAIRS; n++) assert_ok(links_of(&guide, &links[n], &text, n, NULL));
    rank_threads_run(3, learn_as_rank, &(Learned){&text, links});
    for (size_t n = 0; n < PAIRS; n++) subword_links_free(&links[n]);
    aligned_guide_free(&guide);
    text_corpus_free(&text);
}
