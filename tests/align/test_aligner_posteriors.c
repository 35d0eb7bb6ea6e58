#include "align/aligner_posteriors.h"

#include "base/memory.h"
#include "base/random.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

enum { MOST = 4, SENTENCES = 3 };

typedef struct Case {
    size_t observations, states;
    double emissions[MOST * MOST], null[MOST];
    JumpModel model;
} Case;

static Case draw_case(uint64_t seed, size_t observations, size_t states)
{
    Case drawn = {.observations = observations, .states = states, .model.null = 0.15};
    Random random = random_from(seed, 0);
    for (size_t i = 0; i < MOST * MOST; i++) drawn.emissions[i] = 0.01 + random_uniform(&random);
    for (size_t j = 0; j < MOST; j++) drawn.null[j] = 0.01 + random_uniform(&random);
    for (int d = 0; d < JUMP_WIDTHS; d++) drawn.model.weights[d] = 0.01 + random_uniform(&random);
    return drawn;
}

static Lattice lattice_of(const Case *drawn)
{
    return (Lattice){drawn->observations, drawn->states, drawn->emissions, drawn->null};
}

static double jump(const Case *drawn, size_t from, size_t to)
{
    double z = 0.015, even = 0.015 / (double)(drawn->states + 1);
    for (size_t i = 1; i <= drawn->states + 1; i++)
        z += drawn->model.weights[MAX_JUMP + (int)i - (int)from];
    return (drawn->model.weights[MAX_JUMP + (int)to - (int)from] + even) / z;
}

/* p(y, a | x) of one alignment; a_j = 0 is the null word, else a state from 1. Adds its jumps,
 * times `weight`, to `jumps`. */
static double joint(const Case *drawn, const size_t *a, double weight, double *jumps)
{
    double p = 1, null = drawn->model.null;
    size_t at = 0;
    for (size_t j = 0; j < drawn->observations; j++) {
        if (!a[j]) {
            p *= null * drawn->null[j];
            continue;
        }
        p *= (1 - null) * jump(drawn, at, a[j]) * drawn->emissions[j * drawn->states + a[j] - 1];
        jumps[MAX_JUMP + (int)a[j] - (int)at] += weight;
        at = a[j];
    }
    jumps[MAX_JUMP + (int)drawn->states + 1 - (int)at] += weight;
    return p * jump(drawn, at, drawn->states + 1);
}

// The next alignment in the order of an odometer; false after the last.
static bool next_alignment(const Case *drawn, size_t *a)
{
    for (size_t j = 0; j < drawn->observations; j++) {
        if (a[j]++ < drawn->states) return true;
        a[j] = 0;
    }
    return false;
}

// By summing over all alignments.
static double by_hand(const Case *drawn, double *posteriors, double *jumps)
{
    double unused[JUMP_WIDTHS], all = 0;
    size_t a[MOST] = {0};
    do all += joint(drawn, a, 0, unused);
    while (next_alignment(drawn, a));
    memset(posteriors, 0, MOST * MOST * sizeof *posteriors);
    memset(jumps, 0, JUMP_WIDTHS * sizeof *jumps);
    memset(a, 0, sizeof a);
    do {
        double p = joint(drawn, a, 0, unused) / all;
        joint(drawn, a, p, jumps);
        for (size_t j = 0; j < drawn->observations; j++)
            if (a[j]) posteriors[j * drawn->states + a[j] - 1] += p;
    } while (next_alignment(drawn, a));
    return log(all);
}

TEST(hmm_is_the_sum_over_all_alignments)
{
    static const size_t sizes[SENTENCES][2] = {{4, 3}, {2, 4}, {3, 1}};
    HmmWork work = {0};
    for (size_t s = 0; s < SENTENCES; s++) {
        Case drawn = draw_case(s, sizes[s][0], sizes[s][1]);
        double expected[MOST * MOST], jumps[JUMP_WIDTHS];
        double log_p = by_hand(&drawn, expected, jumps);
        double posteriors[MOST * MOST];
        HmmCounts counts = {.log_p = 0};
        Lattice lattice = lattice_of(&drawn);
        assert_ok(hmm_posteriors(posteriors, &counts, &work, &lattice, &drawn.model, NULL));
        ck_assert_double_eq_tol(counts.log_p, log_p, 1e-9);
        for (size_t i = 0; i < drawn.observations * drawn.states; i++)
            ck_assert_double_eq_tol(posteriors[i], expected[i], 1e-9);
        for (int d = 0; d < JUMP_WIDTHS; d++)
            ck_assert_double_eq_tol(counts.jumps[d], jumps[d], 1e-9);
    }
    hmm_work_free(&work);
}

