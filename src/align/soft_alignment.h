/* Soft alignments: how much attention each target unit gives each source unit.
 *
 * A model attends from subwords to subwords; people read words. A source unit gets the sum of the
 * attention to its subwords, a target unit the average of the rows of its subwords. </s> is left
 * out on both sides and each row is renormalised to sum to 1, which also cancels the average's
 * divisor.
 *
 * A subword belongs to the units its bytes overlap. One that overlaps several (two Han characters
 * in one subword, units being characters) gives each an equal part of the attention it received,
 * and each its whole row. One that overlaps none (a space of its own) belongs to the next unit.
 *
 * For links, marks that are attached to a target word may be left out as well: in "semaine." and
 * "week." the full stops, which find each other, say nothing of the words. */
#pragma once

#include "align/units.h"

// Start from {0}, reuse freely, end with soft_alignment_free.
typedef struct SoftAlignment {
    float *weights; // (targets, sources), row-major
    size_t targets;
    size_t sources;
    size_t capacity; // in floats
} SoftAlignment;

// A soft alignment to be drawn, with its labels. A view, which owns nothing.
typedef struct Picture {
    const float *weights; // (target labels, source labels), row-major, each in 0 … 1
    Labels source;
    Labels target;
} Picture;

// One side of a pair, in subwords and in units; offsets are bytes of the same text.
typedef struct SoftSide {
    const uint32_t *ends; // (subwords) where each subword ends and the next begins
    size_t subwords;      // without </s>
    const Spans *units;
    const char *text; // of the target, if attached marks are left out; else NULL
} SoftSide;

static inline Span soft_side_subword(const SoftSide *side, size_t subword)
{
    return (Span){subword ? side->ends[subword - 1] : 0, side->ends[subword]};
}

// The units of one subword, with *first as for units_of_subword.
static inline Span soft_side_units(const SoftSide *side, size_t subword, size_t *first)
{
    return units_of_subword(side->units, soft_side_subword(side, subword), first);
}

// A row with less attention than this on source units is treated as having none.
#define MIN_SOFT_MASS 1e-6F

/* Gives `soft` this size, with zeros. On STATUS_MEMORY it has no rows and is still valid. */
Status soft_alignment_clear(SoftAlignment *soft, size_t targets, size_t sources, Error *error);

/* Sets `soft` to the alignment of the units.
 *
 * `alpha` (target.subwords + 1, source.subwords + 1), row-major, is the attention among the
 * subwords, </s> last on both sides. A subword has its own row of alpha.
 *
 * A row sums to 1, or is all zeros, which gives no link: where less than MIN_SOFT_MASS falls
 * outside </s>, where the unit has no subword, and where alpha is not finite. On STATUS_MEMORY
 * `soft` has no rows and is still valid. */
Status soft_alignment_set(SoftAlignment *soft, const float *alpha, SoftSide source, SoftSide target,
                          Error *error);

void soft_alignment_free(SoftAlignment *soft);
