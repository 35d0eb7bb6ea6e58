/* The posterior link probabilities of one pair in both directions (aligner_hmm.h), and where they
 * agree.
 *
 * With p(i, j) the posterior that target j was said by source i, and r(i, j) that source i was said
 * by target j, the expected number of links between two words is
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
#ifndef REGARD_ALIGN_ALIGNER_POSTERIORS_H
#define REGARD_ALIGN_ALIGNER_POSTERIORS_H

#include "align/aligner_hmm.h"
#include "align/aligner_vocabulary.h"

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
double aligner_posteriors_link(const AlignerPosteriors *posteriors, size_t i, size_t j);

void aligner_posteriors_free(AlignerPosteriors *posteriors);

#endif
