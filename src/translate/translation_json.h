/* A translated text as JSON, described in docs/formats.md: what `translate --json` prints in a line.
 *
 *     {"line": 0, "source": "Le chat dort.",
 *      "translations": [{"text": "The cat sleeps.", "score": -0.31, "log_probability": -1.24,
 *                        "alignment": "0-0 1-1 2-2"}]} */
#pragma once

#include "translate/alignment.h"
#include "translate/confidence.h"
#include "translate/translator.h"

// What is wanted beside the texts.
typedef struct TranslationParts {
    const UnitKind *units;        // (2) what alignments count in source and target; NULL: none
    const LinkReading *reading;   // and how their links are read
    const Translator *translator; // NULL: neither confidence nor examples
    UnitKind words;               // what confidence counts
} TranslationParts;

// Writes one object and no newline; `line` counts from 0.
void translation_json_write(Writer *out, const Translation *translation, size_t line,
                            const TranslationParts *parts);

/* Sets *list to what a word, or a short text, stands for elsewhere, NULL if it has no senses:
 *
 *     {"word": "chambre", "share": 0.41,
 *      "example": {"source": ["Double ", "room", ""], "target": ["", "Chambre", " double"]}}
 *
 * The translator knows examples; NULL: they are left out. */
Status senses_json(json_t **list, const Translation *translation, const Translator *translator,
                   Error *error);

/* What a translation comes from in a memory, "exact" or "fuzzy 0.86" by its similarity
 * (translation_similarity); NULL if it comes from none, or memory is short. */
json_t *memory_json(double similarity);

// A probability with three digits.
json_t *probability_json(double probability);
