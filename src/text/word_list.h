/* Lists of words that are written as one constant: blank-separated, a single blank between two.
 *
 *     static const char titles[] = "mr mrs ms dr"; */
#pragma once

#include "base/bytes.h"

#include <stdbool.h>

// Takes the next word of the list that begins at *list, and moves behind it; false at its end.
bool word_list_next(const char **list, TextView *word);

// Whether a list has a word.
bool word_list_has(const char *list, const char *word, size_t length);

// The same whatever the case of ASCII's letters: the word as it is listed, NULL if there is none.
const char *word_list_find(const char *list, const char *word, size_t length);
