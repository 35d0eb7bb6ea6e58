// Words that tell whether a full stop ends a sentence: the lists of text/sentences.h.
#ifndef REGARD_TEXT_SENTENCE_WORDS_H
#define REGARD_TEXT_SENTENCE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

// Languages that have lists, as bits.
enum { SENTENCE_ENGLISH = 1, SENTENCE_FRENCH = 2 };

typedef enum SentenceWords {
    WORDS_BEFORE_NAME,   // abbreviations that something always follows: Mr., e.g.
    WORDS_BEFORE_NUMBER, // abbreviations where a number follows: No. 5
    WORDS_DOUBTFUL,      // abbreviations that may end a sentence: Inc., p.m.
    WORDS_STARTING,      // what often begins a sentence
    WORDS_OF_SPEECH,     // verbs behind a quotation: "Why?" Anna asked.
} SentenceWords;

/* Whether a list of one of the languages has the word, whatever its case; a list's word that begins
 * with a capital must have one in the text. */
bool sentence_word(SentenceWords list, unsigned languages, const char *word, size_t length);

#endif
