/* The step for letter case. Of sentences in capitals or in title case corpora have few: a model reads
 * "WHERE IS TOM?" and "Where Is Tom?" as "Where is Tom?"; what it says of the former is put into
 * capitals. What it says of any sentence that begins with a capital does so, too, or that begins with
 * Han and has a mark at its end; without that it may be chat, where only such a word as "I" does. What
 * goes on with a sentence loses the capital of a word that often begins one.
 *
 * Only letters change whose other case has as many bytes, so every place in the text stays where it
 * is. */
#pragma once

#include "text/vocabulary.h"

/* CASE_CAPITALS has capitals, and neither small letters nor Chinese or Japanese. In CASE_TITLE, which
 * has no Han, all words of four letters or more begin with a capital, and of all
 * words at least three, and twice as many as do not, which have a space behind them, and are none
 * before a full stop at the end; letters with a hyphen between are a word. */
typedef enum LetterCase { CASE_SENTENCE, CASE_CAPITALS, CASE_TITLE } LetterCase;

LetterCase letter_case_of(const char *text, size_t length);

/* Makes a normalised text in capitals or title case what a sentence has: each word in
 * small letters, with a capital at its beginning, or as it is, whichever has the fewest subwords,
 * since a vocabulary knows its names as names; of equals the first, but at the beginning of the
 * text that with a capital. "I" stays. A text of one word stays as it is unless one of the others
 * is a single subword: it may be an abbreviation. */
Status letter_case_to_sentence(char *text, size_t length, const Vocabulary *vocabulary,
                               Error *error);

// Puts a capital at the beginning of a text, if a letter is there, or behind quotation marks and brackets.
void letter_case_begin(char *text, size_t length);

// Puts a text into capitals.
void letter_case_to_capitals(char *text, size_t length);
