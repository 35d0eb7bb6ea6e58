/* The words of a text: letters, with hyphens between them, or a character of Han. */
#pragma once

#include "text/spans.h"

typedef struct Word {
    Span span;
    size_t letters; // none of them Han
    bool capital;   // its first letter
    bool han;       // it is a character of Han
} Word;

// The next word at or after `at`; false if there is none.
bool word_next(const char *text, size_t length, size_t at, Word *word);
