/* A translated text as JSON: what `translate --json` prints.
 *
 *     {"line": 0, "source": "Le chat dort.",
 *      "translations": [{"text": "The cat sleeps.", "score": -0.31, "log_probability": -1.24,
 *                        "alignment": "0-0 1-1 2-2"}]}
 *
 * in one line. "alignment" is there if it is wanted: the links in Pharaoh's form
 * (align/links.h). A translation of a text that was split has its sentences too:
 *
 *     "sentences": [{"source": "…", "text": "…", "score": -0.2, "log_probability": -0.8}, …] */
#ifndef REGARD_TRANSLATE_TRANSLATION_JSON_H
#define REGARD_TRANSLATE_TRANSLATION_JSON_H

#include "translate/alignment.h"

/* Writes one object and no newline; `line` counts from 0. `units` (2), of source and target, are
 * what alignments count, read by `reading`; NULL: none are wanted. */
void translation_json_write(Writer *out, const Translation *translation, size_t line,
                            const UnitKind *units, const LinkReading *reading);

#endif
