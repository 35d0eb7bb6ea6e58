/* Writes what the statistical aligner found, in any of the formats of alignments
 * (cli/alignment_format.h), or with --gold how good its links are.
 *
 * A link of two units has the largest posterior of the tokens that they overlap. */
#ifndef REGARD_CLI_ALIGN_POSTERIOR_WRITER_H
#define REGARD_CLI_ALIGN_POSTERIOR_WRITER_H

#include "align/aligner_links.h"
#include "cli/align/link_output.h"

// A pair and what was found. Start from {0}, reuse freely, end with aligned_pair_free.
typedef struct AlignedPair {
    TextView sides[2];    // the pair's texts, not owned
    AlignerText texts[2]; // their tokens and units
    SoftAlignment tokens; // (target tokens, source tokens) posteriors
    SoftAlignment units;  // (target units, source units) likewise
    Links links;          // of units
    double score;         // aligner_score, with --suspicious
} AlignedPair;

void aligned_pair_free(AlignedPair *pair);

// Begin with posterior_writer_start, end with posterior_writer_free.
typedef struct PosteriorWriter {
    const AlignValues *values;
    UnitKind units[2]; // set by the caller before the first pair
    Output *output;
    LinkOutput links; // of gold and of links without probabilities
    HtmlPage page;
    Svg svg;
    size_t pairs; // so far
} PosteriorWriter;

// Opens the gold file, if there is one.
Status posterior_writer_start(PosteriorWriter *writer, const AlignValues *values, Output *output,
                              Error *error);

Status posterior_writer_add(PosteriorWriter *writer, const AlignedPair *pair, Error *error);

/* Writes what ends a document, or the result of --gold; `file` is that of the pairs. */
Status posterior_writer_finish(PosteriorWriter *writer, const char *file, Error *error);

void posterior_writer_free(PosteriorWriter *writer);

#endif
