/* A soft alignment as a heat map for a terminal: source across, target down, brighter for more
 * attention.
 *
 *              c
 *              h
 *           l  a
 *           e  t
 *     the │▓▓▓░░░│
 *     cat │   ███│
 *
 * Each column is three cells wide, below its source word, which is written downwards: readable for
 * Latin letters and for Chinese alike. A picture wider than the terminal continues in blocks below.
 */
#ifndef REGARD_RENDER_HEATMAP_H
#define REGARD_RENDER_HEATMAP_H

#include "align/soft_alignment.h"
#include "base/writer.h"

typedef enum HeatmapStyle {
    HEATMAP_TRUECOLOR, // background colours of 24 bits
    HEATMAP_256,       // background colours of the 256-colour palette
    HEATMAP_SHADES,    // ' ', '░', '▒', '▓', '█' in a frame, without escape sequences
} HeatmapStyle;

/* Writes the picture, ending in a newline; nothing if a side has no label. No line is wider than
 * `columns`, 0 for no limit, as long as that leaves room for one column of the picture; no line
 * ends in a space without colour. Labels cannot steer the terminal (render/glyphs.h). */
void heatmap_write(Writer *out, const Picture *picture, HeatmapStyle style, size_t columns);

#endif
