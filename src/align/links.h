/* Hard alignments: which source unit stands for which target unit, both counted from 0.
 *
 * Written in the Pharaoh form, a line a pair: `0-0 1-2`, source first. Files made by hand also tell
 * sure links (`0-0`) from possible ones (`1?2`). */
#ifndef REGARD_ALIGN_LINKS_H
#define REGARD_ALIGN_LINKS_H

#include "align/soft.h"
#include "base/writer.h"

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
 * may be another: `shift` (-1, 0, 1) takes α_{t+shift} (align/soft.h). A target unit is linked with every source unit that
 * has at least the part `threshold` of its attention, 0 < threshold ≤ 1, and in any case with the one that has most; so 1
 * gives each target unit one link. */
typedef struct Linking {
    int shift;
    float threshold;
} Linking;

/* What everything uses unless told otherwise: shift 0, threshold 0.3. Of shifts -1, 0, 1 and thresholds 0.15, 0.2, 0.3, 0.4,
 * 0.5 and 1 these gave the lowest error rate on the validation parts of data/ (`regard align --gold`); lower thresholds
 * are better only for models that have learned little. */
Linking linking_default(void);

// The largest index that links_parse takes: far beyond any sentence, and far from any overflow.
enum { MAX_LINKS_INDEX = 999999 };

/* Replaces what is in `links` by those of `threshold`, 0 < threshold ≤ 1 (else STATUS_ARGUMENT), and each target unit's
 * link with the source unit it looked at most, the first of equals. A target unit whose row is all zeros has no link
 * (align/soft.h). On failure `links` is empty and still valid. */
Status links_from_soft(Links *links, const SoftAlignment *soft, float threshold, Error *error);

/* Building a set: append in any order, then links_sort, which puts them in order and takes away what stands there twice. */
Status links_append(Links *links, size_t source, size_t target, Error *error);
void links_sort(Links *links);

// Writes `0-0 1-2`, without a newline; nothing for no links.
void links_write(Writer *out, const Links *links);

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
