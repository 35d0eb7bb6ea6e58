/* The alignments of many pairs, between units, from which the links between subwords can be made
 * for any segmentation of the texts (align/subword_links.h). */
#ifndef REGARD_ALIGN_PAIR_ALIGNMENTS_H
#define REGARD_ALIGN_PAIR_ALIGNMENTS_H

#include "align/subword_links.h"

// Where a pair's units and links begin, and their numbers.
typedef struct PairAlignment {
    size_t bounds, links;
    uint32_t sources, targets; // units
    uint32_t link_count;
} PairAlignment;

// Start from {0}, end with pair_alignments_free.
typedef struct PairAlignments {
    PairAlignment *pairs; // (count)
    size_t count, capacity;
    uint32_t *bounds; // of each pair the begins and ends of its source units, then of the target's
    size_t bound_count, bound_capacity;
    Link *links; // of all pairs in order
    size_t link_count, link_capacity;
    float *weights; // (link_count) if the alignments are soft
    size_t weight_capacity;
} PairAlignments;

/* Adds a pair: hard, `links` between its units. On STATUS_MEMORY nothing is added. Of one object
 * all alignments are hard or all are soft. */
Status pair_alignments_add(PairAlignments *alignments, const Units *source, const Units *target,
                           const Links *links, Error *error);

// The same, soft, of the size of the units; weights below MIN_SOFT_LINK are left out.
Status pair_alignments_add_soft(PairAlignments *alignments, const Units *source,
                                const Units *target, const SoftAlignment *soft, Error *error);

void pair_alignments_free(PairAlignments *alignments);

/* Replaces `out` by the links of pair `number` between these subwords, whose units are not read; a
 * pair that was not added has none. `scratch` is for a soft alignment. On STATUS_MEMORY `out` is
 * empty and still valid. */
Status pair_alignments_project(SubwordLinks *out, SoftAlignment *scratch,
                               const PairAlignments *alignments, size_t number, SoftSide source,
                               SoftSide target, Error *error);

#endif
