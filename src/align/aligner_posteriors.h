/* The posterior link probabilities of one pair, in both directions, and where they agree.
 *
 * In one direction, each of J observed words was said by one of the I words of the other side (its
 * states) or by the null word:
 *
 *     IBM Model 1     p(y, a | x) = ∏_j p(a_j) t(y_j | x_{a_j})
 *                     p(null) = p_0,  p(i) = (1 − p_0) / I
 *     HMM             p(y, a | x) = ∏_j p(a_j | i') t(y_j | x_{a_j})
 *                     p(null | i') = p_0,  p(i | i') = (1 − p_0) (w(i − i') + ε / (I + 1)) / Z_i'
 *                     Z_i' = ε + Σ_{i=1}^{I+1} w(i − i')
 *
 * with i' the last state before j that was not null. States count from 1; the walk starts at 0 and
 * ends with a jump to I + 1 (Brown et al. 1993, "The mathematics of statistical machine
 * translation"; Vogel, Ney & Tillmann 1996, "HMM-based word alignment in statistical translation";
 * the null word and the even share ε = 0.015 of all jumps as in Och & Ney 2003, "A systematic
 * comparison of various statistical alignment models", section 2.1). Without that share a word that
 * moves far, as "yesterday" does to the front, is left to the null word, which needs no jump. Sums
 * are scaled observation by observation, so that long sentences do not underflow.
 *
 * In both directions, with p(i, j) the posterior that target j was said by source i, and r(i, j)
 * that source i was said by target j, the expected number of links between two words is
 *
 *     q(i, j) = p(i, j) r(i, j)
 *
 * (Liang, Taskar & Klein 2006, "Alignment by agreement").
 *
 * A Han character is seldom a word of its own: 飞机 is one word, and r, which gives "plane" one
 * character, sets the two at odds. So neighbouring Han characters share what they are linked by,
 *
 *     r̂(i, j) = min(1, r(i, j) + Σ_{j' = j ± 1, both Han} p(i, j') r(i, j')),
 *
 * p̂(i, j) likewise over i ± 1, and under the HMM q(i, j) = max(p r̂, r p̂), which is p r wherever
 * there is no Han. */
#pragma once

#include "align/aligner_tokens.h"
#include "align/aligner_vocabulary.h"
#include "align/soft_alignment.h"

#include <math.h>

// Wider jumps share the weight of the widest.
enum { MAX_JUMP = 20, JUMP_WIDTHS = 2 * MAX_JUMP + 1 };

typedef struct JumpModel {
    double weights[JUMP_WIDTHS]; // w(d) at d + MAX_JUMP; greater than 0, of sum 1
    double null;                 // p_0
} JumpModel;

typedef struct Lattice {
    size_t observations;     // J ≥ 1
    size_t states;           // I ≥ 1
    const double *emissions; // (J, I) t(y_j | x_i)
    const double *null;      // (J) t(y_j | null), greater than 0
} Lattice;

// What a pair adds to the counts of jumps, and how likely it is.
typedef struct HmmCounts {
    double jumps[JUMP_WIDTHS]; // expected number of jumps of each width
    double log_p;              // log p(y | x)
} HmmCounts;

// Memory for the sums. Start from {0}, reuse freely, end with hmm_work_free.
typedef struct HmmWork {
    double *memory;
    size_t capacity;
} HmmWork;

// posteriors (J, I): p(a_j = i | y, x); what is missing from a row's sum to 1 belongs to the null
// word.
void model1_posteriors(double *posteriors, const Lattice *lattice, double null);

/* The same under the HMM, by the forward–backward algorithm. Adds to `counts->jumps` and sets
 * `counts->log_p`. */
Status hmm_posteriors(double *posteriors, HmmCounts *counts, HmmWork *work, const Lattice *lattice,
                      const JumpModel *model, Error *error);

void hmm_work_free(HmmWork *work);

// Start from {0}, reuse freely, end with aligner_posteriors_free.
typedef struct AlignerPosteriors {
    double *memory;
    size_t capacity, words_capacity;
    size_t sources, targets;
    double *forward;       // (targets, sources) p: target j was said by source i
    double *reverse;       // (sources, targets) r: source i was said by target j
    double *shared[2];     // (sources, targets) p̂, r̂
    double *emissions[2];  // (targets, sources) t(y | x), (sources, targets) t(x | y)
    double *null[2];       // (targets) t(y | null), (sources) t(x | null)
    AlignerWord *words[2]; // (sources), (targets)
    HmmCounts counts[2];   // of the target given the source, and the reverse; only under the HMM
    HmmWork work;
} AlignerPosteriors;

// Makes room for a pair, whose words, emissions and null the caller then sets.
Status aligner_posteriors_begin(AlignerPosteriors *posteriors, size_t sources, size_t targets,
                                Error *error);

/* Sets the rest, under the HMM or else under Model 1; `jumps` are among the sources and among the
 * targets. Both sides have words. */
Status aligner_posteriors_end(AlignerPosteriors *posteriors, const JumpModel jumps[2], bool hmm,
                              Error *error);

// q(i, j)
static inline double aligner_posteriors_link(const AlignerPosteriors *posteriors, size_t i,
                                             size_t j)
{
    size_t at = i * posteriors->targets + j;
    return fmax(posteriors->forward[j * posteriors->sources + i] * posteriors->shared[1][at],
                posteriors->reverse[at] * posteriors->shared[0][at]);
}

void aligner_posteriors_free(AlignerPosteriors *posteriors);

/* From the aligner's posteriors to those of units. A source and a target token are linked where
 * their posterior is at least a threshold (posterior decoding: Liang, Taskar & Klein 2006, section
 * 5; links_from_posteriors), and with them all units that they overlap. But two marks that are each
 * attached to a word, as in "week." and "semaine.", say nothing of these words, and link no units. */
typedef enum AlignerReading {
    ALIGNER_MEAN,    // (p + r) / 2
    ALIGNER_FORWARD, // max(p, q): which source said each target
    ALIGNER_REVERSE, // max(r, q): which target said each source
} AlignerReading;

/* The posteriors of a pair as a soft alignment, (p + r) / 2. A row sums to 1 only where each of its
 * links is as good as certain. */
Status aligner_soft(SoftAlignment *soft, const AlignerPosteriors *posteriors, Error *error);

/* The same, read in one of these ways, for units of the two texts: a pair of units has the greatest
 * posterior of the tokens that they overlap, attached marks aside. `tokens` and `units` are of source
 * and target. */
Status aligner_soft_of_units(SoftAlignment *soft, const AlignerPosteriors *posteriors,
                             AlignerReading reading, const AlignerTokens tokens[2],
                             const Spans *const units[2], Error *error);
