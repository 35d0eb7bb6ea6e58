/* Where a sentence that is too long for a model can be parted. */
#ifndef REGARD_TEXT_CLAUSE_H
#define REGARD_TEXT_CLAUSE_H

#include <stddef.h>

/* The end of the first part, of at most `most` ≥ 4 bytes (most < length): behind the last ; or : or
 * their wide forms; else the last comma; both only in the second half of `most`, and not inside a
 * number; else behind the last word; else behind the last character, valid or not. At least 1; a
 * space that follows is not counted. */
size_t clause_end(const char *text, size_t length, size_t most);

#endif
