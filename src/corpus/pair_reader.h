/* Reads parallel text, pair by pair, in constant memory.
 *
 *     FILE.tsv, FILE.tsv.gz   source<TAB>target lines, further columns ignored; any name will do
 *     SOURCE,TARGET           two files, line n with line n; either may be gzipped
 *     FILE.tmx, FILE.tmx.gz   translation memories (tmx.h), in the languages of the file's header
 *                             and first unit, or in given ones: FILE.tmx:en:fr (language_tag.h)
 *     -                       TSV from standard input
 *
 * Gzip is recognised by its content, TMX by its name. A name with a comma is two files unless a
 * file of that name exists; of several commas, the first that leaves two existing files divides the
 * name. Lines end at LF only; a CR before it and a byte-order mark at the start of a file are
 * removed (io/line_reader.h). Texts come out normalised (text/normalise.h).
 *
 * A file counts as binary, or as text in another encoding, if one of its first 1,000 lines has a
 * NUL byte, or if of its first 1,000 lines (or of all, if fewer) at least 10 and more than 10 % are
 * not UTF-8. */
#ifndef REGARD_CORPUS_PAIR_READER_H
#define REGARD_CORPUS_PAIR_READER_H

#include "base/bytes.h"

#include <stdbool.h>

typedef struct PairReader PairReader;

// Start from `Pair pair = {0};`, end with pair_free.
typedef struct Pair {
    Bytes source, target; // normalised; owned by the caller, reused from pair to pair
    size_t line;          // counted from 1; of a TMX, the line where the start tag <tu …> ends
} Pair;

// What was read and what was skipped.
typedef struct ReadCounts {
    size_t lines;   // in all (TMX: units)
    size_t empty;   // with one side or both empty after normalising; skipped unless kept
    size_t invalid; // with bytes that are not UTF-8, which became U+FFFD; the pair is kept

    // the first invalid line; 0 if there is none
    size_t invalid_line;
    char invalid_file[256];
} ReadCounts;

// Opens `spec`. A missing or empty file or a directory is an error here or at the first read.
Status pair_reader_open(PairReader **reader, const char *spec, Error *error);

// Whether pairs with an empty side are returned too, for verbs whose output lines match the
// input's.
void pair_reader_keep_empty(PairReader *reader, bool keep);

/* Reads the next pair; *more = false at the end. An empty line of a TSV is a pair of two empty
 * sides, so that an extra one at the end does no harm. Errors: another line without a TAB (with
 * file and line), files of different length (with both), a binary file (see above), a broken or
 * cut-off gzip or TMX, a language that a TMX does not have; at the end, no pair at all. Later calls
 * return the same error again. */
Status pair_reader_next(PairReader *reader, Pair *pair, bool *more, Error *error);

// What has been read so far.
ReadCounts pair_reader_counts(const PairReader *reader);

// Frees it; NULL is allowed.
void pair_reader_close(PairReader *reader);

void pair_free(Pair *pair);

#endif
