// What tells languages apart: the table of text/language.h.
#ifndef REGARD_TEXT_LANGUAGE_TABLE_H
#define REGARD_TEXT_LANGUAGE_TABLE_H

#include <stdint.h>

typedef struct LanguageRow {
    const char *code;    // ISO 639-1
    const char *name;    // in English
    const char *others;  // other codes and names, blank-separated
    const char *words;   // the commonest, in lower case, blank-separated; NULL: known by its script
    const char *letters; // which few other languages have
    uint32_t first, last; // its script, if `words` is NULL
} LanguageRow;

extern const LanguageRow language_table[]; // ends with a row without a code

#endif