TEST(model_1_is_the_sum_over_all_alignments)
{
    for (size_t s = 0; s < SENTENCES; s++) {
        Case drawn = draw_case(s, 3, 2 + s);
        for (int d = 0; d < JUMP_WIDTHS; d++) drawn.model.weights[d] = 1;
        double expected[MOST * MOST], jumps[JUMP_WIDTHS], posteriors[MOST * MOST];
        by_hand(&drawn, expected, jumps); // with equal weights
        Lattice lattice = lattice_of(&drawn);
        // the HMM keeps 1 / (I + 1) for the end, which weighs alike on all states but not on null
        double states = (double)drawn.states, null = drawn.model.null;
        double turned = null / (null + (1 - null) * states / (states + 1));
        model1_posteriors(posteriors, &lattice, turned);
        for (size_t i = 0; i < 3 * drawn.states; i++)
            ck_assert_double_eq_tol(posteriors[i], expected[i], 1e-9);
    }
}

TEST(null_takes_what_no_word_says)
{
    Case drawn = draw_case(7, 2, 2);
    for (size_t i = 0; i < 2; i++) drawn.emissions[i] = 1e-12; // of the first observation
    double posteriors[MOST * MOST];
    HmmCounts counts = {.log_p = 0};
    HmmWork work = {0};
    Lattice lattice = lattice_of(&drawn);
    assert_ok(hmm_posteriors(posteriors, &counts, &work, &lattice, &drawn.model, NULL));
    ck_assert_double_lt(posteriors[0] + posteriors[1], 1e-9);
    model1_posteriors(posteriors, &lattice, 0.15);
    ck_assert_double_lt(posteriors[0] + posteriors[1], 1e-9);
    hmm_work_free(&work);
}

// Each observation is far likelier from its own state than from any other; all probabilities are
// tiny.
TEST(a_thousand_words_do_not_underflow, .seconds = 60)
{
    enum { LONG = 1000 };
    double *emissions = memory_new((size_t)LONG * LONG, sizeof *emissions);
    double *posteriors = memory_new((size_t)LONG * LONG, sizeof *posteriors);
    double null[LONG];
    HmmCounts counts = {.log_p = 0};
    ck_assert(emissions && posteriors);
    for (size_t i = 0; i < (size_t)LONG * LONG; i++) emissions[i] = 1e-9;
    for (size_t j = 0; j < LONG; j++) {
        emissions[j * LONG + j] = 1e-3;
        null[j] = 1e-6;
    }
    JumpModel model = {.null = 0.1};
    for (int d = 0; d < JUMP_WIDTHS; d++) model.weights[d] = d == MAX_JUMP + 1 ? 1 : 0.01;
    HmmWork work = {0};
    Lattice lattice = {LONG, LONG, emissions, null};
    assert_ok(hmm_posteriors(posteriors, &counts, &work, &lattice, &model, NULL));
    ck_assert(isfinite(counts.log_p) && counts.log_p < -1000);
    for (size_t j = 0; j < LONG; j++) ck_assert_double_gt(posteriors[j * LONG + j], 0.99);
    ck_assert_double_gt(counts.jumps[MAX_JUMP + 1], 990);
    hmm_work_free(&work);
    memory_free(emissions);
    memory_free(posteriors);
}

TEST(out_of_memory)
{
    Case drawn = draw_case(1, 2, 2);
    double posteriors[MOST * MOST];
    HmmCounts counts = {.log_p = 0};
    HmmWork work = {0};
    Lattice lattice = lattice_of(&drawn);
    failing_malloc_at(1);
    ck_assert(failing_malloc_expect(
        hmm_posteriors(posteriors, &counts, &work, &lattice, &drawn.model, NULL)));
    hmm_work_free(&work);
}
