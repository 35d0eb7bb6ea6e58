/* Soft alignments: how much each target unit looked at each source unit.
 *
 * A model attends from subwords to subwords; people read words. For a source unit the attention
 * to its subwords is summed, for a target unit the rows of its subwords are averaged; </s> is left out
 * on both sides and each row is divided by what is left, so that it sums to 1 again. (The average's
 * divisor cancels in that division.)
 *
 * A subword belongs to the units its bytes overlap. One that overlaps several (two Han characters in
 * one subword, units being characters) gives each of them an equal part of the attention it received,
 * and each of them its whole row. One that overlaps none (a space of its own) belongs to the unit
 * behind it, for which it stands. */
#ifndef REGARD_ALIGN_SOFT_H
#define REGARD_ALIGN_SOFT_H

#include "align/units.h"

// Start from {0}, reuse freely, end with soft_alignment_free.
typedef struct SoftAlignment {
    float *weights; // (targets, sources): target t looked at source s by weights[t * sources + s]
    size_t targets;
    size_t sources;
    size_t capacity; // in floats
} SoftAlignment;

// One side of a pair: its text in subwords and in units, offsets in bytes of the same text.
typedef struct SoftSide {
    const uint32_t *ends; // (subwords) where each subword ends; it begins where the one before ends
    size_t subwords;      // without </s>
    const Units *units;
} SoftSide;

// The least mass on source units that a row must have to be believed.
#define SOFT_LEAST_MASS 1e-6F

/* Replaces what is in `soft` by the alignment of the units.
 *
 * `alpha` (target.subwords + 1, source.subwords + 1), row-major, is the attention among the subwords,
 * </s> being last on both sides. With `shift` (-1, 0 or 1) the row of subword t is read from alpha's
 * row t + shift, and from the nearest row there is at either end; so 1 may read the row of </s>.
 *
 * A row sums to 1, or is all zeros, which gives no link: where less than SOFT_LEAST_MASS was left
 * beside </s>, where the unit has no subword, and where alpha is not finite. On STATUS_MEMORY `soft`
 * has no rows and is still valid. */
Status soft_alignment_set(SoftAlignment *soft, const float *alpha, SoftSide source, SoftSide target,
                          int shift, Error *error);

void soft_alignment_free(SoftAlignment *soft);

#endif
