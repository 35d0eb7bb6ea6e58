/* Translation memories: TMX 1.4 as tools for translators write it, unit by unit, in constant
 * memory.
 *
 *     <tu>
 *       <tuv xml:lang="en-US"><seg>Press <bpt i="1">&lt;b></bpt>Start<ept
 * i="1">&lt;/b></ept>.</seg></tuv> <tuv xml:lang="fr-FR"><seg>Appuyez sur …</seg></tuv>
 *     </tu>
 *
 * The text of a unit's two languages is handed out; `lang` does where `xml:lang` is missing. What
 * stands inside bpt, ept, ph, it, ut (codes of the original's markup) and sub (a text within such a
 * code) is left out; hi (highlighted text) and unknown elements are text. UTF-8, UTF-16 and what
 * else libxml2 knows; plain or gzip (byte_stream.h).
 *
 * A file is not trusted: no DTD, entity or address is ever loaded, a file that declares or uses
 * entities of its own is refused at the declaration, libxml2's own limits (10 MB for a name or a
 * text node, 256 levels) stay on, and one side of a unit holds at most TMX_TEXT_LIMIT bytes. */
#ifndef REGARD_CORPUS_TMX_H
#define REGARD_CORPUS_TMX_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { TMX_TEXT_LIMIT = 1 << 20 };

typedef struct Tmx Tmx;

// A unit as it stands in the file, UTF-8, not normalised. A language that it lacks is an empty
// text.
typedef struct TmxUnit {
    const char *source; // `source_length` bytes; belongs to the Tmx, valid until its next call
    size_t source_length;
    const char *target;
    size_t target_length;
    size_t line; // on which its start tag ends, counted from 1
} TmxUnit;

/* Opens a file. `source` and `target` are language tags (language.h), both or neither. If NULL, the
 * source is the header's `srclang` (or, where that is missing or "*all*", the language of the first
 * variant), and the target is the first language after it that is another. */
Status tmx_open(Tmx **tmx, const char *path, const char *source, const char *target, Error *error);

/* Reads the next unit; *more = false at the end. If a unit has several variants in one language,
 * the one whose tag is the wanted one in full is taken, else the first. Errors, with the line: not
 * well-formed or cut off, not TMX, entities, a text over TMX_TEXT_LIMIT; at the end, a language
 * that no unit had (with those that there were). A reader that gave an error gives it again. */
Status tmx_next(Tmx *tmx, TmxUnit *unit, bool *more, Error *error);

// How messages call it.
const char *tmx_name(const Tmx *tmx);

// NULL is allowed.
void tmx_close(Tmx *tmx);

#endif
