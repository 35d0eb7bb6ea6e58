/* From links among units to links among sub-words: the way back from what soft.h does.
 *
 * A target piece is linked to every piece of every source unit that is linked to a unit the target piece belongs to
 * (units_of_piece in units.h). </s> belongs to no unit and has no links. */
#ifndef REGARD_ALIGN_PIECE_LINKS_H
#define REGARD_ALIGN_PIECE_LINKS_H

#include "align/links.h"
#include "corpus/token_corpus.h"

// Start from {0}, reuse freely, end with piece_links_free.
typedef struct PieceLinks {
    PieceLink *items; // (count) by target, then source, none twice
    size_t count;
    size_t capacity;
    bool *linked; // scratch: of the source units, those that a target piece is linked to
    size_t linked_capacity;
} PieceLinks;

/* Replaces what is in `links` by those that `given` means; they must lie within the units (links_check), and either side have
 * at most PIECE_LINK_MOST pieces. On STATUS_MEMORY `links` is empty and still valid. */
Status piece_links_set(PieceLinks *links, const Links *given, SoftSide source, SoftSide target,
                       Error *error);

void piece_links_free(PieceLinks *links);

#endif
