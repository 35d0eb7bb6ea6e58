/* Well-formed UTF-8: shortest forms only, no surrogates, at most U+10FFFF (The Unicode Standard, table
 * 3-7). Error messages and names in files must be. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { UTF8_REPLACEMENT = 0xFFFD };

/* Decodes the character at `text`, of which `length` ≥ 1 bytes are left, and returns how many bytes
 * it has. A maximal invalid part (section 3.9, "substitution of maximal subparts", as in WHATWG's
 * decoder) gives U+FFFD and *valid = false; a U+FFFD in the text is valid. `valid` may be NULL. */
size_t utf8_decode(const char *text, size_t length, uint32_t *code_point, bool *valid);

// Writes a code point in 1 … 4 bytes and returns how many; U+FFFD for surrogates and values over
// U+10FFFF.
size_t utf8_encode(uint32_t code_point, char out[4]);

/* The length (1 … 4) of the sequence at the start of a NUL-terminated text, 0 if it is malformed;
 * the NUL itself has length 1. */
size_t utf8_sequence(const char *text);

// How many of these bytes of a text are left without the beginning of a character at their end.
size_t utf8_whole_length(const char *text, size_t length);

// The bytes of the mark of byte order, U+FEFF, that a text begins with; 0: it has none.
static inline size_t utf8_mark_length(const char *text, size_t length)
{
    return length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

// Whether a NUL-terminated text is well-formed throughout.
bool utf8_is_valid(const char *text);

/* The code point of the well-formed sequence of `length` bytes if it would steer a terminal or turn
 * the text around it: a control character (U+0000 … 1F, U+007F … 9F) or Unicode's property
 * Bidi_Control. Else 0, as for U+0000. */
uint32_t utf8_control(const char *sequence, size_t length);

/* Makes text harmless for a terminal, in place: every byte of such a character, and every byte that
 * is not UTF-8, becomes '?'. `lines`: but LF and TAB stay. A NUL must follow the text. */
void utf8_make_harmless(char *text, size_t length, bool lines);
