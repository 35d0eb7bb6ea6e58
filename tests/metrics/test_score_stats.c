#include "metrics/score_stats.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

#include <string.h>

static const struct {
    const char *hypothesis, *reference;
} sentences[] = {
    {"the cat sat on the mat", "the cat sat on a mat"}, {"", "nothing"}, {"a b c d", "a b c d"}};
enum { SENTENCES = sizeof sentences / sizeof *sentences };

// The sum of single sentences' stats is what the metrics count over the corpus.
TEST(adds_up)
{
    ScoreStats sum = {0};
    BleuCounts bleu = {0};
    ChrfCounts chrf = {0};
    for (size_t i = 0; i < SENTENCES; i++) {
        const char *hypothesis = sentences[i].hypothesis, *reference = sentences[i].reference;
        ScoreStats one = {0};
        score_stats_of(&one, &(Segment){hypothesis, &reference, 1}, BLEU_13A, false, NULL);
        ck_assert_uint_eq(one.sentences, 1);
        score_stats_add(&sum, &one);
        bleu_add(&bleu, &(Segment){hypothesis, &reference, 1}, BLEU_13A, false, NULL);
        chrf_add(&chrf, &(Segment){hypothesis, &reference, 1}, false, NULL);
    }
    ck_assert_uint_eq(sum.sentences, SENTENCES);
    ck_assert_uint_eq(sum.exact, 1);
    ck_assert_mem_eq(&sum.bleu, &bleu, sizeof bleu);
    ck_assert_mem_eq(&sum.chrf, &chrf, sizeof chrf);
    ck_assert_double_eq(score_stats_score(&sum, SCORE_BLEU), bleu_score(&bleu));
    ck_assert_double_eq(score_stats_score(&sum, SCORE_CHRF), chrf_score(&chrf));
}

TEST(out_of_memory)
{
    const char *reference = "a b";
    while (failing_malloc_next()) {
        ScoreStats stats = {.sentences = 7};
        if (failing_malloc_expect(
                score_stats_of(&stats, &(Segment){"a c", &reference, 1}, BLEU_13A, true, NULL)))
            ck_assert_uint_eq(stats.sentences, 7);
    }
}
