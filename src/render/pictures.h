/* Pictures of alignments, and their numbers for other programs: a heat map for the terminal, SVG,
 * lines of JSON; a page of HTML: render/html.h. A picture (align/soft_alignment.h) is one matrix with
 * its labels; a page and a line of JSON show a pair in words and in subwords. */
#pragma once

#include "align/links.h"
#include "align/soft_alignment.h"
#include "base/writer.h"

#include <jansson.h>

// A pair in one kind of unit. A view, which owns nothing.
typedef struct AlignmentView {
    Labels source, target;
    const float *const *weights; // (matrices), each (target, source), row-major, in 0 … 1
} AlignmentView;

typedef struct AlignedPair {
    AlignmentView words;
    AlignmentView subwords; // with </s>
    const Links *links;     // of words
    const Links *differ[2]; // that only the attention, only the aligner has; NULL: not compared
} AlignedPair;

// The text of a label as JSON, and the list of all; NULL if out of memory.
json_t *label_json(Labels labels, size_t label);
json_t *labels_json(Labels labels);

// A weight in thousandths, 0 … 1000: rounding may take a softmax past 1; NaN becomes 0.
static inline int weight_per_mille(float weight)
{
    return weight > 0 ? weight < 1 ? (int)(weight * 1000 + 0.5F) : 1000 : 0;
}

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
 * Latin letters and for Chinese alike. A picture wider than the terminal continues in blocks below. */
typedef enum HeatmapStyle {
    HEATMAP_TRUECOLOR, // background colours of 24 bits
    HEATMAP_256,       // background colours of the 256-colour palette
    HEATMAP_SHADES,    // ' ', '░', '▒', '▓', '█' in a frame, without escape sequences
} HeatmapStyle;

/* Writes the picture, ending in a newline; nothing if a side has no label. No line is wider than
 * `columns`, 0 for no limit, as long as that leaves room for one column of the picture; no line
 * ends in a space without colour. Labels cannot steer the terminal (render/glyphs.h). */
void heatmap_write(Writer *out, const Picture *picture, HeatmapStyle style, size_t columns);

/* Soft alignments as one SVG document, one pair below another: source across, target down, in the
 * colours of the terminal (render/colour_map.h). Every weight from 0.0005 has its number as its
 * cell's title, which viewers show on pointing at it.
 *
 * Source words are slanted above their columns; wide characters (Chinese) are upright, one below
 * another. The background is white, or dark where the user prefers that. Sizes are those of a
 * sans-serif font at 13 px, estimated from terminal columns (render/glyphs.h), so no font is
 * needed. Start from {0}, end with svg_free. */
typedef struct Svg {
    Bytes body;           // the pictures so far
    size_t width, height; // in px
    bool no_weights;      // there is nothing that a legend of weights would explain
} Svg;

// Labels that are texts of their own, put together. Start from {0}, end with label_texts_free.
typedef struct LabelTexts {
    Bytes text;
    Spans units;
} LabelTexts;

// Adds a text, behind which there is a space.
Status label_texts_add(LabelTexts *labels, TextView text, Error *error);

static inline Labels label_texts_view(const LabelTexts *labels)
{
    return (Labels){bytes_text(&labels->text), &labels->units};
}

void label_texts_free(LabelTexts *labels);

// Adds a picture; nothing if a side has no label. On failure `svg` is as it was.
Status svg_add(Svg *svg, const Picture *picture, Error *error);

/* Writes the document, which may hold no picture. `title` says what it shows; what XML cannot hold
 * of it becomes U+FFFD. */
void svg_write(Writer *out, const Svg *svg, const char *title);

void svg_free(Svg *svg);

/* Writes a pair with its first matrix of subwords as one line of JSON (docs/formats.md):
 *
 *     {"source": ["▁the", "▁c", "at", "</s>"], "target": ["▁chat", "</s>"],
 *      "weights": [[0.1, 0.5, 0.4, 0], [0, 0, 0, 1]],
 *      "source_words": ["the", "cat"], "target_words": ["chat"], "links": "1-0"}
 *
 * Fails with STATUS_ARGUMENT for a weight that is not in 0 … 1 (a damaged model) and for a label
 * that is not UTF-8. */
void alignment_json_write(Writer *out, const AlignedPair *pair);
