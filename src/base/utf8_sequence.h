/* What is well-formed UTF-8, for the folders below text/: messages and names in files must be. */
#ifndef REGARD_BASE_UTF8_SEQUENCE_H
#define REGARD_BASE_UTF8_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes (1 … 4) of the sequence at the beginning of a NUL-terminated text, 0 if it is not
 * well-formed; the NUL itself counts as one of 1 byte. Shortest form only, no surrogates, at most
 * U+10FFFF (The Unicode Standard, table 3-7). */
size_t utf8_sequence(const char *text);

// Whether a NUL-terminated text is well-formed throughout.
bool utf8_is_valid(const char *text);

#endif
