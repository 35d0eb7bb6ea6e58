/* Labels made fit for a terminal: cut into what stands in one place each, and harmless.
 *
 * Nothing that a text holds may steer the terminal or move the columns:
 *
 *     control characters, invalid bytes      shown as U+FFFD
 *     white space                            shown as U+2423 (␣)
 *     a mark without a character before it   put on U+25CC (◌)
 *     what has no shape of its own           left out: it may turn the direction of writing, or
 *                                            (joiners, variation selectors) change the width
 *     what is wider than allowed             cut, with U+2026 (…) at its end */
#ifndef REGARD_RENDER_GLYPHS_H
#define REGARD_RENDER_GLYPHS_H

#include "align/units.h"
#include "base/writer.h"

// Start from {0}, end with glyphs_free.
typedef struct Glyphs {
    Bytes text;
    Units glyphs; // the bytes of each glyph in `text`: a character with its marks
    Units labels; // the glyphs of each label, numbers of `glyphs`; at least one each
} Glyphs;

// Replaces what is in `glyphs` by the labels, each at most `max_width` ≥ 1 columns wide.
Status glyphs_set(Glyphs *glyphs, Labels labels, size_t max_width, Error *error);

// Columns that one glyph takes.
size_t glyphs_width(const Glyphs *glyphs, size_t glyph);

// Columns that a whole label takes.
size_t glyphs_label_width(const Glyphs *glyphs, size_t label);

void glyphs_free(Glyphs *glyphs);

#endif
