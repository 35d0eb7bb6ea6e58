/* The pairs of a unit and a translation that make a lexicon (model/lexicon.h), once they are counted:
 * those of at least LEXICON_LEAST, of each unit the LEXICON_ENTRIES likeliest, and beside the first none
 * of less than LEXICON_LEAST_OTHER. Of a text that is translated like a unit, the unit says so.
 *
 * A run of up to MAX_UNIT_TOKENS tokens is written as how many they are, and the tokens. */
#pragma once

#include "model/lexicon.h"
#include "text/vocabulary.h"

enum { MAX_WRITTEN_RUN = 1 + MAX_UNIT_TOKENS, LEXICON_ENTRIES = 3 };
#define LEXICON_LEAST 0.17       // of the likeliest
#define LEXICON_LEAST_OTHER 0.25 // of others

// Writes a run; returns how many numbers that are.
size_t run_write(uint16_t *written, const int32_t *tokens, size_t count);

// A unit with a translation, of the share p of its occurrences.
typedef struct LexiconPair {
    const uint16_t *unit, *translation; // written, not owned; a translation of 0 tokens is none
    double p;
    bool is_text;  // first of a unit: a text is translated so, too
    bool is_other; // first of a text: a unit is translated so, and says it
} LexiconPair;

// Start from {0}, end with lexicon_pairs_free.
typedef struct LexiconPairs {
    LexiconPair *items; // (count)
    size_t count, capacity;
} LexiconPairs;

// Adds a pair, unless it is too unlikely. A unit alone, without a translation, is always added.
Status lexicon_pairs_add(LexiconPairs *pairs, const uint16_t *unit, const uint16_t *translation,
                         double p, Error *error);

/* Lays all pairs out as a lexicon without edges. The vocabularies are those of source and target. Freed
 * by lexicon_free, after a failure too. */
Status lexicon_pairs_lay_out(LexiconPairs *pairs, Lexicon *lexicon,
                             const Vocabulary *const vocabularies[2], Error *error);

void lexicon_pairs_free(LexiconPairs *pairs);
