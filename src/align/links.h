/* Hard alignments: links between source and target units, both counted from 0.
 *
 * Written in the Pharaoh format, one line a pair: `0-0 1-2`, source first. Manual alignments also
 * distinguish sure links (`0-0`) from possible ones (`1?2`). */
#ifndef REGARD_ALIGN_LINKS_H
#define REGARD_ALIGN_LINKS_H

#include "align/soft_alignment.h"
#include "base/writer.h"
#include "io/line_reader.h"

#include <stdint.h>

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
 * informs (aligner_align_attended); or those of the aligner alone. */
typedef enum LinkSource { LINKS_FROM_ATTENTION, LINKS_FROM_BOTH, LINKS_FROM_TABLE } LinkSource;

extern const char *const link_source_names[]; // "attention", "both", "table", NULL

// Links of posteriors below this are less likely than not.
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

// The index of a link, by binary search; `count` if it is not in the set.
size_t links_find(const Links *links, Link link);

bool links_contain(const Links *links, Link link);

// Empties the set but keeps its memory.
void links_clear(Links *links);

void links_free(Links *links);

#endif
