#include "metrics/bleu.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

// The counts of one sentence with one reference, split at white space.
static BleuCounts count_pair(const char *hypothesis, const char *reference)
{
    BleuCounts counts = {0};
    assert_ok(bleu_add(&counts, &(Segment){hypothesis, &reference, 1}, BLEU_NONE, false, NULL));
    return counts;
}

static void expect_counts(BleuCounts counts, BleuCounts expected)
{
    for (size_t n = 0; n < 4; n++) {
        ck_assert_uint_eq(counts.matches[n], expected.matches[n]);
        ck_assert_uint_eq(counts.totals[n], expected.totals[n]);
    }
    ck_assert_uint_eq(counts.hypothesis_length, expected.hypothesis_length);
    ck_assert_uint_eq(counts.reference_length, expected.reference_length);
}

TEST(by_hand)
{
    /* 1-grams: the (once: the reference has one), cat, sat, on, mat   5 of 7
     * 2-grams: the cat, cat sat, sat on                               3 of 6
     * 3-grams: the cat sat, cat sat on                                2 of 5
     * 4-grams: the cat sat on                                         1 of 4
     * 7 words against 6: no brevity penalty. (5/7 · 3/6 · 2/5 · 1/4)^(1/4) = (1/28)^(1/4) */
    BleuCounts counts = count_pair("the cat sat on the mat today", "the cat sat on a mat");
    expect_counts(counts, (BleuCounts){{5, 3, 2, 1}, {7, 6, 5, 4}, 7, 6});
    ck_assert_double_eq_tol(bleu_brevity_penalty(&counts), 1, 1e-12);
    ck_assert_double_eq_tol(bleu_score(&counts), 43.472087194499145, 1e-9);
}

TEST(smoothing_and_brevity_by_hand)
{
    /* 4 of 4, 2 of 3 (a b, c d), then none: 1/2 of 2, 1/4 of 1. Brevity exp(1 - 6/4).
     * exp(-1/2) · (1 · 2/3 · 1/4 · 1/4)^(1/4) = 0.60653 · (1/24)^(1/4) */
    BleuCounts counts = count_pair("a b c d", "a b x c d e");
    expect_counts(counts, (BleuCounts){{4, 2, 0, 0}, {4, 3, 2, 1}, 4, 6});
    ck_assert_double_eq_tol(bleu_brevity_penalty(&counts), exp(-0.5), 1e-12);
    ck_assert_double_eq_tol(bleu_score(&counts), 100 * exp(-0.5) * pow(1.0 / 24, 0.25), 1e-9);
}

TEST(identical_is_100)
{
    BleuCounts counts = count_pair("a b c d e", "a b c d e");
    ck_assert_double_eq_tol(bleu_score(&counts), 100, 1e-12);
    // but without a single 4-gram, as sacreBLEU has it, nothing
    counts = count_pair("a b c", "a b c");
    ck_assert_double_eq(bleu_score(&counts), 0);
}

TEST(several_references)
{
    // "a" twice from the second reference, "b" from the first; the lengths are 3 and 5, as far from
    // 4
    const char *references[] = {"b c d", "a a d e f"};
    BleuCounts counts = {0};
    assert_ok(bleu_add(&counts, &(Segment){"a a a b", references, 2}, BLEU_NONE, false, NULL));
    expect_counts(counts, (BleuCounts){{3, 1, 0, 0}, {4, 3, 2, 1}, 4, 3});

    BleuCounts swapped = {0};
    const char *other_way[] = {references[1], references[0]};
    assert_ok(bleu_add(&swapped, &(Segment){"a a a b", other_way, 2}, BLEU_NONE, false, NULL));
    expect_counts(swapped, counts);
}

TEST(empty_references_are_left_out)
{
    const char *references[] = {"", "a b c d e", ""};
    BleuCounts counts = {0};
    assert_ok(bleu_add(&counts, &(Segment){"a", references, 3}, BLEU_NONE, false, NULL));
    expect_counts(counts, (BleuCounts){{1}, {1}, 1, 5}); // 0 would be the closest length
}

