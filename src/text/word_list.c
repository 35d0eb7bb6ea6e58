#include "text/word_list.h"

#include "base/ascii.h"

const char *word_list_find(const char *list, const char *word, size_t length)
{
    for (TextView listed; word_list_next(&list, &listed);) {
        size_t same = 0;
        if (listed.length != length) continue;
        while (same < length && ascii_to_small(listed.data[same]) == ascii_to_small(word[same]))
            same++;
        if (same == length) return listed.data;
    }
    return NULL;
}
