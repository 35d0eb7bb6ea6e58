/* Two alignments of a pair into one: a model says where each target word looked, a model of the opposite direction where
 * each source word did, and what both say is more often right. The heuristics of Koehn, Och & Marcu 2003, "Statistical
 * phrase-based translation", section 3 (grow-diag-final-and as in Koehn et al. 2005 and in Moses, whose order of steps this
 * follows). */
#ifndef REGARD_ALIGN_SYMMETRIZE_H
#define REGARD_ALIGN_SYMMETRIZE_H

#include "align/links.h"

/* intersection          links of both
 * union                 links of either
 * grow-diag-final-and   begins with the intersection; grow-diag: takes in links of the union that touch a taken one, at a
 *                       side or a corner, and have a unit without a link, until none is left; final-and: then takes from
 *                       the forward, after it from the reverse alignment each link whose units both have none
 */
typedef enum Symmetrization {
    SYMMETRIZE_INTERSECTION,
    SYMMETRIZE_UNION,
    SYMMETRIZE_GROW_DIAG_FINAL_AND,
} Symmetrization;

// Their names, in this order, then NULL.
extern const char *const symmetrization_names[];

/* Replaces what is in `links`, which is neither of the others. `reverse` is already turned round: its sources are those of
 * `forward`. Links lie within `sources` and `targets` units. On failure `links` is empty and still valid. */
Status links_symmetrize(Links *links, Symmetrization way, const Links *forward,
                        const Links *reverse, size_t sources, size_t targets, Error *error);

// Replaces what is in `turned` by `links` with source and target exchanged.
Status links_transpose(Links *turned, const Links *links, Error *error);

#endif
