// The best combinations of several lists, compared with all of them.

#include "base/random.h"
#include "reading/paragraph.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 4, MOST = 5, ALL = MOST * MOST * MOST * MOST };

static Rendering renderings[SENTENCES][MOST];
static Translation sentences[SENTENCES];

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

// Lists of 1 to MOST scores, best first; coarse ones are often equal.
static void draw(Random *random, bool coarse)
{
    for (size_t i = 0; i < SENTENCES; i++) {
        sentences[i] =
            (Translation){.renderings = renderings[i], .count = 1 + random_below(random, MOST)};
        double score = 0;
        for (size_t j = 0; j < sentences[i].count; j++) {
            score -= coarse ? (double)random_below(random, 2) : random_uniform(random);
            renderings[i][j].score = score;
        }
    }
}

static double sum_of(const size_t *choices)
{
    double sum = 0;
    for (size_t i = 0; i < SENTENCES; i++) sum += renderings[i][choices[i]].score;
    return sum;
}

// The sums of all combinations, best first; returns how many.
static size_t list_all(double *sums)
{
    size_t count = 0, choices[SENTENCES];
    for (size_t number = 0; number < ALL; number++) {
        size_t rest = number;
        bool exists = true;
        for (size_t i = 0; i < SENTENCES; i++, rest /= MOST) {
            choices[i] = rest % MOST;
            exists &= choices[i] < sentences[i].count;
        }
        if (exists) sums[count++] = sum_of(choices);
    }
    qsort(sums, count, sizeof *sums, descending);
    return count;
}

TEST(best_of_all)
{
    static double sums[ALL];
    Random random = random_from(3, 0);
    for (int trial = 0; trial < 300; trial++) {
        draw(&random, trial % 2);
        size_t all = list_all(sums), n_best = 1 + random_below(&random, 40);
        size_t choices[40][SENTENCES], found;
        assert_ok(combinations_find(choices[0], &found, n_best, sentences, SENTENCES, NULL));
        ck_assert_uint_eq(found, all < n_best ? all : n_best);
        for (size_t k = 0; k < found; k++) {
            ck_assert_double_eq_tol(sum_of(choices[k]), sums[k], 1e-12);
            for (size_t other = 0; other < k; other++)
                ck_assert(memcmp(choices[k], choices[other], sizeof choices[k]) != 0);
        }
        for (size_t i = 0; i < SENTENCES; i++) ck_assert_uint_eq(choices[0][i], 0);
    }
}

TEST(out_of_memory)
{
    Random random = random_from(4, 0);
    draw(&random, false);
    while (failing_malloc_next()) {
        size_t choices[3][SENTENCES], found;
        failing_malloc_expect(combinations_find(choices[0], &found, 3, sentences, SENTENCES, NULL));
    }
}
