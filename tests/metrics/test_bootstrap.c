#include "metrics/bootstrap.h"

#include "base/random.h"
#include "support/suite.h"

#include <string.h>

enum { RESAMPLES = BOOTSTRAP_RESAMPLES };

// The stats of a hypothesis against one reference.
static ScoreStats stats_of(const char *hypothesis, const char *reference)
{
    ScoreStats stats = {0};
    assert_ok(
        score_stats_of(&stats, &(Segment){hypothesis, &reference, 1}, BLEU_NONE, false, NULL));
    return stats;
}

/* A sentence of 20 words, each of which is right with the probability `right`. */
static ScoreStats draw_sentence(Random *random, double right)
{
    char hypothesis[128] = "", reference[128] = "";
    for (unsigned i = 0; i < 20; i++) {
        const char word[] = {(char)('a' + i), ' ', '\0'};
        strcat(reference, word);
        strcat(hypothesis, random_uniform(random) < right ? word : "x ");
    }
    return stats_of(hypothesis, reference);
}

TEST(one_sentence_by_hand)
{
    static Bootstrap bootstrap;
    ScoreStats sentence = stats_of("a b c d e", "a b c d f");
    bootstrap_resample(&bootstrap, &sentence, 1, BOOTSTRAP_SEED);
    for (ScoreMetric metric = 0; metric < SCORE_METRICS; metric++) {
        for (size_t r = 0; r < RESAMPLES; r++)
            ck_assert_double_eq(bootstrap.scores[metric][r], score_stats_score(&sentence, metric));
        BootstrapInterval interval = bootstrap_interval(bootstrap.scores[metric]);
        ck_assert_double_eq(interval.lower, score_stats_score(&sentence, metric));
        ck_assert_double_eq(interval.upper, score_stats_score(&sentence, metric));
    }
}

/* Two sentences give three corpora: the right one twice (BLEU 100), the wrong one twice (0), or
 * both. The last has 4, 3, 2 and 1 n-grams right of 8, 6, 4 and 2: BLEU 50. Their probabilities are
 * 1/4, 1/4 and 1/2; 62.5 is 4.6 standard deviations of the first two. */
TEST(two_sentences_by_hand)
{
    static Bootstrap bootstrap;
    ScoreStats sentences[] = {stats_of("a b c d", "a b c d"), stats_of("x x x x", "a b c d")};
    double counts[3] = {0};
    bootstrap_resample(&bootstrap, sentences, 2, BOOTSTRAP_SEED);
    for (size_t r = 0; r < RESAMPLES; r++) {
        double half = bootstrap.scores[SCORE_BLEU][r] / 50;
        size_t place = (size_t)(half + 0.5);
        ck_assert_double_eq_tol(half, (double)place, 1e-9);
        counts[place]++;
    }
    ck_assert_double_eq_tol(counts[0], 250, 62.5);
    ck_assert_double_eq_tol(counts[1], 500, 62.5);
    ck_assert_double_eq_tol(counts[2], 250, 62.5);
    BootstrapInterval interval = bootstrap_interval(bootstrap.scores[SCORE_BLEU]);
    ck_assert_double_eq_tol(interval.lower, 0, 1e-9);
    ck_assert_double_eq_tol(interval.upper, 100, 1e-9);
}

TEST(interval_by_hand)
{
    double scores[RESAMPLES];
    for (size_t r = 0; r < RESAMPLES; r++) scores[r] = (double)(r * 7 % RESAMPLES);
    BootstrapInterval interval = bootstrap_interval(scores);
    ck_assert_double_eq(interval.lower, 25);
    ck_assert_double_eq(interval.upper, 974);
    ck_assert_double_eq(scores[1], 7); // they stay in their order
}

TEST(comparison_by_hand)
{
    double first[RESAMPLES], second[RESAMPLES] = {0};
    // 3 or 1, by turns: the mean is 2, so that chance gives ±1, never the difference of 2
    for (size_t r = 0; r < RESAMPLES; r++) first[r] = r % 2 ? 3 : 1;
    BootstrapComparison comparison = bootstrap_compare(first, second, 2);
    ck_assert_double_eq(comparison.difference, 2);
    ck_assert_double_eq(comparison.better, 1);
    ck_assert_double_eq(comparison.p, 1.0 / 1001);

    // the other way round: the same p
    comparison = bootstrap_compare(second, first, -2);
    ck_assert_double_eq(comparison.better, 0);
    ck_assert_double_eq(comparison.p, 1.0 / 1001);

    // 4 or -2: the mean is 1, so that chance gives ±3, always more than the difference of 1
    for (size_t r = 0; r < RESAMPLES; r++) first[r] = r % 2 ? 4 : -2;
    comparison = bootstrap_compare(first, second, 1);
    ck_assert_double_eq(comparison.better, 0.5);
    ck_assert_double_eq(comparison.p, 1);

    // 9 in one of ten, else 0: the mean is 0.9, chance gives 8.1 in 100 of 1,000
    for (size_t r = 0; r < RESAMPLES; r++) first[r] = r % 10 ? 0 : 9;
    comparison = bootstrap_compare(first, second, 5);
    ck_assert_double_eq(comparison.better, 0.1);
    ck_assert_double_eq(comparison.p, 101.0 / 1001);
}

