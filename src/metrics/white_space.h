/* White space as in Python's str.isspace(), str.strip() and str.split(), which sacreBLEU uses. */
#ifndef REGARD_METRICS_WHITE_SPACE_H
#define REGARD_METRICS_WHITE_SPACE_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Unicode's White_Space, and the four separators U+001C … U+001F.
bool white_space_is(uint32_t code_point);

// Removes white space at both ends.
void white_space_strip(const char **text, size_t *length);

/* Appends the words of `text`, separated by single spaces. Invalid UTF-8 becomes U+FFFD. This is
 * also the tokenizer "none". */
Status white_space_words(const char *text, size_t length, Bytes *line, Error *error);

#endif
