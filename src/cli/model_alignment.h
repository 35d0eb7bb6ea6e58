// The alignment of a text with a rendering of it, as cli/alignment_writer.h shows it.
#pragma once

#include "render/html.h"
#include "translate/alignment.h"
#include "translate/subword_labels.h"

/* Given the members of the first group, of which all that is pointed at must outlive it; reuse
 * freely, end with model_alignment_free. */
typedef struct ModelAlignment {
    LinkReading reading;   // of links
    bool draws_posteriors; // matrices are of the reading's posteriors, if any, else of attention
    size_t head;           // the one head that renderings have the attention of, from 1; 0: all
    UnitKind units[2];     // source, target: what links count
    const Translator *translator;
    const char *model; // path of the translator's file

    char attention[64];   // description of the scorer
    char shows[96];       // what is drawn, if not attention
    size_t matrices;      // of a pair in either kind of unit (html_matrices)
    SubwordLabels labels; // of the current pair, like the rest
    Alignment alignment;
    Differences differences;
    SoftAlignment posteriors; // among the subwords, if they are drawn
    float *joined;            // attention among the subwords, of a text of several sentences
    SoftAlignment *heads;     // (matrices - 1) among the words
    const float **views;      // (2, matrices) the pair's matrices of words, then of subwords
} ModelAlignment;

// The page on which such alignments are shown; it points into `of`, and belongs before any pair.
HtmlPage model_alignment_page(ModelAlignment *of);

/* Aligns a source with a rendering of it. *pair points into `of`, and has no subwords, and only one
 * matrix of words, unless `subwords` are wanted. */
Status model_alignment_set(ModelAlignment *of, AlignedPair *pair, const Translation *translation,
                           const Rendering *rendering, bool subwords, Error *error);

void model_alignment_free(ModelAlignment *of);
