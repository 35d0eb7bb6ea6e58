/* Writes alignments, in a format, or what comes of comparing them with manual ones.
 *
 *     pharaoh   a line of links, 0-0 1-2 (align/links.h), or with probabilities 0-0:0.9731
 *     soft      a line of JSON with the whole matrix; heatmap: a picture for the terminal and an
 *               empty line; svg: all pairs in one document, one under the other (render/pictures.h)
 *     html      all pairs in one page (render/html.h)
 *
 * A document is begun with the first pair and ended by alignment_writer_finish. */
#pragma once

#include "align/gold.h"
#include "cli/output.h"
#include "render/html.h"

typedef enum AlignmentFormat {
    ALIGNMENT_PHARAOH,
    ALIGNMENT_SOFT,
    ALIGNMENT_HEATMAP,
    ALIGNMENT_SVG,
    ALIGNMENT_HTML,
} AlignmentFormat;

// Their names, in this order, then NULL.
extern const char *const alignment_formats[];

/* Given the members of the first group, page.units before the first pair; end with
 * alignment_writer_free. */
typedef struct AlignmentWriter {
    AlignmentFormat format;
    bool probabilities; // of links, in the first matrix of words
    HtmlPage page;      // description of the documents
    Output *output;

    Gold gold;    // compared with, instead of writing, if it has been opened
    size_t pairs; // so far
    Svg svg;
} AlignmentWriter;

// Whether pairs must have subwords, or only words and, but for plain links, their first matrix.
static inline bool alignment_format_shows_subwords(AlignmentFormat format)
{
    return format == ALIGNMENT_SOFT || format == ALIGNMENT_HTML;
}

Status alignment_writer_add(AlignmentWriter *writer, const AlignedPair *pair, Error *error);

/* Writes what ends a document; `status` is that of the pairs. After a pair that cannot be read
 * (STATUS_FORMAT), the document ends with those before it; after any other failure it stays a
 * beginning. Returns the first failure, of the pairs or its own, with its error. */
Status alignment_writer_finish(AlignmentWriter *writer, Status status, Error *error);

/* After all pairs, reads the gold file to its end and writes a line for people:
 *
 *     AER 21.43 %  precision 75.21 %  recall 84.02 %  (150 pairs: 1204 links; gold: 980 sure, …)
 *
 * or JSON (docs/formats.md). The possible include the sure ones, as P does. `file` is that of the
 * pairs. */
Status alignment_writer_finish_gold(AlignmentWriter *writer, const char *file, bool json,
                                    Error *error);

void alignment_writer_free(AlignmentWriter *writer);
