/* The formats of alignments in `align` and `translate`.
 *
 *     pharaoh   a line of links, 0-0 1-2 (align/links.h)
 *     soft      a line of JSON with the whole matrix (render/alignment_json.h)
 *     heatmap   a picture for the terminal and an empty line (render/heatmap.h)
 *     svg       all pairs in one document, one under the other (render/svg.h)
 *     html      all pairs in one page (render/html.h)
 *
 * A document is begun with the first pair and ended by alignment_writer_finish. */
#ifndef REGARD_CLI_ALIGNMENT_FORMAT_H
#define REGARD_CLI_ALIGNMENT_FORMAT_H

#include "cli/output.h"
#include "render/html.h"
#include "render/svg.h"
#include "translate/alignment.h"
#include "translate/translator.h"

typedef enum AlignmentFormat {
    ALIGNMENT_PHARAOH,
    ALIGNMENT_SOFT,
    ALIGNMENT_HEATMAP,
    ALIGNMENT_SVG,
    ALIGNMENT_HTML,
} AlignmentFormat;

// Their names, in this order, then NULL.
extern const char *const alignment_formats[];

/* The subwords of a pair as labels: their spellings, what a placeholder stands for in its place, and </s> at
 * the end. Start from {0}, reuse
 * freely, end with subword_labels_free. */
typedef struct SubwordLabels {
    Bytes spellings[2]; // of the subwords of source and target, concatenated
    Units subwords[2];  // the place of each
} SubwordLabels;

// Replaces what is in `labels` by the subwords of a source and a rendering of it.
Status subword_labels_set(SubwordLabels *labels, const Translator *translator,
                          const Translation *translation, const Rendering *rendering, Error *error);

// Those of the source (0) or the target (1); valid until subword_labels_set is called again.
Labels subword_labels(const SubwordLabels *labels, int side);

void subword_labels_free(SubwordLabels *labels);

// What is written, and of which model.
typedef struct AlignmentSetup {
    AlignmentFormat format;
    LinkReading reading; // of links
    bool
        draws_posteriors; // matrices are of the reading's posteriors, if it has any, else of attention
    size_t head;          // the one head that renderings have the attention of, from 1; 0 for all
    UnitKind units[2];    // source, target: what links count
    const Translator *translator;
    const char *model; // path of the translator's file
} AlignmentSetup;

// Begin with alignment_writer_start, end with alignment_writer_free.
typedef struct AlignmentWriter {
    AlignmentSetup setup;
    char attention[64];   // description of the scorer
    char shows[96];       // what is drawn, if not attention
    HtmlPage page;        // description of the documents
    size_t pairs;         // written so far
    Svg svg;              // their drawings
    SubwordLabels labels; // of the pair being written
    Alignment alignment;  // likewise
    Differences differences;
    SoftAlignment posteriors; // among the subwords, if they are drawn
    SoftAlignment *heads;     // (matrices of the page - 1) among the words
    const float **views;      // (2, matrices) the pair's matrices of words, then of subwords
} AlignmentWriter;

// The path and the translator must outlive the writer, which must stay where it is.
void alignment_writer_start(AlignmentWriter *writer, const AlignmentSetup *setup);

// Writes the alignment of a source and a rendering of it.
Status alignment_writer_write(AlignmentWriter *writer, const Translation *translation,
                              const Rendering *rendering, Output *output, Error *error);

/* Writes what ends a document; `status` is that of the pairs. After a pair that cannot be read
 * (STATUS_FORMAT), the document ends with those before it; after any other failure it stays a
 * beginning. Returns the first failure, of the pairs or its own, with its error. */
Status alignment_writer_finish(AlignmentWriter *writer, Status status, Output *output,
                               Error *error);

void alignment_writer_free(AlignmentWriter *writer);

#endif
