/* Reads parallel text, pair by pair, in constant memory.
 *
 *     FILE.tsv        source<TAB>target lines, other columns ignored; any name will do
 *     FILE.csv        rows of cells, the first two by default (csv.h)
 *     SOURCE,TARGET   two files, line n with line n
 *     FILE.tmx        translation memories (tmx.h), in the languages of the file's header and first
 *                     unit, or in given ones: FILE.tmx:en:fr (language_match)
 *     -               TSV from standard input
 *
 * All may be compressed (io/byte_stream.h), which is recognised by their content; CSV and TMX are
 * by their names: FILE.csv.gz. A name with a comma is two files unless a file of that name exists;
 * of several commas, the first that leaves two existing files divides the name. Lines end as in
 * io/line_reader.h; texts come out normalised (text/normalise.h).
 *
 * A file counts as binary, or as text in another encoding, if one of its first 1,000 lines has a
 * NUL byte, or if of its first 1,000 lines (or of all, if fewer) at least 10 and more than 10 % are
 * not UTF-8. */
#pragma once

#include "base/bytes.h"
#include "corpus/table.h"
#include "corpus/tmx.h"

typedef struct PairReader PairReader;

// How files are to be read; {0} is the default. The texts must outlive the readers.
typedef struct PairOptions {
    const char *columns;      // of a table (table.h); NULL: the first two
    const char *languages[2]; // source and target, of TMX files; a name's own come first
    bool skip_bad;            // pass over bad lines (pair_reader_bad) instead of failing
    /* return pairs with an empty side too, for verbs whose output lines match the input's; lines over
     * LINE_LIMIT (io/line_reader.h) are then cut, and a TSV line cut before its TAB has an empty
     * target, instead of failing */
    bool keep_empty;
} PairOptions;

// Start from `Pair pair = {0};`, end with pair_free.
typedef struct Pair {
    Bytes sides[2]; // source, target: normalised; owned by the caller, reused from pair to pair
    size_t line;    // counted from 1: where a row begins, or in a TMX a unit
    bool cut;       // a line was over LINE_LIMIT; only with keep_empty
} Pair;

// What was read and what was skipped.
typedef struct ReadCounts {
    size_t bad;     // lines passed over (PairOptions.skip_bad); they are among `lines`
    size_t lines;   // in all (tables: rows without the header; TMX: units)
    size_t empty;   // with one side or both empty after normalising; skipped unless kept
    size_t invalid; // with bytes that are not UTF-8, which became U+FFFD; the pair is kept

    // the first invalid line; 0 if there is none
    size_t invalid_line;
    char invalid_file[256];
} ReadCounts;

/* Opens `spec`; NULL are the default options. A missing or empty file or a directory is an error
 * here or at the first read. */
Status pair_reader_open(PairReader **reader, const char *spec, const PairOptions *options,
                        Error *error);

/* Reads the next pair; *more = false at the end. An empty line of a TSV is a pair of two empty
 * sides, so that an extra one at the end does no harm. Errors: another line without a TAB, a row
 * without a column or with misplaced quotation marks (with file and line), files of different
 * length (with both), a binary file (see above), a broken or cut-off compressed file or TMX, a language that a
 * TMX does not have; at the end, no pair at all. Later calls return the same error again. */
Status pair_reader_next(PairReader *reader, Pair *pair, bool *more, Error *error);

// What has been read so far.
ReadCounts pair_reader_counts(const PairReader *reader);

/* tags (2): the languages of source and target (BCP 47) as the file says them, a TMX or a table
 * whose columns are called "en", "fr" or "English", "French"; empty where it does not. For files of
 * which a pair has been read. */
void pair_reader_languages(const PairReader *reader, char (*tags)[LANGUAGE_SIZE]);

/* The share of the file, of two files of the source's, that has been read, 0 … 1; less than 0 where
 * that is not known (byte_stream_share). */
double pair_reader_share(const PairReader *reader);

// Whether pair_reader_next would wait for standard input.
bool pair_reader_would_block(PairReader *reader);

/* Appends lines of what has been taken for pairs so far, where that is not plain: the encoding, the
 * columns and the header of a table, the languages chosen of a TMX. */
Status pair_reader_describe(const PairReader *reader, Bytes *out, Error *error);

/* The messages of lines that were passed over, a line each, of the first MAX_BAD_LINES: what would
 * have been an error with its line's number, but no mistake of the whole file, and lines that are
 * not UTF-8. */
enum { MAX_BAD_LINES = 100 };
const Bytes *pair_reader_bad(const PairReader *reader);

/* Refuses options that none of these corpora has a use for. */
Status pair_options_check(const PairOptions *options, const char *const *specs, size_t count,
                          Error *error);

// Frees it; NULL is allowed.
void pair_reader_close(PairReader *reader);
FREES_POINTER(PairReader, pair_reader_close)

void pair_free(Pair *pair);
