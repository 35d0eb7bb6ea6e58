/* A file of manual alignments (align/links.h), and the AER of links against it, line by line. */
#ifndef REGARD_ALIGN_GOLD_H
#define REGARD_ALIGN_GOLD_H

#include "align/aer.h"
#include "io/line_reader.h"

// Start from {0}, end with gold_close.
typedef struct Gold {
    LineReader *reader;
    Links sure, possible;  // of the line at hand
    size_t lines;          // read so far
    AerCounts counts;      // of the pairs so far
    size_t possible_links; // their |P|
} Gold;

Status gold_open(Gold *gold, const char *path, Error *error);

/* Reads the line of the next pair, of so many units, and adds the pair's links to the counts. *more
 * is false, and nothing is counted, at the end of the file. STATUS_FORMAT, with file and line, if
 * the line is malformed or has a link outside the pair. */
Status gold_add(Gold *gold, const Links *links, size_t sources, size_t targets, bool *more,
                Error *error);

/* Reads to the end of the file. STATUS_FORMAT, with both numbers, unless it has a line for each of
 * the `pairs` pairs of the file called `name`. */
Status gold_end(Gold *gold, size_t pairs, const char *name, Error *error);

void gold_close(Gold *gold);

#endif
