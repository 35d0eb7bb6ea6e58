/* Lists of words that are written as one constant: blank-separated, a single blank between two.
 *
 *     static const char titles[] = "mr mrs ms dr"; */
#pragma once

#include "base/bytes.h"

#include <stdlib.h>

// Takes the next word of the list that begins at *list, and moves behind it; false at its end.
static inline bool word_list_next(const char **list, TextView *word)
{
    *word = (TextView){*list, strcspn(*list, " ")};
    *list += word->length + ((*list)[word->length] == ' ');
    return word->length > 0;
}

// The same of a list whose words have a whole number before them: 6million 9billion.
static inline bool word_list_next_numbered(const char **list, int *number, TextView *word)
{
    char *behind;
    if (!word_list_next(list, word)) return false;
    *number = (int)strtol(word->data, &behind, 10);
    *word = (TextView){behind, (size_t)(word->data + word->length - behind)};
    return true;
}

// Takes < or > from the beginning of a word that has it; false for no word, or one with the mark left out.
static inline bool word_list_unmark(TextView *word, char left_out)
{
    if (word->length == 0 || *word->data == left_out) return false;
    const bool marked = *word->data == '<' || *word->data == '>';
    *word = (TextView){word->data + marked, word->length - marked};
    return true;
}

// Whether a list has a word.
static inline bool word_list_has(const char *list, const char *word, size_t length)
{
    for (TextView listed; word_list_next(&list, &listed);)
        if (text_view_equal(listed, (TextView){word, length})) return true;
    return false;
}

// The same whatever the case of ASCII's letters: the word as it is listed, NULL if there is none.
const char *word_list_find(const char *list, const char *word, size_t length);
