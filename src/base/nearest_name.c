#include "base/nearest_name.h"

#include <string.h>

enum { MAX_NAME = 64 };

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The distance of Damerau and Levenshtein in its restricted form (optimal string alignment): of the
 * table's rows only the last three are kept. Both lengths are at most MAX_NAME. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][MAX_NAME + 1];
    size_t *two_up = rows[0], *up = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *free_row = two_up;
        two_up = up, up = row, row = free_row;
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = up[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least_of(replaced, least_of(up[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least_of(row[j], two_up[j - 2] + 1);
        }
    }
    return row[b_length];
}

const char *nearest_name(const char *word, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t least = MAX_NAME, word_length = strlen(word);
    if (word_length == 0 || word_length > MAX_NAME) return NULL;
    for (size_t i = 0; i < count; i++) {
        if (!names[i]) continue;
        size_t length = strlen(names[i]);
        if (length > MAX_NAME) continue;
        if (length > word_length && strncmp(names[i], word, word_length) == 0) return names[i];
        size_t apart = distance(word, word_length, names[i], length);
        if (apart < least && apart <= (length + 2) / 3) {
            least = apart;
            nearest = names[i];
        }
    }
    return nearest;
}