TEST(identical_systems)
{
    static Bootstrap first, second;
    ScoreStats sentences[30];
    Random random = random_from(1, 0);
    for (size_t i = 0; i < 30; i++) sentences[i] = draw_sentence(&random, 0.8);
    bootstrap_resample(&first, sentences, 30, BOOTSTRAP_SEED);
    bootstrap_resample(&second, sentences, 30, BOOTSTRAP_SEED);
    ck_assert_mem_eq(&first, &second, sizeof first);
    for (ScoreMetric metric = 0; metric < SCORE_METRICS; metric++) {
        BootstrapComparison comparison =
            bootstrap_compare(first.scores[metric], second.scores[metric], 0);
        ck_assert_double_eq(comparison.difference, 0);
        ck_assert_double_eq(comparison.better, 0);
        ck_assert_double_eq(comparison.p, 1);
    }
}

TEST(seeds_differ)
{
    static Bootstrap first, second;
    ScoreStats sentences[30];
    Random random = random_from(2, 0);
    for (size_t i = 0; i < 30; i++) sentences[i] = draw_sentence(&random, 0.8);
    bootstrap_resample(&first, sentences, 30, 1);
    bootstrap_resample(&second, sentences, 30, 2);
    ck_assert(memcmp(&first, &second, sizeof first) != 0);
}

/* Pairs see more than two intervals do: a system that repairs a word in every third sentence of
 * another is better for certain, though the two intervals overlap. */
TEST(pairs_tell_apart_what_intervals_do_not)
{
    static Bootstrap worse, better;
    enum { COUNT = 60 };
    ScoreStats first[COUNT], second[COUNT], sums[2] = {{0}};
    Random random = random_from(3, 0);
    for (size_t i = 0; i < COUNT; i++) {
        first[i] = draw_sentence(&random, 0.7);
        second[i] = first[i];
        if (i % 3 == 0 && second[i].bleu.matches[0] < 20) second[i].bleu.matches[0]++;
        score_stats_add(&sums[0], &first[i]);
        score_stats_add(&sums[1], &second[i]);
    }
    bootstrap_resample(&worse, first, COUNT, BOOTSTRAP_SEED);
    bootstrap_resample(&better, second, COUNT, BOOTSTRAP_SEED);
    const double *a = better.scores[SCORE_BLEU], *b = worse.scores[SCORE_BLEU];
    ck_assert_double_lt(bootstrap_interval(a).lower, bootstrap_interval(b).upper);
    BootstrapComparison comparison = bootstrap_compare(
        a, b, score_stats_score(&sums[1], SCORE_BLEU) - score_stats_score(&sums[0], SCORE_BLEU));
    ck_assert_double_eq(comparison.better, 1);
    ck_assert_double_lt(comparison.p, 0.01);
}

/* Of 60 corpora drawn from one population, whose score a large sample tells, about 57 have
 * intervals that hold it; 51 are 3.6 standard deviations less. */
TEST(intervals_cover)
{
    static Bootstrap bootstrap;
    enum { CORPORA = 60, COUNT = 50 };
    unsigned covered[SCORE_METRICS] = {0};
    ScoreStats population = {0};
    Random random = random_from(4, 0);
    for (size_t i = 0; i < 5000; i++) {
        ScoreStats sentence = draw_sentence(&random, 0.7);
        score_stats_add(&population, &sentence);
    }
    for (size_t c = 0; c < CORPORA; c++) {
        ScoreStats sentences[COUNT];
        for (size_t i = 0; i < COUNT; i++) sentences[i] = draw_sentence(&random, 0.7);
        bootstrap_resample(&bootstrap, sentences, COUNT, BOOTSTRAP_SEED);
        for (ScoreMetric metric = 0; metric < SCORE_METRICS; metric++) {
            BootstrapInterval interval = bootstrap_interval(bootstrap.scores[metric]);
            double score = score_stats_score(&population, metric);
            covered[metric] += interval.lower <= score && score <= interval.upper;
        }
    }
    ck_assert_uint_ge(covered[SCORE_BLEU], 51);
    ck_assert_uint_ge(covered[SCORE_CHRF], 51);
}
