/* The alignments of many pairs, between units, from which the links between subwords can be made
 * for any segmentation of the texts (align/subword_links.h). */
#ifndef REGARD_ALIGN_PAIR_ALIGNMENTS_H
#define REGARD_ALIGN_PAIR_ALIGNMENTS_H

#include "align/subword_links.h"
#include "corpus/corpus_store.h"

// The alignment of one pair; nothing is owned.
typedef struct PairAlignment {
    const uint32_t *bounds;    // the begins and ends of its source units, then of the target's
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
Status pair_alignments_add(PairAlignments *alignments, const Units *source, const Units *target,
                           const Links *links, Error *error);

// The same, soft, of the size of the units; weights below MIN_SOFT_LINK are left out.
Status pair_alignments_add_soft(PairAlignments *alignments, const Units *source,
                                const Units *target, const SoftAlignment *soft, Error *error);

/* Sets *alignment to that of pair `number`, valid until the next add and until the window is used
 * again; a pair that was not added has no links. */
Status pair_alignments_view(const PairAlignments *alignments, StoreWindow *window,
                            PairAlignment *alignment, size_t number, Error *error);

void pair_alignments_free(PairAlignments *alignments);

/* Replaces `out` by the links of a pair between these subwords, whose units are not read. On
 * STATUS_MEMORY `out` is empty and still valid. */
Status pair_alignment_project(SubwordLinks *out, const PairAlignment *alignment, SoftSide source,
                              SoftSide target, Error *error);

#endif
