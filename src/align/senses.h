/* What a word stands for elsewhere, as the aligner has learned it: a small dictionary entry.
 *
 * The share of a word y among what x stands for is c(x, y) / Σ c(x, ·), of the expected links
 * (aligner_table.h). The aligner knows Han characters, not the words that they make: a source of
 * several stands for y as often as the one does that is linked with it least; what characters of the
 * target make words is left to the caller (translate/dictionary.h). */
#pragma once

#include "align/aligner.h"

enum { MAX_SENSES = 5, MAX_SENSE_BYTES = 48, MAX_SENSE_CHARACTERS = 12 };
enum { MAX_HAN_WORD = 4, MAX_MADE_OF = 3 }; // characters of a source, and of a word made of them

typedef struct Sense {
    char word[MAX_SENSE_BYTES]; // in lower case
    double share;
} Sense;

/* What a word is linked with: words, of which `count` senses are listed, the commonest first, those
 * with at least two links and 3 % of the word's; and Han characters, likewise, whose `share` is the
 * number of their links. */
typedef struct Senses {
    Sense items[MAX_SENSES];
    size_t count;
    Sense characters[MAX_SENSE_CHARACTERS];
    size_t character_count;
} Senses;

// The types of the only word of a text, whatever marks there are, or of its Han characters.
typedef struct WordTypes {
    uint32_t types[MAX_HAN_WORD];
    size_t count; // 0: there is another word, or one that the vocabulary does not have
} WordTypes;

Status word_types_set(WordTypes *out, const AlignerVocabulary *vocabulary, TextView text,
                      Error *error);

/* Sets the senses of a text that is one word, with or without marks around it, or up to MAX_HAN_WORD
 * Han characters. Of any other text there are none. */
Status senses_find(Senses *senses, const Aligner *aligner, TextView text, Error *error);

// Puts a sense in its place among *count, by share, then by spelling; the last of `most` gives way.
void senses_insert(Sense *senses, size_t *count, size_t most, const Sense *sense);
