/* A statistical word aligner: learns from sentence pairs alone which word stands for which.
 *
 * IBM Model 1, then an HMM (aligner_hmm.h), in both directions at once, trained to agree (Liang,
 * Taskar & Klein 2006, "Alignment by agreement"): with p(i, j) the posterior that target j was
 * said by source i, and r(i, j) that source i was said by target j, the expected number of links
 * between two words is
 *
 *     q(i, j) = p(i, j) r(i, j)
 *
 * and both directions' tables (aligner_table.h) are estimated from q. What q leaves of a word is
 * unlinked. Jump widths are estimated from each direction's own posteriors.
 *
 * A Han character is seldom a word of its own: 飞机 is one word, and r, which gives "plane" one
 * character, sets the two at odds. So neighbouring Han characters share what they are linked by,
 *
 *     r̂(i, j) = min(1, r(i, j) + Σ_{j' = j ± 1, both Han} p(i, j') r(i, j')),
 *
 * p̂(i, j) likewise over i ± 1, and under the HMM q(i, j) = max(p r̂, r p̂), which is p r wherever
 * there is no Han. */
#ifndef REGARD_ALIGN_ALIGNER_H
#define REGARD_ALIGN_ALIGNER_H

#include "align/aligner_corpus.h"
#include "align/aligner_hmm.h"
#include "align/aligner_table.h"
#include "base/threads.h"

typedef struct AlignerOptions {
    size_t model1_iterations, hmm_iterations;
    double null; // p_0, of both directions
} AlignerOptions;

AlignerOptions aligner_options_default(void);

typedef struct Aligner {
    const AlignerCorpus *corpus;
    AlignerTable table;
    JumpModel jumps[2]; // among the sources, among the targets
    bool hmm;           // else the posteriors are Model 1's
} Aligner;

/* Learns from a corpus, which must outlive the aligner. The result is the same, bit by bit, for
 * any number of threads. After a failure there is nothing to free. */
Status aligner_learn(Aligner *aligner, const AlignerCorpus *corpus, AlignerOptions options,
                     Threads *threads, Error *error);

// The posteriors of one pair. Start from {0}, reuse freely, end with aligner_posteriors_free.
typedef struct AlignerPosteriors {
    double *memory;
    size_t capacity;
    double *forward;   // (targets, sources) p: target j was said by source i
    double *reverse;   // (sources, targets) r: source i was said by target j
    double *shared[2]; // (sources, targets) p̂, r̂
    double *emissions[2], *null[2];
    HmmCounts counts[2]; // of the target given the source, and the reverse; only under the HMM
    uint32_t *cells;     // (sources, targets) of the table
    size_t cells_capacity;
    HmmWork work;
} AlignerPosteriors;

/* Those of a pair of the corpus. Where a side is empty nothing is set. */
Status aligner_posteriors_set(AlignerPosteriors *posteriors, const Aligner *aligner, size_t pair,
                              Error *error);

// q(i, j)
double aligner_posteriors_link(const AlignerPosteriors *posteriors, size_t sources, size_t targets,
                               size_t i, size_t j);

void aligner_posteriors_free(AlignerPosteriors *posteriors);

void aligner_free(Aligner *aligner);

#endif
