/* Learning of an aligner, step by step: what aligner_learn (aligner.h) does.
 *
 * It counts in cells: one for each pair of types that stand in one sentence pair, with their expected
 * links c(x, y) and what follows from them (aligner_translation.h). The tests read them. */
#pragma once

#include "align/aligner.h"
#include "align/aligner_corpus.h"
#include "align/aligner_table.h"
#include "align/aligner_translation.h"

typedef struct AlignerCell {
    uint32_t types[2]; // source, target
    uint32_t stems;    // the number of the pair of their stems
} AlignerCell;

typedef struct AlignerCells {
    PairMap map;        // two types → their cell
    AlignerCell *items; // (cells)
    size_t count, items_capacity, links_capacity;
    size_t stem_pairs;
    double *links;            // (cells) c(x, y)
    float (*translations)[2]; // (cells) t(y | x), t(x | y): read together
    uint32_t *alike;          // (sources) the target type that is spelt alike, or ALIGNER_UNKNOWN
    AlignerTotals totals[2];
    double *unlinked[2]; // (types) expected words of each side without a link
    double *null[2];     // (types) t(x | null); t(y | null)
} AlignerCells;

// The cell of two types that stand in one pair of the corpus.
static inline uint32_t aligner_cells_find(const AlignerCells *cells, uint32_t source,
                                          uint32_t target)
{
    return (uint32_t)pair_map_find(&cells->map, (int32_t)source, (int32_t)target);
}

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
