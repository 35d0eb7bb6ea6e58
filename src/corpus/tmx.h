/* Translation memories: TMX 1.4 as translators' tools write it, unit by unit, in constant memory.
 *
 *     <tu>
 *       <tuv xml:lang="en-US"><seg>Press <ph>&lt;b></ph>Start<ph>&lt;/b></ph>.</seg></tuv>
 *       <tuv xml:lang="fr-FR"><seg>Appuyez sur …</seg></tuv>
 *     </tu>
 *
 * Each unit gives its text in two languages; `lang` stands in for a missing `xml:lang`. The
 * contents of bpt, ept, ph, it, ut (codes of the original's markup) and sub (a text within such a
 * code) are left out; hi (highlighted text) and unknown elements count as text. Encodings: UTF-8,
 * UTF-16 and those with one byte per character; plain or compressed (io/byte_stream.h).
 *
 * A file is not trusted. No DTD, entity or address is ever loaded; a file that declares anything in
 * its DOCTYPE, or uses entities of its own, is refused; and so are tags and comments of more than
 * 1 MiB, more than 256 levels, too many different names, and more than TMX_TEXT_LIMIT bytes in one
 * side of a unit. */
#pragma once

#include "base/bytes.h"
#include "language/language.h"

enum { TMX_TEXT_LIMIT = 1 << 20 };

typedef struct Tmx Tmx;

// A unit as in the file, in UTF-8, not normalised. A language that it lacks is an empty text.
typedef struct TmxUnit {
    TextView source, target; // belong to the Tmx, valid until its next call
    size_t line;             // where it begins, counted from 1
} TmxUnit;

/* Opens a file. `source` and `target` are language tags, both or neither. If NULL,
 * the source is the header's `srclang` (or the first variant's language if that is missing or
 * "*all*"), and the target is the first other language after it. */
Status tmx_open(Tmx **tmx, const char *path, const char *source, const char *target, Error *error);

/* Reads the next unit; *more = false at the end. Of several variants in one language, the first
 * whose tag equals the wanted one is taken, else the first. Errors, with the line: XML that is not
 * well-formed, cut off or not TMX; entities; a text over TMX_TEXT_LIMIT; at the end, a language
 * that no unit had (with those found). An error is returned again by every later call. */
Status tmx_next(Tmx *tmx, TmxUnit *unit, bool *more, Error *error);

/* Appends a line of the languages that were taken, and how many units had both. For files that have
 * been read. */
Status tmx_describe(const Tmx *tmx, Bytes *out, Error *error);

/* The tags of the languages that are taken, source and target, empty as long as they are not known;
 * each of LANGUAGE_SIZE. */
void tmx_languages(const Tmx *tmx, char tags[2][LANGUAGE_SIZE]);

// As byte_stream_share, of what has been given to the parser.
double tmx_share(const Tmx *tmx);

// The name that messages use.
const char *tmx_name(const Tmx *tmx);

void tmx_close(Tmx *tmx); // NULL is allowed
FREES_POINTER(Tmx, tmx_close)
