/* The types of one side: the spellings that the aligner has met, each with a number. Types whose
 * first letters agree share a stem, from which rare and unknown types borrow
 * (aligner_translation.h). */
#pragma once

#include "base/bytes.h"
#include "base/string_map.h"

enum { ALIGNER_STEM_LETTERS = 5 };

// The number of a type or a stem that is not there.
#define ALIGNER_UNKNOWN UINT32_MAX

// What a spelling shares with others.
typedef struct AlignerClass {
    uint32_t stem; // or ALIGNER_UNKNOWN
    bool han;      // a Han character: part of a word rather than one
} AlignerClass;

// Start from {0}, end with aligner_vocabulary_free.
typedef struct AlignerVocabulary {
    StringMap types;       // value: how often it occurs
    StringMap stems;       // value: its number
    AlignerClass *classes; // (types.count)
    size_t classes_capacity;
    size_t token_count; // how often all types occur
} AlignerVocabulary;

// Counts `times` ≥ 1 more occurrences of a spelling. After a failure it can only be freed.
Status aligner_vocabulary_add(AlignerVocabulary *vocabulary, uint32_t *type, TextView spelling,
                              size_t times, Error *error);

// A spelling as a vocabulary knows it.
typedef struct AlignerWord {
    uint32_t type; // or ALIGNER_UNKNOWN
    AlignerClass class;
} AlignerWord;

AlignerWord aligner_vocabulary_find(const AlignerVocabulary *vocabulary, TextView spelling);

// How often a type occurs; once if it is unknown, as it does in the text at hand.
static inline double aligner_vocabulary_frequency(const AlignerVocabulary *vocabulary,
                                                  uint32_t type)
{
    return type == ALIGNER_UNKNOWN ? 1 : (double)vocabulary->types.entries[type].value;
}

void aligner_vocabulary_free(AlignerVocabulary *vocabulary);