TEST(empty_texts)
{
    BleuCounts counts = count_pair("", "a b");
    expect_counts(counts, (BleuCounts){{0}, {0}, 0, 2});
    ck_assert_double_eq(bleu_brevity_penalty(&counts), 0);
    ck_assert_double_eq(bleu_score(&counts), 0);

    counts = count_pair("a b", "");
    expect_counts(counts, (BleuCounts){{0}, {2, 1}, 2, 0});
    ck_assert_double_eq(bleu_brevity_penalty(&counts), 1);
    ck_assert_double_eq(bleu_score(&counts), 0);

    counts = count_pair(" ", "\u3000");
    expect_counts(counts, (BleuCounts){0});
    ck_assert_double_eq(bleu_score(&counts), 0);
    ck_assert_double_eq(bleu_score(&(BleuCounts){0}), 0);
}

TEST(counts_add_up)
{
    BleuCounts a = count_pair("the cat sat on the mat", "the cat sat on a mat");
    BleuCounts b = count_pair("a b c d", "a b x c d e"), both = a;
    const char *reference = "a b x c d e";
    assert_ok(bleu_add(&both, &(Segment){"a b c d", &reference, 1}, BLEU_NONE, false, NULL));
    for (size_t n = 0; n < 4; n++) {
        a.matches[n] += b.matches[n];
        a.totals[n] += b.totals[n];
    }
    a.hypothesis_length += b.hypothesis_length;
    a.reference_length += b.reference_length;
    expect_counts(both, a);
}

TEST(lowercase)
{
    const char *reference = "ÉTÉ ΟΔΟΣ a B";
    BleuCounts counts = {0};
    assert_ok(bleu_add(&counts, &(Segment){"été οδος A b", &reference, 1}, BLEU_NONE, true, NULL));
    ck_assert_uint_eq(counts.matches[3], 1);
    counts = count_pair("été οδος A b", reference);
    ck_assert_uint_eq(counts.matches[0], 0);
}

TEST(tokenizers)
{
    const char *reference = "我有5元,好.";
    static const size_t lengths[] = {[BLEU_13A] = 4, [BLEU_ZH] = 7, [BLEU_NONE] = 1};
    for (BleuTokenizer tokenizer = BLEU_13A; tokenizer <= BLEU_NONE; tokenizer++) {
        BleuCounts counts = {0};
        assert_ok(bleu_add(&counts, &(Segment){reference, &reference, 1}, tokenizer, false, NULL));
        ck_assert_uint_eq(counts.hypothesis_length, lengths[tokenizer]);
    }
    ck_assert_str_eq(bleu_tokenizer_names[BLEU_13A], "13a");
    ck_assert_str_eq(bleu_tokenizer_names[BLEU_ZH], "zh");
    ck_assert_str_eq(bleu_tokenizer_names[BLEU_NONE], "none");
    ck_assert_ptr_null(bleu_tokenizer_names[BLEU_NONE + 1]);
}

TEST(invalid_text)
{
    // every invalid part reads as U+FFFD, so these are equal words
    BleuCounts counts = count_pair("a\xff b \xe4\xbd", "a\xfe b\u3000\ufffd");
    expect_counts(counts, (BleuCounts){{3, 2, 1, 0}, {3, 2, 1, 0}, 3, 3});
}

TEST(a_megabyte_in_one_line)
{
    enum { WORDS = 250000 };
    static char line[4 * WORDS + 1];
    for (size_t i = 0; i < WORDS; i++) memcpy(line + 4 * i, i % 3 ? "ab. " : "5,a ", 4);
    const char *reference = line;
    BleuCounts counts = {0};
    assert_ok(bleu_add(&counts, &(Segment){line, &reference, 1}, BLEU_13A, true, NULL));
    ck_assert_double_eq_tol(bleu_score(&counts), 100, 1e-9);
    ck_assert_uint_gt(counts.hypothesis_length, 2 * WORDS);
}
