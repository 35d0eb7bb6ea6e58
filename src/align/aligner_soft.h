/* From the aligner's posteriors to those of units. A source and a target token are linked where
 * their posterior is at least a threshold (posterior decoding: Liang, Taskar & Klein 2006, section
 * 5; links_from_posteriors), and with them all units that they overlap. But two marks that are each
 * attached to a word, as in "week." and "semaine.", say nothing of these words, and link no units. */
#pragma once

#include "align/aligner_posteriors.h"
#include "align/aligner_tokens.h"
#include "align/soft_alignment.h"

typedef enum AlignerReading {
    ALIGNER_MEAN,    // (p + r) / 2, of aligner_posteriors.h
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
