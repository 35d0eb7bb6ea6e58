#include "text/word_list.h"

#include "base/ascii.h"

#include <string.h>

bool word_list_next(const char **list, TextView *word)
{
    *word = (TextView){*list, strcspn(*list, " ")};
    *list += word->length + ((*list)[word->length] == ' ');
    return word->length > 0;
}

bool word_list_has(const char *list, const char *word, size_t length)
{
    for (TextView listed; word_list_next(&list, &listed);)
        if (text_view_equal(listed, (TextView){word, length})) return true;
    return false;
}

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
