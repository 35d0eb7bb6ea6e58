/* Labels prepared for a terminal: split into glyphs that each take one place, and made harmless.
 *
 * Nothing in a text may steer the terminal or shift the columns:
 *
 *     control characters, invalid bytes      shown as U+FFFD
 *     white space                            shown as U+2423 (␣)
 *     a mark without a character before it   put on U+25CC (◌)
 *     characters without a shape             left out: they may change the direction of writing, or
 *                                            (joiners, variation selectors) the width
 *     more than 30 marks on a character      left out from there on
 *     labels that are too wide               cut, with U+2026 (…) at the end */
#pragma once

#include "align/units.h"
#include "base/writer.h"

// Start from {0}, end with glyphs_free.
typedef struct Glyphs {
    Bytes text;
    Spans glyphs; // the bytes of each glyph in `text`: a character with its marks
    Spans labels; // the glyphs of each label, numbers of `glyphs`; at least one each
} Glyphs;

// Sets the glyphs of the labels, each at most `max_width` ≥ 1 columns wide.
Status glyphs_set(Glyphs *glyphs, Labels labels, size_t max_width, Error *error);

// The text of the glyphs with these numbers.
static inline TextView glyphs_text(const Glyphs *glyphs, Span numbers)
{
    const Span *all = glyphs->glyphs.items;
    const Span text = {all[numbers.begin].begin, all[numbers.end - 1].end};
    return span_text(bytes_view(&glyphs->text), text);
}

// Columns of one glyph.
size_t glyphs_width(const Glyphs *glyphs, size_t glyph);

// Columns of a whole label, and of the widest.
size_t glyphs_label_width(const Glyphs *glyphs, size_t label);
size_t glyphs_widest_label(const Glyphs *glyphs);

void glyphs_free(Glyphs *glyphs);
