/* Links made by hand, line by line, and what an alignment is worth against them. The file's form is links_parse's
 * (align/links.h). */
#ifndef REGARD_ALIGN_GOLD_H
#define REGARD_ALIGN_GOLD_H

#include "align/error_rate.h"
#include "io/line_reader.h"

// Start from {0}, end with gold_close.
typedef struct Gold {
    LineReader *reader;
    Links sure, possible;   // of the line at hand
    size_t lines;           // read so far
    ErrorRateCounts counts; // of the pairs so far
    size_t possible_links;  // their |P|
} Gold;

Status gold_open(Gold *gold, const char *path, Error *error);

/* Reads the line of the next pair, of so many units, and adds the pair's links to the counts. STATUS_FORMAT: a line that
 * is none of links, a link outside the pair; named by file and line. `*more` = false, and nothing is counted, where the
 * file has no line left. */
Status gold_add(Gold *gold, const Links *links, size_t sources, size_t targets, bool *more,
                Error *error);

/* Reads on to the file's end. STATUS_FORMAT unless it has a line for each of `pairs` pairs of the file called `name`; the
 * message says both numbers. */
Status gold_end(Gold *gold, size_t pairs, const char *name, Error *error);

void gold_close(Gold *gold);

#endif
