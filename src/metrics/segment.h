/* A translation with its references, which sacreBLEU calls a segment. */
#pragma once

#include "metrics/ngrams.h"

/* UTF-8; invalid parts read as U+FFFD. `count` ≥ 1 references, of which the empty ones are left out
 * unless all are. */
typedef struct Segment {
    const char *hypothesis;
    const char *const *references;
    size_t count;
} Segment;

// How many references a segment has, apart from those left out.
size_t segment_reference_count(const Segment *segment);

// A segment as rows of numbers. Start from {0}, end with segment_symbols_free.
typedef struct SegmentSymbols {
    SymbolText hypothesis;
    SymbolText *references; // (count)
    size_t count;
} SegmentSymbols;

/* Turns a text into symbols, which it allocates; equal words or characters of one segment get equal
 * numbers. */
typedef Status SymbolReader(void *context, const char *text, SymbolText *symbols, Error *error);

// Reads a segment, with `lowercase` in lower case. On failure the symbols must still be freed.
Status segment_symbols_read(SegmentSymbols *symbols, const Segment *segment, bool lowercase,
                            SymbolReader *reader, void *context, Error *error);

void segment_symbols_free(SegmentSymbols *symbols);

/* Whether the hypothesis equals one of the references once all are, with `lowercase`, in lower case
 * and normalised (text/normalise.h: NFC, single spaces, none at the ends). On failure *exact is as
 * it was. */
Status segment_is_exact(bool *exact, const Segment *segment, bool lowercase, Error *error);
