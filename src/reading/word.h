/* The words of a text: letters, with hyphens between them. Characters of Han are none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Word {
    size_t begin, end; // bytes of the text
    size_t letters;
    bool capital; // its first letter
} Word;

// The next word at or after `at`; false if there is none.
bool word_next(const char *text, size_t length, size_t at, Word *word);
