#include "translate/alignment.h"

#include "base/memory.h"
#include "support/aligner_pairs.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <string.h>

static Status show(const Links *links, Bytes *out)
{
    Writer writer = writer_start(out, NULL);
    links_write(&writer, links);
    return writer_end(&writer);
}

/* "das Haus" in the subwords "das" " Ha" "us", said as "the house" in "the" " house". */
static uint32_t source_ends[] = {3, 6, 8};
static uint32_t target_ends[] = {3, 9};
static float alpha[] = {
    0.7F, 0.1F, 0.1F, 0.1F, // the
    0.1F, 0.4F, 0.3F, 0.2F, // house
    0.0F, 0.0F, 0.0F, 1.0F, // </s>
};

static Translation translation;
static Rendering rendering;

static void set_up(void)
{
    translation = (Translation){.source = {.data = "das Haus", .length = 8},
                                .source_subwords = {.ends = source_ends, .count = 3}};
    rendering = (Rendering){.text = {.data = "the house", .length = 9},
                            .subwords = {.ends = target_ends, .count = 2},
                            .alpha = alpha};
}

static void set(Alignment *alignment, UnitKind source, UnitKind target)
{
    const LinkReading reading = {.threshold = 1};
    assert_ok(alignment_set(alignment, &translation, &rendering, (UnitKind[]){source, target},
                            &reading, NULL));
}

static void expect_weight(const Alignment *alignment, size_t t, size_t s, double expected)
{
    const SoftAlignment *soft = &alignment->soft;
    ck_assert_double_eq_tol((double)soft->weights[t * soft->sources + s], expected, 1e-6);
}

// Without attention there are units and no links, whatever the alignment held before.
TEST(rendering_without_attention)
{
    Alignment alignment = {0};
    set_up();
    for (int used = 0; used < 2; used++) {
        rendering = (Rendering){.text = {.data = "das Haus da", .length = 11}};
        set(&alignment, UNITS_WORDS, UNITS_WORDS);
        ck_assert_uint_eq(alignment.links.count, 0);
        ck_assert_uint_eq(alignment.target_units.count, 3);
        ck_assert_uint_eq(alignment.soft.targets, 3);
        ck_assert_uint_eq(alignment.soft.sources, 2);
        for (size_t t = 0; t < 3; t++)
            for (size_t s = 0; s < 2; s++) expect_weight(&alignment, t, s, 0);
        set_up();
        set(&alignment, UNITS_WORDS, UNITS_WORDS);
        ck_assert_uint_eq(alignment.links.count, 2);
    }
    alignment_free(&alignment);
}

TEST(empty_sides)
{
    Alignment alignment = {0};
    set_up();
    translation = (Translation){0};
    rendering.alpha = (float[]){1, 1, 1}; // all look at </s>
    set(&alignment, UNITS_WORDS, UNITS_WORDS);
    ck_assert_uint_eq(alignment.soft.sources, 0);
    ck_assert_uint_eq(alignment.soft.targets, 2);
    ck_assert_uint_eq(alignment.links.count, 0);
    set_up();
    rendering = (Rendering){.alpha = alpha};
    set(&alignment, UNITS_WORDS, UNITS_WORDS);
    ck_assert_uint_eq(alignment.soft.targets, 0);
    ck_assert_uint_eq(alignment.links.count, 0);
    alignment_free(&alignment);
}

TESTS_EACH(set_up, NULL)

TEST(words)
{
    Alignment alignment = {0};
    set(&alignment, UNITS_WORDS, UNITS_WORDS);
    ck_assert_uint_eq(alignment.source_units.count, 2);
    ck_assert_uint_eq(alignment.target_units.count, 2);
    ck_assert_uint_eq(alignment.soft.targets, 2);
    ck_assert_uint_eq(alignment.soft.sources, 2);
    expect_weight(&alignment, 0, 0, 0.7 / 0.9);
    expect_weight(&alignment, 0, 1, 0.2 / 0.9);
    expect_weight(&alignment, 1, 0, 0.1 / 0.8);
    expect_weight(&alignment, 1, 1, 0.7 / 0.8);
    Bytes links = {0};
    assert_ok(show(&alignment.links, &links));
    ck_assert_str_eq(links.data, "0-0 1-1");
    bytes_free(&links);
    alignment_free(&alignment);
    alignment_free(&alignment);
}

