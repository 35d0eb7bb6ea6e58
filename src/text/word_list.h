/* Lists of words that are written as one constant: blank-separated, a single blank between two; NULL
 * is an empty list.
 *
 *     static const char titles[] = "mr mrs ms dr";
 *
 * Words that are for reading or writing only have a mark, < or >; who wants the others leaves out
 * those with the other mark. */
#pragma once

#include "base/bytes.h"

#include <stdlib.h>

// Takes the next word of the list that begins at *list, and moves behind it; false at its end.
static inline bool word_list_next(const char **list, TextView *word)
{
    if (!*list) return false;
    *word = (TextView){*list, strcspn(*list, " ")};
    *list += word->length + ((*list)[word->length] == ' ');
    return word->length > 0;
}

// Takes the mark from the beginning of a word; false for no word, or one with the mark left out.
static inline bool word_list_unmark(TextView *word, char left_out)
{
    const char first = text_view_at(*word, 0);
    if (word->length == 0 || first == left_out) return false;
    *word = text_view_from(*word, first == '<' || first == '>');
    return true;
}

// The next word, without its mark, of a list whose words have a whole number before them: 6million 9<billion.
static inline bool word_list_next_numbered(const char **list, int *number, TextView *word,
                                           char left_out)
{
    while (word_list_next(list, word)) {
        char *behind;
        *number = (int)strtol(word->data, &behind, 10);
        *word = text_view_from(*word, (size_t)(behind - word->data));
        if (word_list_unmark(word, left_out)) return true;
    }
    return false;
}

// Takes the next word, without its mark, of several that are one of a list, with / between: May/<may.
static inline bool word_list_next_of(TextView *words, TextView *word, char left_out)
{
    while (words->length > 0) {
        *word = text_view_cut(words, '/');
        if (word_list_unmark(word, left_out)) return true;
    }
    return false;
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
