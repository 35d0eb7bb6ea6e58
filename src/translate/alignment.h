/* The alignment of a text with a rendering of it: from subwords to units, from attention to
 * links. */
#ifndef REGARD_TRANSLATE_ALIGNMENT_H
#define REGARD_TRANSLATE_ALIGNMENT_H

#include "align/links.h"
#include "translate/rendering.h"

// Start from {0}, reuse freely, end with alignment_free.
typedef struct Alignment {
    Units source_units, target_units; // of the texts in normal form
    SoftAlignment soft;               // (target units, source units)
    Links links;                      // by the given linking
} Alignment;

/* Sets all of it; kinds are those of the source's and the target's units. Without alpha all rows
 * are zeros and there are no links. */
Status alignment_set(Alignment *alignment, const Translation *translation,
                     const Rendering *rendering, const UnitKind kinds[2], Linking linking,
                     Error *error);

/* The same for given units of source and target, such as the tokens of a hand-aligned file: offsets
 * in the texts in normal form. Does not set source_units and target_units; `units` may be those. */
Status alignment_of_units(Alignment *alignment, const Translation *translation,
                          const Rendering *rendering, const Units *const units[2], Linking linking,
                          Error *error);

void alignment_free(Alignment *alignment);

#endif
