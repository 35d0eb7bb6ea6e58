/* Which language a text is in: told by the letters and the commonest words of each language, a
 * small table (language/language.h) instead of a model learned from a corpus.
 *
 * A script that one language writes decides alone: Han is Chinese, with Kana Japanese. In the Latin
 * and Cyrillic scripts each word that is among the commonest of a language, and each letter that is
 * its own, is evidence for it; shared by k languages, a k-th for each. */
#pragma once

#include "base/bytes.h"
#include "base/string_map.h"
#include "language/language.h"

// Start from {0}, end with language_evidence_free.
typedef struct LanguageEvidence {
    double scores[MAX_LANGUAGES]; // in the order of the table
    double words;                 // of the texts so far; of scripts without blanks, some letters
    StringMap index;              // of each word and letter of the table, a bit for each language
    bool indexed;
    Bytes lower; // scratch memory: a text in lower case
} LanguageEvidence;

/* Adds a text, unless it is no sentence: rich in signs as a program, a table or an address is.
 * STATUS_MEMORY is the only failure. */
Status language_evidence_add(LanguageEvidence *evidence, const char *text, size_t length,
                             Error *error);

// Forgets the texts.
static inline void language_evidence_clear(LanguageEvidence *evidence)
{
    memset(evidence->scores, 0, sizeof evidence->scores);
    evidence->words = 0;
}

// The evidence for a language; 0 for NULL.
double language_evidence_for(const LanguageEvidence *evidence, const Language *language);

/* The languages, a bit for each by its place in the table, one of which texts are in by their script:
 * that of most of their letters; 0 where that is Latin or not known. */
uint64_t language_scripts(const TextView *texts, size_t count);

// The language with the most evidence; NULL if there is none, or as much for another.
const Language *language_likeliest(const LanguageEvidence *evidence);

/* The same, but NULL unless the evidence is strong: at least 20 words, a fifth of them telling, and
 * three times as much evidence as for `expected` and twice as much as for any other. With
 * `expected` NULL the likeliest language is asked for; else one other than that. */
const Language *language_surely(const LanguageEvidence *evidence, const Language *expected);

void language_evidence_free(LanguageEvidence *evidence);
