// What verbs say of the languages of models and texts.
#pragma once

#include "base/writer.h"
#include "language/language_evidence.h"
#include "translate/translator.h"

// "French" for fr; the tag of a language that is not in the table; "?" for NULL or "".
const char *language_label(const char *tag);

// "English → French (en → fr), told from the text", or nothing.
void languages_write(Writer *out, const Translator *translator);

/* Watches whether a text is in the language that a model translates from. Start with translator
 * and verb set and the rest 0, end with language_evidence_free. */
typedef struct LanguageWatch {
    const Translator *translator;
    const char *verb; // that warns
    LanguageEvidence evidence;
    bool ended, warned; // nothing more is looked at
} LanguageWatch;

/* Looks at the texts of a window, of the first thousands of words in all, and warns, once, where
 * these are surely in another language. */
Status language_watch_add(LanguageWatch *watch, const TextView *texts, size_t count, Error *error);

// Warns where a model's languages are known not to be those of another in the opposite order.
void languages_check_reverse(const Translator *forward, const Translator *reverse,
                             const char *path);
