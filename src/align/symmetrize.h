/* Symmetrisation: one alignment from two models of opposite directions. Links that both find are
 * more often right than those of either alone. The heuristics of Koehn, Och & Marcu 2003,
 * "Statistical phrase-based translation", section 3; grow-diag-final-and as in Koehn et al. 2005
 * and in Moses, whose order of steps this follows. */
#ifndef REGARD_ALIGN_SYMMETRIZE_H
#define REGARD_ALIGN_SYMMETRIZE_H

#include "align/links.h"

/* intersection          links of both
 * union                 links of either
 * grow-diag-final-and   starts with the intersection. grow-diag adds links of the union next to one
 *                       already in, diagonals included, while one of their two units has no link.
 *                       final-and then adds, first from the forward and then from the reverse
 *                       alignment, each link whose units both have none. */
typedef enum Symmetrization {
    SYMMETRIZE_INTERSECTION,
    SYMMETRIZE_UNION,
    SYMMETRIZE_GROW_DIAG_FINAL_AND,
} Symmetrization;

// Their names, in this order, then NULL.
extern const char *const symmetrization_names[];

/* Sets `links`, which is neither of the others. `reverse` is already transposed: its sources are
 * those of `forward`. On failure `links` is empty and still valid. */
Status links_symmetrize(Links *links, Symmetrization way, const Links *forward,
                        const Links *reverse, Error *error);

// Sets `transposed` to `links` with source and target exchanged.
Status links_transpose(Links *transposed, const Links *links, Error *error);

#endif
