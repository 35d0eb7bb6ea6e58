/* A picture of a soft alignment for a terminal: source across, target down, brighter for more
 * attention.
 *
 *              c
 *              h
 *           l  a
 *           e  t
 *     the │▓▓▓░░░│
 *     cat │   ███│
 *
 * Each column is three cells wide and has its source word above it, written downwards and standing
 * on the picture, which is as readable for Latin letters as for Chinese. A picture wider than the
 * terminal goes on in further blocks below. */
#ifndef REGARD_RENDER_HEATMAP_H
#define REGARD_RENDER_HEATMAP_H

#include "base/writer.h"
#include "render/picture.h"

typedef enum HeatmapStyle {
    HEATMAP_TRUECOLOR, // painted backgrounds, 24 bits
    HEATMAP_256,       // painted backgrounds of the 256 colours
    HEATMAP_SHADES,    // ' ', '░', '▒', '▓', '█' in a frame: no escape sequence at all
} HeatmapStyle;

/* Writes the picture, ending in a newline; nothing if a side has no label. No line is wider than
 * `columns`, 0 for no limit, as long as that leaves room for one column of the picture; no line ends
 * in a space without colour. Labels cannot steer the terminal (render/glyphs.h). */
void heatmap_write(Writer *out, const Picture *picture, HeatmapStyle style, size_t columns);

#endif
