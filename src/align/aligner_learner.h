// Learning of an aligner, step by step: what aligner_learn (aligner.h) does.
#ifndef REGARD_ALIGN_ALIGNER_LEARNER_H
#define REGARD_ALIGN_ALIGNER_LEARNER_H

#include "align/aligner.h"
#include "align/aligner_cells.h"

typedef struct AlignerLearner {
    const AlignerCorpus *corpus;
    AlignerCells cells;
    JumpModel jumps[2]; // among the sources, among the targets
} AlignerLearner;

// The corpus must outlive the learner. Ends with aligner_learner_free, also after a failure.
Status aligner_learner_new(AlignerLearner *learner, const AlignerCorpus *corpus, double null,
                           Error *error);

// One iteration of EM, under the HMM or else under Model 1.
Status aligner_learner_iterate(AlignerLearner *learner, bool hmm, Threads *threads, Error *error);

/* The posteriors of a pair of the corpus, which has words on both sides. `cells` (sources, targets)
 * gets their cells. */
Status aligner_learner_align(AlignerPosteriors *posteriors, uint32_t *cells,
                             const AlignerLearner *learner, AlignerPair pair, bool hmm,
                             Error *error);

// Sets a table from what was learned; see AlignerOptions. The table ends with aligner_table_free, also
// after a failure.
Status aligner_learner_table(AlignerTable *table, const AlignerLearner *learner, double least_links,
                             Error *error);

void aligner_learner_free(AlignerLearner *learner);

#endif
