/* Links between units as links between subwords: the inverse of align/soft_alignment.h.
 *
 * A target subword is linked to every subword of every source unit that is linked to one of the
 * target subword's units (units_of_subword). </s> belongs to no unit and has no links. Of a soft
 * alignment, the subwords of a source unit have equal parts of its weight; a subword that overlaps
 * several units has the sum of its parts. */
#pragma once

#include "align/links.h"
#include "align/soft_alignment.h"
#include "corpus/corpus_store.h"
#include "corpus/token_corpus.h"

// Start from {0}, reuse freely, end with subword_links_free.
typedef struct SubwordLinks {
    SubwordLink *items; // (count) by target, then source, none twice
    size_t count;
    size_t capacity;
    SoftAlignment linked; // scratch: 1 where units are linked
    double *weights;      // scratch: of a target subword's links to source units, then to subwords
    size_t weights_capacity;
    Spans units[2]; // scratch
} SubwordLinks;

// Weights of a soft alignment below this are taken for none.
#define MIN_SOFT_LINK 0.1F

/* Sets the subword links that `given` stands for. Links must lie within the units (links_check),
 * and either side has at most MAX_SUBWORD_LINK subwords. On STATUS_MEMORY `links` is empty and
 * still valid. */
Status subword_links_set(SubwordLinks *links, const Links *given, SoftSide source, SoftSide target,
                         Error *error);

/* Likewise the links of a soft alignment of the units, (target units, source units). */
Status subword_links_set_soft(SubwordLinks *links, const SoftAlignment *soft, SoftSide source,
                              SoftSide target, Error *error);

void subword_links_free(SubwordLinks *links);

/* The alignments of many pairs, between units, from which their links between subwords can be made
 * for any segmentation of the texts. */

// The alignment of one pair; nothing is owned.
typedef struct PairAlignment {
    const uint32_t *bounds;    // begin and end of each of its source units, then of the target's
    const Link *links;         // (link_count)
    const float *weights;      // (link_count) if the alignment is soft, else NULL
    uint32_t sources, targets; // units
    uint32_t link_count;
} PairAlignment;

/* Start from {0}, or with `store` open (corpus_store_open) to keep them in a file with 8 bytes of
 * each pair in memory; end with pair_alignments_free. */
typedef struct PairAlignments {
    CorpusStore store; // of each pair its numbers, bounds, links and weights
    size_t *begins;    // (count) where each pair begins in the store
    size_t count, capacity;
} PairAlignments;

/* Adds a pair: hard, `links` between its units. On failure nothing is added. */
Status pair_alignments_add(PairAlignments *alignments, const Spans *source, const Spans *target,
                           const Links *links, Error *error);

// The same, soft, of the size of the units; weights below MIN_SOFT_LINK are left out.
Status pair_alignments_add_soft(PairAlignments *alignments, const Spans *source,
                                const Spans *target, const SoftAlignment *soft, Error *error);

/* Sets *alignment to that of pair `number`, valid until the next add and until the window is used
 * again; a pair that was not added has no links. */
Status pair_alignments_view(const PairAlignments *alignments, StoreWindow *window,
                            PairAlignment *alignment, size_t number, Error *error);

void pair_alignments_free(PairAlignments *alignments);

/* Replaces `out` by the links of a pair between these subwords, whose units are not read. On
 * STATUS_MEMORY `out` is empty and still valid. */
Status pair_alignment_project(SubwordLinks *out, const PairAlignment *alignment, SoftSide source,
                              SoftSide target, Error *error);
