/* Lower case as Python's str.lower() gives it: every character by Unicode's mapping, U+0130 (İ) to
 * the two characters i and U+0307, and a capital sigma at a word's end to ς (Unicode 15,
 * section 3.13, Final_Sigma). */
#ifndef REGARD_TEXT_LOWERCASE_H
#define REGARD_TEXT_LOWERCASE_H

#include "base/bytes.h"

#include <stddef.h>

/* Appends `text` in lower case to `lower`. Invalid UTF-8 becomes U+FFFD, so what is appended is
 * always valid. On STATUS_MEMORY a part may have been appended. */
Status lowercase_append(Bytes *lower, const char *text, size_t length, Error *error);

#endif
