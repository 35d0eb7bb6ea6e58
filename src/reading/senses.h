/* What a word stands for elsewhere, or a short text alone, as the model's lexicon has it
 * (model/lexicon.h): a small dictionary entry.
 *
 * The share of a word y among what x stands for is Σ w p(y | x) / Σ w p(· | x) over the units that spell
 * x: as it is written (w = 1), and in lower case (w = 3), which is seldom the beginning of a sentence, where
 * all words have a capital; behind a space or, where there are none, or in a script without spaces,
 * without one. Of a text as a whole, as it is written or else in lower case, w = 6; of a unit that is a
 * text, too, only the likeliest translation is one of the text. */
#pragma once

#include "model/lexicon.h"
#include "text/vocabulary.h"

enum { MAX_SENSES = MAX_UNIT_ENTRIES, MAX_SENSE_BYTES = 96 };

// What a sense is of: a word, or the whole text, in lower case or as it is written.
typedef enum SenseOrigin { SENSE_OF_WORD, SENSE_OF_LOWER_TEXT, SENSE_OF_TEXT } SenseOrigin;

typedef struct Sense {
    char word[MAX_SENSE_BYTES]; // in lower case; it may be several words
    double share;
    SenseOrigin origin;
    char spelling[MAX_SENSE_BYTES]; // as training has it
} Sense;

// Those of the whole text first; by share, then by spelling.
typedef struct Senses {
    Sense items[MAX_SENSES];
    size_t count;
} Senses;

// A text without what surrounds its first and its last letter; empty if it has none.
TextView senses_trim(TextView text);

/* The marks of the end of a sentence or of an address, Dear friends, behind its last letter, with the space
 * before them; empty if there are others. */
TextView senses_end(TextView text);

// Whether there are several words, or as many characters of Han as they have.
bool senses_are_several(TextView words);

// Whether a name is made of several words: World War II, États-Unis, O'Neill.
bool senses_are_compound(TextView name);

/* Sets the senses of a text that is one word or, not `alone`, a name of several, with or without marks
 * around it: those of a share of at least 3 %, and where one is in Han, only such, besides those of
 * the whole text. If it stands alone, without marks around it, or is a compound, there are also those that
 * training has for the whole; with marks at its end, too, if it has several words: Price? is not the word.
 * `vocabularies` are those of source and target. */
Status senses_find(Senses *senses, const Lexicon *lexicon, const Vocabulary *const vocabularies[2],
                   TextView text, bool alone, Error *error);
