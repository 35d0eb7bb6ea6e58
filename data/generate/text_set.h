/* A set of texts, to say everything once. */
#ifndef TEXT_SET_H
#define TEXT_SET_H

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_SET_SLOTS = 1 << 18 };

typedef struct TextSet {
    char *texts[TEXT_SET_SLOTS]; // open addressing; NULL is empty
    size_t count;
} TextSet;

bool text_set_has(const TextSet *set, const char *text);

// Adds a copy; false if the text was there before. Ends the program when memory or room run out.
bool text_set_add(TextSet *set, const char *text);

void text_set_free(TextSet *set);

#endif
