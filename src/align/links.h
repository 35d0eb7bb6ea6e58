/* Hard alignments: which source unit stands for which target unit, both counted from 0.
 *
 * Written in the Pharaoh form, a line a pair: `0-0 1-2`, source first. Files made by hand also tell
 * sure links (`0-0`) from possible ones (`1?2`). */
#ifndef REGARD_ALIGN_LINKS_H
#define REGARD_ALIGN_LINKS_H

#include "align/soft.h"
#include "base/bytes.h"

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

/* How links are read from attention. α_t was computed from the state before y_t was said, so the row that tells most of y_t
 * may be another: `shift` (-1, 0, 1) takes α_{t+shift} (align/soft.h). With a `threshold` P, 0 < P ≤ 1, source unit i and
 * target unit j are linked where j's weight on i is at least P; with 0, j is linked to the i of its greatest weight. */
typedef struct Linking {
    int shift;
    float threshold;
} Linking;

/* What everything uses unless told otherwise: of the values tried, the one of the lowest error rate on links made by hand
 * (tools/align-table). */
Linking linking_default(void);

// The largest index that links_parse takes: far beyond any sentence, and far from any overflow.
enum { LINKS_INDEX_MOST = 999999 };

/* Replaces what is in `links`: each target unit with the source unit it looked at most, the first
 * of equals. A target unit whose row is all zeros has no link (align/soft.h). On failure `links` is
 * empty and still valid. */
Status links_from_best(Links *links, const SoftAlignment *soft, Error *error);

/* Replaces what is in `links`: every pair whose weight is at least `threshold`, 0 < threshold ≤ 1
 * (else STATUS_ARGUMENT). */
Status links_from_threshold(Links *links, const SoftAlignment *soft, float threshold, Error *error);

// The links of a threshold, or for 0 the best of each target unit.
Status links_from_soft(Links *links, const SoftAlignment *soft, float threshold, Error *error);

/* Building a set: append in any order, then links_sort, which puts them in order and takes away what stands there twice. */
Status links_append(Links *links, size_t source, size_t target, Error *error);
void links_sort(Links *links);

// Appends `0-0 1-2`, without a newline; nothing for no links.
Status links_write_pharaoh(const Links *links, Bytes *out, Error *error);

/* Reads a line of links parted by spaces or tabs; an empty line is a pair without links, a CR at
 * the end is passed over. `sure` gets the `-` links, `possible` all of the line, so that sure ⊆
 * possible. `file` and `line` (counted from 1) stand in the message of a STATUS_FORMAT, with the
 * column in bytes. On failure both are empty and still valid. */
Status links_parse(const char *text, size_t length, const char *file, size_t line, Links *sure,
                   Links *possible, Error *error);

// STATUS_FORMAT if a link points outside a pair of `sources` and `targets` units.
Status links_check(const Links *links, size_t sources, size_t targets, const char *file,
                   size_t line, Error *error);

// Where the set holds this link, by bisection; `count` if it does not.
size_t links_find(const Links *links, Link link);

// Whether it holds this link.
bool links_contain(const Links *links, Link link);

// Empties it and keeps the memory.
void links_clear(Links *links);

void links_free(Links *links);

#endif
