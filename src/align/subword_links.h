/* Links between units as links between subwords: the inverse of align/soft_alignment.h.
 *
 * A target subword is linked to every subword of every source unit that is linked to one of the
 * target subword's units (units_of_subword). </s> belongs to no unit and has no links. */
#ifndef REGARD_ALIGN_SUBWORD_LINKS_H
#define REGARD_ALIGN_SUBWORD_LINKS_H

#include "align/links.h"
#include "corpus/token_corpus.h"

// Start from {0}, reuse freely, end with subword_links_free.
typedef struct SubwordLinks {
    SubwordLink *items; // (count) by target, then source, none twice
    size_t count;
    size_t capacity;
    bool *linked; // scratch: the source units that a target subword is linked to
    size_t linked_capacity;
} SubwordLinks;

/* Sets the subword links that `given` stands for. Links must lie within the units (links_check),
 * and either side has at most MAX_SUBWORD_LINK subwords. On STATUS_MEMORY `links` is empty and
 * still valid. */
Status subword_links_set(SubwordLinks *links, const Links *given, SoftSide source, SoftSide target,
                         Error *error);

void subword_links_free(SubwordLinks *links);

#endif
