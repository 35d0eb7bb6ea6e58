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

// The largest index that links_parse takes: far beyond any sentence, and far from any overflow.
enum { LINKS_INDEX_MOST = 999999 };

/* Replaces what is in `links`: each target unit with the source unit it looked at most, the first
 * of equals. A target unit whose row is all zeros has no link (align/soft.h). On failure `links` is
 * empty and still valid. */
Status links_from_best(Links *links, const SoftAlignment *soft, Error *error);

/* Replaces what is in `links`: every pair whose weight is at least `threshold`, 0 < threshold ≤ 1
 * (else STATUS_ARGUMENT). */
Status links_from_threshold(Links *links, const SoftAlignment *soft, float threshold, Error *error);

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

// Whether the set holds this link, by bisection.
bool links_contain(const Links *links, Link link);

// Empties it and keeps the memory.
void links_clear(Links *links);

void links_free(Links *links);

#endif