// Where there is a posterior links are read from it, and a word may have none; the matrix is
// attention's.
TEST(posterior)
{
    float posterior[] = {
        0.1F, 0.5F,  0.3F,  0.1F, // the: das 1/9, Haus 8/9 of what is not </s>
        0.5F, 0.25F, 0.25F, 0.0,  // house: a half each
        0.0F, 0.0F,  0.0F,  1.0F, // </s>
    };
    // strengths: the (1/9 + 2/11) / 2, (8/9 + 16/25) / 2; house (1/2 + 9/11) / 2, (1/2 + 9/25) / 2
    static const struct {
        float threshold;
        const char *links;
    } cases[] = {{0.4F, "0-1 1-0 1-1"}, {0.5F, "0-1 1-0"}, {0.7F, "1-0"}, {0.8F, ""}};
    Alignment alignment = {0};
    rendering.posterior = posterior;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const LinkReading reading = {.threshold = cases[i].threshold};
        Bytes links = {0};
        assert_ok(alignment_set(&alignment, &translation, &rendering,
                                (UnitKind[]){UNITS_WORDS, UNITS_WORDS}, &reading, NULL));
        assert_ok(show(&alignment.links, &links));
        ck_assert_str_eq(bytes_text(&links), cases[i].links);
        expect_weight(&alignment, 0, 0, 0.7 / 0.9);
        bytes_free(&links);
    }
    alignment_free(&alignment);
}

TEST(units)
{
    Alignment alignment = {0};
    set(&alignment, UNITS_CHARACTERS, UNITS_WORDS);
    ck_assert_uint_eq(alignment.soft.sources, 7); // the space is none
    ck_assert_uint_eq(alignment.soft.targets, 2);
    alignment_free(&alignment);
}

// Units from elsewhere, here three tokens of "das Haus" against the two words: attention and links
// are over those.
TEST(given_units)
{
    Alignment alignment = {0};
    const LinkReading reading = reading_of_aligner(NULL);
    Span sources[] = {{0, 3}, {4, 6}, {6, 8}}, targets[] = {{0, 3}, {4, 9}};
    Spans source = {sources, 3, 3}, target = {targets, 2, 2};
    assert_ok(alignment_of_units(&alignment, &translation, &rendering,
                                 (const Spans *[]){&source, &target}, &reading, NULL));
    ck_assert_uint_eq(alignment.soft.sources, 3);
    expect_weight(&alignment, 1, 1, 0.4 / 0.8);
    expect_weight(&alignment, 1, 2, 0.3 / 0.8);
    Bytes links = {0};
    assert_ok(show(&alignment.links, &links));
    ck_assert_str_eq(links.data, "0-0 1-1 2-1");
    bytes_free(&links);
    alignment_free(&alignment);
}

// A source of which only the beginning was read: what lies behind gets nothing.
TEST(cut_source)
{
    Alignment alignment = {0};
    translation.source = (Bytes){.data = "das Haus dort drüben", .length = 21};
    set(&alignment, UNITS_WORDS, UNITS_WORDS);
    ck_assert_uint_eq(alignment.soft.sources, 4);
    expect_weight(&alignment, 1, 1, 0.7 / 0.8);
    for (size_t t = 0; t < 2; t++)
        for (size_t s = 2; s < 4; s++) expect_weight(&alignment, t, s, 0);
    alignment_free(&alignment);
}

// What is learned from "das Haus" and the like.
static Aligner learn(void)
{
    static const char *const lines[][2] = {
        {"das Haus", "the house"}, {"das Buch", "the book"}, {"ein Haus", "a house"},
        {"ein Buch", "a book"},    {"das", "the"},           {"Haus", "house"},
    };
    AlignerCorpus corpus = {0};
    Aligner aligner;
    Threads *threads;
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++)
        aligner_pairs_add_text(&corpus, lines[n][0], lines[n][1]);
    assert_ok(threads_new(&threads, 1, NULL));
    assert_ok(aligner_learn(&aligner, &corpus, aligner_options_default(), threads, NULL));
    threads_free(threads);
    return aligner;
}

static void expect_links(const Links *links, const char *expected)
{
    Bytes text = {0};
    assert_ok(show(links, &text));
    ck_assert_str_eq(bytes_text(&text), expected);
    bytes_free(&text);
}

static const UnitKind words[2] = {UNITS_WORDS, UNITS_WORDS};

