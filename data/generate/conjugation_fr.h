/* French conjugation. */
#ifndef CONJUGATION_FR_H
#define CONJUGATION_FR_H

#include "derivation.h"

typedef enum Tense {
    TENSE_PRESENT,
    TENSE_IMPERFECT,
    TENSE_FUTURE,
    TENSE_CONDITIONAL,
    TENSE_SUBJUNCTIVE,
    TENSE_IMPERATIVE
} Tense;

/* One form of the verb, without pronouns. `text` holds at least WORD_SIZE bytes. An irregular verb
 * that the table does not know is taken as regular. */
void conjugate(char *text, const char *infinitive, Tense tense, Agreement subject);

// The past participle, masculine singular.
void participle(char *text, const char *infinitive);

// Whether the compound tenses take être (reflexive verbs aside).
bool takes_etre(const char *infinitive);

#endif
