/* Well-formed UTF-8, for the folders below text/: error messages and names in files must be. */
#ifndef REGARD_BASE_UTF8_SEQUENCE_H
#define REGARD_BASE_UTF8_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>

/* The length (1 … 4) of the sequence at the start of a NUL-terminated text, 0 if it is malformed;
 * the NUL itself has length 1. Shortest form only, no surrogates, at most U+10FFFF (The Unicode
 * Standard, table 3-7). */
size_t utf8_sequence(const char *text);

// Whether a NUL-terminated text is well-formed throughout.
bool utf8_is_valid(const char *text);

#endif
