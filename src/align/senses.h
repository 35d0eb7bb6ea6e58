/* What a word stands for elsewhere, as the aligner has learned it: a small dictionary entry.
 *
 * The share of a word y among what x stands for is c(x, y) / Σ c(x, ·), of the expected links
 * (aligner_table.h). Where a side has Han characters, whose words the aligner does not know, there are
 * none. */
#pragma once

#include "align/aligner.h"

enum { MAX_SENSES = 5 };

typedef struct Sense {
    TextView word; // in lower case; the aligner's
    double share;
} Sense;

/* Sets *count and the senses of a text that is one word, with or without marks around it, the
 * commonest first: those with at least two links and 3 % of the word's. Of any other text none. */
Status senses_find(Sense senses[MAX_SENSES], size_t *count, const Aligner *aligner, TextView text,
                   Error *error);
