/* Soft alignments as one SVG document, one pair below another: source across, target down, in the
 * colours of the terminal (render/colour_map.h). Every weight from 0.0005 has its number as its
 * cell's title, which viewers show on pointing at it.
 *
 * Source words are slanted above their columns; wide characters (Chinese) are upright, one below
 * another. The background is white, or dark where the user prefers that. Sizes are those of a
 * sans-serif font at 13 px, estimated from terminal columns (render/glyphs.h), so no font is
 * needed. */
#ifndef REGARD_RENDER_SVG_H
#define REGARD_RENDER_SVG_H

#include "align/soft_alignment.h"
#include "base/writer.h"

// The pictures so far. Start from {0}, end with svg_free.
typedef struct Svg {
    Bytes body;
    size_t width, height; // in px
} Svg;

// Adds a picture; nothing if a side has no label. On failure `svg` is as it was.
Status svg_add(Svg *svg, const Picture *picture, Error *error);

// Writes the document, which may hold no picture. `title` says what it shows.
void svg_write(Writer *out, const Svg *svg, const char *title);

void svg_free(Svg *svg);

#endif
