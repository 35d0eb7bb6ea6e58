/* Reading parallel text, one pair after another, in constant memory.
 *
 *     FILE.tsv, FILE.tsv.gz   source<TAB>target lines, further columns ignored; any name will do
 *     SOURCE,TARGET           two files, line n with line n; either may be gzipped
 *     FILE.tmx, FILE.tmx.gz   translation memories (tmx.h), in the languages that the file's header
 *                             and first unit name, or in those given: FILE.tmx:en:fr (language_tag.h)
 *     -                       TSV from standard input
 *
 * Gzip is told by the content, TMX by the name. A name with a comma in it is two files unless a
 * file of that very name exists; of several commas the first that leaves two existing files divides
 * them. Lines end at LF only; a CR before it and a byte-order mark at the start of a file are taken
 * away (line_reader.h). Texts come out normalised (text/normalise.h).
 *
 * A file is taken for binary, or for text in another encoding, if one of its first 1,000 lines
 * holds a NUL byte, or if of its lines up to the 1,000th (or its last) at least 10 and more than 1
 * in 10 hold bytes that are not UTF-8. */
#ifndef REGARD_CORPUS_PAIR_READER_H
#define REGARD_CORPUS_PAIR_READER_H

#include "base/bytes.h"

#include <stdbool.h>

typedef struct PairReader PairReader;

// Start from `Pair pair = {0};`, end with pair_free.
typedef struct Pair {
    Bytes source; // normalised; owned by the caller, reused from pair to pair
    Bytes target;
    size_t line; // counted from 1; of a TMX, the line on which the start tag <tu …> ends
} Pair;

// What was passed over, for one summary at the end.
typedef struct PairCounts {
    size_t lines;        // read in all (units of a TMX)
    size_t empty;        // one side or both empty after normalising; skipped unless kept
    size_t invalid;      // lines in which bytes that are not UTF-8 became U+FFFD (the pair is kept)
    size_t invalid_line; // the first of them, 0 if none
    char invalid_file[256]; // and its file
} PairCounts;

/* Opens `spec`. A missing file, a directory, or a file that is empty is an error here or at the
 * first read. */
Status pair_reader_open(PairReader **reader, const char *spec, Error *error);

/* If set, pairs with an empty side are handed out too (for verbs whose output lines match input
 * lines). */
void pair_reader_keep_empty(PairReader *reader, bool keep);

/* Reads the next pair; *more = false at the end. An empty line of a TSV is a pair of two empty
 * sides, so that one too many at a file's end does no harm. Errors: any other line without a TAB
 * (named by file and line), files of different length (both lengths named), a binary file (see
 * above), a broken or cut-off gzip or TMX, a language that a TMX does not have, and at the end:
 * that there was no pair at all. A reader that gave an error gives it again. */
Status pair_reader_next(PairReader *reader, Pair *pair, bool *more, Error *error);

// What has been read so far.
PairCounts pair_reader_counts(const PairReader *reader);

// Frees it; NULL is allowed.
void pair_reader_close(PairReader *reader);

void pair_free(Pair *pair);

#endif
