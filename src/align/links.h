/* Hard alignments: links between source and target units, both counted from 0.
 *
 * Written in the Pharaoh format, one line a pair: `0-0 1-2`, source first. Manual alignments also
 * distinguish sure links (`0-0`) from possible ones (`1?2`). */
#pragma once

#include "align/soft_alignment.h"
#include "base/writer.h"
#include "io/line_reader.h"

typedef struct Link {
    uint32_t source;
    uint32_t target;
} Link;

/* A set of links: sorted by source, then target, none twice. Start from {0}, reuse freely, end with
 * links_free. */
typedef struct Links {
    Link *items; // (count)
    size_t count;
    size_t capacity;
} Links;

/* What links are read from: the attention alone; the posteriors of an aligner that the attention
 * informs (aligner_align); or those of the aligner alone. */
typedef enum LinkSource { LINKS_FROM_ATTENTION, LINKS_FROM_BOTH, LINKS_FROM_TABLE } LinkSource;

extern const char *const link_source_names[]; // "attention", "both", "table", NULL

// A link with a smaller posterior is less likely than not.
#define MIN_POSTERIOR 0.5F

/* The least strength of a link of attention. Of 0.33, 0.4, 0.45 and 0.5 this had the lowest AER on
 * most of the sets of docs/notes/alignment.md; α_{t-1} or α_{t+1}, which the state before y_t might
 * suggest, are far worse than α_t. */
#define MIN_STRENGTH 0.4F

// The largest index that links_parse accepts: far beyond any sentence, far from any overflow.
enum { MAX_LINKS_INDEX = 999999 };

/* The links of attention. The strength of a link between target unit t and source unit s is the mean
 * of two shares, of what t gives and of what s gets:
 *
 *     (a_ts + a_ts / Σ_t' a_t's) / 2
 *
 * so that a source unit that nothing else attends to counts more, and one that many look at less. A
 * target unit is linked to every source unit with at least `threshold`, 0 < threshold ≤ 1 (else
 * STATUS_ARGUMENT). By posterior attention (model/posterior_attention.h) it may have no link; by
 * attention itself, `strongest`, it is always linked to the strongest as well, the first of equals.
 * A target unit whose row is all zeros has no link. On failure `links` is empty and still valid. */
Status links_from_soft(Links *links, const SoftAlignment *soft, float threshold, bool strongest,
                       Error *error);

/* The links of posteriors: all units whose posterior is at least `threshold`, > 0. Replaces what is in
 * `links`. */
Status links_from_posteriors(Links *links, const SoftAlignment *soft, float threshold,
                             Error *error);

// To build a set: append in any order, then links_sort, which sorts and removes duplicates.
Status links_append(Links *links, size_t source, size_t target, Error *error);
void links_sort(Links *links);

// Writes `0-0 1-2`, without a newline; nothing for no links.
void links_write(Writer *out, const Links *links);

/* Reads a line of links separated by spaces or tabs; an empty line is a pair without links, a CR at
 * the end is ignored. `sure` gets the `-` links, `possible` all of the line, so that sure ⊆
 * possible. The message of a STATUS_FORMAT has the file, the line's number and the column in bytes.
 * On failure both are empty and still valid. */
Status links_parse(Links *sure, Links *possible, const char *file, const Line *line, Error *error);

// STATUS_FORMAT if a link points outside a pair of `sources` and `targets` units.
Status links_check(const Links *links, size_t sources, size_t targets, const char *file,
                   size_t line, Error *error);

// The index of the first link that is not before this one, by binary search; `count` if all are.
size_t links_from(const Links *links, Link link);

// The index of a link; `count` if it is not in the set.
size_t links_find(const Links *links, Link link);

static inline bool links_contain(const Links *links, Link link)
{
    return links_find(links, link) < links->count;
}

// Empties the set but keeps its memory.
static inline void links_clear(Links *links)
{
    links->count = 0;
}

void links_free(Links *links);

/* Symmetrisation: one alignment from two models of opposite directions. Links that both find are
 * more often right than those of either alone. The heuristics of Koehn, Och & Marcu 2003,
 * "Statistical phrase-based translation", section 3; grow-diag-final-and as in Koehn et al. 2005
 * and in Moses, whose order of steps this follows.
 *
 * intersection          links of both
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
