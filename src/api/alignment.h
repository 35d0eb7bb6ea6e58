/* The alignment of a text with a rendering of it: from pieces to units, from attention to links. */
#ifndef REGARD_API_ALIGNMENT_H
#define REGARD_API_ALIGNMENT_H

#include "align/links.h"
#include "api/rendering.h"

// Start from {0}, reuse freely, end with alignment_free.
typedef struct Alignment {
    Units source_units, target_units; // of the texts in normal form
    SoftAlignment soft;               // (target units, source units)
    Links links;                      // each target unit with the source unit it looked at most
} Alignment;

/* Sets all of it; a rendering without alpha has rows of zeros and no links. `shift` is soft_alignment_set's. */
Status alignment_set(Alignment *alignment, const Translation *translation,
                     const Rendering *rendering, UnitKind source_units, UnitKind target_units,
                     int shift, Error *error);

void alignment_free(Alignment *alignment);

#endif
