/* A statistical word aligner: learns from sentence pairs alone which word stands for which.
 *
 * IBM Model 1, then an HMM, in both directions at once, trained to agree (Liang, Taskar & Klein
 * 2006): the expected links of both directions are the product of their posteriors
 * (aligner_posteriors.h), from which both directions' t(y | x) are estimated
 * (aligner_translation.h). What that leaves of a word is unlinked. Jump widths are estimated from
 * each direction's own posteriors. */
#pragma once

#include "align/aligner_corpus.h"
#include "align/aligner_posteriors.h"
#include "align/aligner_table.h"
#include "align/soft_alignment.h"
#include "base/cancel.h"
#include "base/threads.h"

typedef struct AlignerOptions {
    size_t model1_iterations, hmm_iterations;
    double null;        // p_0, of both directions
    double least_links; // of two types: with fewer they have no entry in what is learned
    // called before each iteration, the first is 1; may be NULL
    void (*show)(void *context, size_t iteration, size_t iterations);
    void *context;
    const Cancel *cancel; // asked before each iteration; NULL: never
} AlignerOptions;

AlignerOptions aligner_options_default(void);

// What was learned. It can be kept in a file (aligner_file.h). Ends with aligner_free.
typedef struct Aligner {
    AlignerVocabulary vocabularies[2]; // source, target
    AlignerTable table;
    JumpModel jumps[2]; // among the sources, among the targets
} Aligner;

/* Learns from a corpus, which is empty afterwards, also after a failure. The result is the same, bit
 * by bit, for any number of threads. After a failure there is nothing to free. */
Status aligner_learn(Aligner *aligner, AlignerCorpus *corpus, AlignerOptions options,
                     Threads *threads, Error *error);

/* The posteriors of any pair of texts. Where a side is empty only their sizes are set. Any number of
 * threads may share an aligner, each with posteriors of its own.
 *
 * Unless it is NULL, `attention` (target tokens, source tokens) is a network's: with α_ji that of
 * target j to source i, in a sentence of I sources,
 *
 *     t(y_j | x_i) f_ji    and    t(x_i | y_j) f_ji,    f_ji = (I α_ji + ε) / (1 + ε)
 *
 * take the place of t(y_j | x_i) and t(x_i | y_j): attention mixed with ε parts of an even one, which
 * by itself changes nothing, nor does a row of zeros. */
Status aligner_align(AlignerPosteriors *posteriors, const Aligner *aligner,
                     const AlignerTokens *source, const AlignerTokens *target,
                     const SoftAlignment *attention, Error *error);

/* How much likelier each word of a pair is under Model 1 than without a counterpart:
 *
 *     score = (Σ_j log (p_0 + (1 − p_0) / I Σ_i t⁻(y_j | x_i) / t(y_j | null))
 *            + Σ_i log (p_0 + (1 − p_0) / J Σ_j t⁻(x_i | y_j) / t(x_i | null))) / (I + J)
 *
 * t⁻ leaves out one link of each two types, so that it makes no difference whether the aligner has
 * learned from this very pair. 0 if a side is empty. `posteriors` lends its memory. */
Status aligner_score(double *score, AlignerPosteriors *posteriors, const Aligner *aligner,
                     const AlignerTokens *source, const AlignerTokens *target, Error *error);

void aligner_free(Aligner *aligner);
