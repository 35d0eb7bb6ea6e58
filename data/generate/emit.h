/* A sentence under way: words with the tags of what they stand for. Joined into units (the words as
 * a reader of the raw text parts them), tags and all, it gives the alignment by construction: two
 * units are linked if they share a tag. */
#ifndef EMIT_H
#define EMIT_H

#include "grammar.h"

#include <stdbool.h>

enum { MAX_WORDS = 64, MAX_UNITS = 96, MAX_TAGS = 12, WORD_SIZE = 48, TEXT_SIZE = 1024 };

typedef struct Tags {
    unsigned short
        ids[MAX_TAGS]; // scope × 128 + letter in lower case; ids below 128 are punctuation's
    bool weak[MAX_TAGS];
    size_t count;
} Tags;

typedef enum WordKind {
    WORD_PLAIN,
    WORD_CLITIC,    // French: le, la, les that never contract with de or à
    WORD_CONTRACTS, // English: am, is, are, will, have as an auxiliary, after a pronoun
} WordKind;

typedef struct Word {
    char text[WORD_SIZE];
    Tags tags;
    WordKind kind;
} Word;

typedef struct Words {
    Word words[MAX_WORDS];
    size_t count;
} Words;

typedef struct Unit {
    Tags tags;
} Unit;

// A finished sentence: its text, and the tags of each of its units.
typedef struct Sentence {
    char text[TEXT_SIZE];
    Unit units[MAX_UNITS];
    size_t unit_count;
    size_t commas;
} Sentence;

// Adds a tag; a tag that is there in both strengths is sure.
void tags_add(Tags *tags, unsigned scope, char letter, bool weak);
void tags_union(Tags *tags, const Tags *more);

// Tags written as letters, capitals weak, in one scope; the letters end at a '@' or the end.
Tags tags_of(unsigned scope, const char *letters);

// Appends a word; punctuation gets tags of its own when it is joined.
Word *words_add(Words *words, const char *text, Tags tags);

/* Joins words into the raw text: elision, contraction, a or an, punctuation, the capital.
 * `short_forms` lets English say I'm for I am. */
void join(Sentence *sentence, Words *words, Language language, bool short_forms);

/* The links of a line, `i-j` sure and `i?j` possible, source first, in rising order. */
void format_links(char *text, size_t size, const Sentence *source, const Sentence *target);

// Whether the French letter or word begins with a vowel sound, so that le, je, que … lose their
// vowel before it.
bool begins_with_vowel(const char *text);

#endif
