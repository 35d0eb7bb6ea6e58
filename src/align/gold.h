/* A file of manual alignments (align/links.h), and the alignment error rate of links against it (Och
 * & Ney 2003, "A systematic comparison of various statistical alignment models", section 6):
 *
 *     precision = |A ∩ P| / |A|
 *     recall    = |A ∩ S| / |S|
 *     AER       = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)
 *
 * for an alignment A, sure links S and possible links P ⊇ S. The sizes are summed over a corpus
 * before dividing. */
#pragma once

#include "align/links.h"

// Sums over a corpus. Start from {0}.
typedef struct AerCounts {
    size_t links;         // |A|
    size_t sure;          // |S|
    size_t sure_hits;     // |A ∩ S|
    size_t possible_hits; // |A ∩ P|
} AerCounts;

// Adds one pair. A sure link counts as possible even if `possible` lacks it.
void aer_add(AerCounts *counts, const Links *links, const Links *sure, const Links *possible);

/* All in 0 … 1. An alignment without links has precision 1, a gold alignment without sure links
 * recall 1, and both together AER 0. */
double aer_precision(const AerCounts *counts);
double aer_recall(const AerCounts *counts);
double aer(const AerCounts *counts);

// Start from {0}, end with gold_close.
typedef struct Gold {
    LineReader *reader;
    Links sure, possible;  // of the current line
    size_t lines;          // read so far
    AerCounts counts;      // of the pairs so far
    size_t possible_links; // their |P|
} Gold;

static inline Status gold_open(Gold *gold, const char *path, Error *error)
{
    return line_reader_open(&gold->reader, path, error);
}

/* Reads the line of the next pair, which has `sources` and `targets` units; *more is false at the end
 * of the file. STATUS_FORMAT, with file and line, if the line is malformed or has a link outside the
 * pair. */
Status gold_next(Gold *gold, size_t sources, size_t targets, bool *more, Error *error);

// The same, and counts the pair's links, unless the file has ended.
Status gold_add(Gold *gold, const Links *links, size_t sources, size_t targets, bool *more,
                Error *error);

/* Reads to the end of the file. STATUS_FORMAT, with both numbers, unless it has a line for each of
 * the `pairs` pairs of the file called `name`. */
Status gold_end(Gold *gold, size_t pairs, const char *name, Error *error);

void gold_close(Gold *gold);
