/* Links between units as links between subwords: the inverse of align/soft_alignment.h.
 *
 * A target subword is linked to every subword of every source unit that is linked to one of the
 * target subword's units (units_of_subword). </s> belongs to no unit and has no links. Of a soft
 * alignment, the subwords of a source unit have equal parts of its weight; a subword that overlaps
 * several units has the sum of its parts. */
#pragma once

#include "align/links.h"
#include "align/soft_alignment.h"
#include "corpus/token_corpus.h"

// Start from {0}, reuse freely, end with subword_links_free.
typedef struct SubwordLinks {
    SubwordLink *items; // (count) by target, then source, none twice
    size_t count;
    size_t capacity;
    SoftAlignment linked; // scratch: 1 where units are linked
    double *weights;      // scratch: of a target subword's links to source units, then to subwords
    size_t weights_capacity;
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
