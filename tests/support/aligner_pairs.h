// A few sentence pairs from which the tests of the aligner learn.
#pragma once

#include "align/aligner.h"

enum { ALIGNER_PAIRS = 11 };
extern const char *const aligner_pairs[ALIGNER_PAIRS][2];

// Adds them all to a corpus.
Status aligner_pairs_add(AlignerCorpus *corpus, Error *error);

// Adds any pair; must not fail.
void aligner_pairs_add_text(AlignerCorpus *corpus, const char *source, const char *target);

// What is learned from them by so many workers, with the default options.
Aligner aligner_pairs_learn(size_t workers);

// The posteriors of any pair.
void aligner_pairs_align(AlignerPosteriors *posteriors, const Aligner *aligner, const char *source,
                         const char *target);
