/* Which language a text is in: told by the letters and the commonest words of each language, a
 * small table (text/language_table.h) instead of a model learned from a corpus.
 *
 * A script that one language writes decides alone: Han is Chinese, with Kana Japanese. In the Latin
 * and Cyrillic scripts each word that is among the commonest of a language, and each letter that is
 * its own, is evidence for it; shared by k languages, a k-th for each. */
#ifndef REGARD_TEXT_LANGUAGE_H
#define REGARD_TEXT_LANGUAGE_H

#include "base/bytes.h"
#include "base/string_map.h"

#include <stdbool.h>

// A language is its place in the table.
enum { MAX_LANGUAGES = 40, NO_LANGUAGE = MAX_LANGUAGES };

// Start from {0}, end with language_evidence_free.
typedef struct LanguageEvidence {
    double scores[MAX_LANGUAGES];
    double words;    // of the texts so far; two letters of Chinese or Japanese count as one
    StringMap index; // of each word and letter of the table, a bit for each language
    bool indexed;
    Bytes lower; // scratch memory: a text in lower case
} LanguageEvidence;

/* Adds a text, unless it is no sentence: rich in signs as a program, a table or an address is.
 * STATUS_MEMORY is the only failure. */
Status language_evidence_add(LanguageEvidence *evidence, const char *text, size_t length,
                             Error *error);

// Forgets the texts.
void language_evidence_clear(LanguageEvidence *evidence);

// The language with the most evidence; NO_LANGUAGE if there is none, or as much for another.
size_t language_likeliest(const LanguageEvidence *evidence);

/* The same, but NO_LANGUAGE unless the evidence is strong: at least 20 words, a fifth of them
 * telling, and three times as much evidence as for `expected` and twice as much as for any other.
 * With `expected` NO_LANGUAGE the likeliest language is asked for; else one other than that. */
size_t language_surely(const LanguageEvidence *evidence, size_t expected);

void language_evidence_free(LanguageEvidence *evidence);

enum { LANGUAGE_SIZE = 64 }; // bytes of a language tag with its NUL; longer tags are cut

typedef enum LanguageMatch { LANGUAGE_OTHER, LANGUAGE_RELATED, LANGUAGE_SAME } LanguageMatch;

/* How well a language tag (BCP 47) matches `wanted`. Case does not matter, and `_` equals `-`.
 * Equal tags are SAME. If `wanted` has no region or script, as `en`, every `en-…` is RELATED to it;
 * `en-US` matches only itself. */
LanguageMatch language_match(const char *wanted, const char *tag);

// Whether a text can be a tag: letters, digits, `-` and `_`, fewer than LANGUAGE_SIZE.
bool language_is_tag(const char *tag);

/* The language of a tag (BCP 47), an ISO 639-3 code or a name, whatever its case: "fr", "fr-CA",
 * "fra", "French", "français". NO_LANGUAGE if the table has none. */
size_t language_of(const char *tag);

// "fr" and "French".
const char *language_code(size_t language);
const char *language_name(size_t language);

#endif
