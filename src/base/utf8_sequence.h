/* Well-formed UTF-8, for the folders below text/: error messages and names in files must be. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length (1 … 4) of the sequence at the start of a NUL-terminated text, 0 if it is malformed;
 * the NUL itself has length 1. Shortest form only, no surrogates, at most U+10FFFF (The Unicode
 * Standard, table 3-7). */
size_t utf8_sequence(const char *text);

// Whether a NUL-terminated text is well-formed throughout.
bool utf8_is_valid(const char *text);

/* The code point of the well-formed sequence of `length` bytes if it would steer a terminal or turn
 * the text around it: a control character (U+0000 … 1F, U+007F … 9F) or Unicode's property
 * Bidi_Control. Else 0, as for U+0000. */
uint32_t utf8_control(const char *sequence, size_t length);

/* Makes text harmless for a terminal, in place: every byte of such a character, and every byte that
 * is not UTF-8, becomes '?'. `lines`: but LF and TAB stay. A NUL must follow the text. */
void utf8_make_harmless(char *text, size_t length, bool lines);
