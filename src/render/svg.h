/* Soft alignments as one SVG document, the pairs one under the other: source across, target down,
 * in the colours of the terminal (render/colour_map.h). Every weight from 0.0005 has its number as the
 * title of its cell, which viewers show when one points at it.
 *
 * Source words stand slanted above their columns; what is written in wide characters (Chinese)
 * stands upright, one character under the other. The page around is white, or dark where the
 * viewer's user prefers it. Sizes are those of a sans-serif font at 13 px, by columns of a terminal
 * (render/glyphs.h), so that the picture needs no font at hand. */
#ifndef REGARD_RENDER_SVG_H
#define REGARD_RENDER_SVG_H

#include "base/writer.h"
#include "render/picture.h"

// Pictures gathered so far. Start from {0}, end with svg_free.
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
