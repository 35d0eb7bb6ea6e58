/* Expected links summed by type and by stem, and the probabilities that follow from them alone
 * (aligner_translation.h). */
#ifndef REGARD_ALIGN_ALIGNER_TOTALS_H
#define REGARD_ALIGN_ALIGNER_TOTALS_H

#include "align/aligner_vocabulary.h"

// Of one side. Ends with aligner_totals_free.
typedef struct AlignerTotals {
    double *types;   // (types) c(x)
    double *stems;   // (stems) c(stem x)
    double *of_stem; // (types) p(x | stem x)
    double *unigram; // (types) p(x)
    double all;
    double unseen; // p(x) of a type that is not in the vocabulary, as if it had one link
} AlignerTotals;

// Of no links. After a failure there is nothing to free.
Status aligner_totals_new(AlignerTotals *totals, const AlignerVocabulary *vocabulary, Error *error);

// Sets all but `types` from `types`.
void aligner_totals_set(AlignerTotals *totals, const AlignerVocabulary *vocabulary);

void aligner_totals_free(AlignerTotals *totals);

#endif