// Attention that is wrong is outvoted by the table; "differences" says where.
TEST(with_an_aligner)
{
    static float wrong[] = {0.1F, 0.4F, 0.4F, 0.1F, 0.1F, 0.8F, 0.1F, 0.0F, 0, 0, 0, 1};
    Aligner aligner = learn();
    Alignment alignment = {0};
    Differences differences = {.only_aligner = {0}};
    SoftAlignment subwords = {0};
    rendering.alpha = wrong;
    LinkReading reading = {LINKS_FROM_ATTENTION, 0.5F, &aligner, false};
    static const char *const expected[] = {"1-0 1-1", "0-0 1-1", "0-0 1-1"};
    for (; reading.from <= LINKS_FROM_TABLE; reading.from++) {
        assert_ok(alignment_set(&alignment, &translation, &rendering, words, &reading, NULL));
        expect_links(&alignment.links, expected[reading.from]);
    }
    // das | Ha|us against the | house, and </s>
    assert_ok(alignment_of_subwords(&subwords, &alignment, &translation, &rendering, NULL));
    ck_assert(subwords.sources == 4 && subwords.targets == 3);
    for (size_t n = 0; n < 12; n++) {
        bool linked = n == 0 || n == 5 || n == 6;
        ck_assert((subwords.weights[n] > 0.5F) == linked);
    }
    assert_ok(differences_set(&differences, &translation, &rendering, words, &aligner, NULL));
    expect_links(&differences.only_attention, "1-0");
    expect_links(&differences.only_aligner, "0-0");
    differences_free(&differences);
    soft_alignment_free(&subwords);
    alignment_free(&alignment);
    aligner_free(&aligner);
}

// A subword without bytes, as the space before a text may be, or a placeholder left out.
TEST(subwords_without_bytes)
{
    static uint32_t ends[2][4] = {{0, 3, 3, 8}, {0, 3, 9}};
    Aligner aligner = learn();
    Alignment alignment = {0};
    SoftAlignment subwords = {0};
    translation.source_subwords = (Subwords){.ends = ends[0], .count = 4};
    rendering.subwords = (Subwords){.ends = ends[1], .count = 3};
    rendering.alpha = NULL;
    const LinkReading reading = {LINKS_FROM_TABLE, 0.5F, &aligner, false};
    assert_ok(alignment_set(&alignment, &translation, &rendering, words, &reading, NULL));
    assert_ok(alignment_of_subwords(&subwords, &alignment, &translation, &rendering, NULL));
    ck_assert(subwords.sources == 5 && subwords.targets == 4);
    for (size_t n = 0; n < 20; n++) ck_assert((subwords.weights[n] > 0.5F) == (n == 6 || n == 13));
    soft_alignment_free(&subwords);
    alignment_free(&alignment);
    aligner_free(&aligner);
}

// Of a text that was cut, the rest has no links; without attention the table alone counts.
TEST(cut_and_without_attention)
{
    Aligner aligner = learn();
    Alignment alignment = {0};
    rendering.alpha = NULL;
    const LinkReading reading = {LINKS_FROM_BOTH, 0.5F, &aligner, false};
    assert_ok(alignment_set(&alignment, &translation, &rendering, words, &reading, NULL));
    expect_links(&alignment.links, "0-0 1-1");
    translation.source_subwords.count = 1;
    assert_ok(alignment_set(&alignment, &translation, &rendering, words, &reading, NULL));
    expect_links(&alignment.links, "0-0");
    translation.source_subwords.count = 0;
    assert_ok(alignment_set(&alignment, &translation, &rendering, words, &reading, NULL));
    expect_links(&alignment.links, "");
    alignment_free(&alignment);
    aligner_free(&aligner);
}

TEST(aligner_out_of_memory)
{
    Aligner aligner = learn();
    while (failing_malloc_next()) {
        Alignment alignment = {0};
        SoftAlignment subwords = {0};
        Differences differences = {.only_aligner = {0}};
        const LinkReading reading = {LINKS_FROM_BOTH, 0.5F, &aligner, false};
        Status status = alignment_set(&alignment, &translation, &rendering, words, &reading, NULL);
        if (!status)
            status = alignment_of_subwords(&subwords, &alignment, &translation, &rendering, NULL);
        if (!status)
            status = differences_set(&differences, &translation, &rendering, words, &aligner, NULL);
        failing_malloc_expect(status);
        alignment_free(&alignment);
        soft_alignment_free(&subwords);
        differences_free(&differences);
    }
    aligner_free(&aligner);
}

TEST(out_of_memory)
{
    const LinkReading reading = reading_of_aligner(NULL);
    while (failing_malloc_next()) {
        Alignment alignment = {0};
        bool failed = failing_malloc_expect(
            alignment_set(&alignment, &translation, &rendering,
                          (UnitKind[]){UNITS_CHARACTERS, UNITS_WORDS}, &reading, NULL));
        if (failed) ck_assert_uint_eq(alignment.links.count, 0);
        alignment_free(&alignment);
    }
}
