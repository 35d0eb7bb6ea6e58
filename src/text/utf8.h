/* The one door to utf8proc: decoding, classes of characters, widths.
 *
 * The rule for invalid UTF-8, everywhere: each maximal invalid part (Unicode 15, section 3.9,
 * "substitution of maximal subparts", as the WHATWG decoder does) reads as one U+FFFD, and is
 * counted. Nothing is ever dropped silently. */
#ifndef REGARD_TEXT_UTF8_H
#define REGARD_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xFFFD };

/* Decodes the character at `text`, of which `length` ≥ 1 bytes are left. Returns how many bytes it
 * took (≥ 1). An invalid part gives U+FFFD and *valid = false (a U+FFFD that is spelt out is
 * valid). `valid` may be NULL. */
size_t utf8_decode(const char *text, size_t length, uint32_t *code_point, bool *valid);

// Writes a code point's 1 … 4 bytes and returns how many; surrogates and values over U+10FFFF write
// U+FFFD.
size_t utf8_encode(uint32_t code_point, char out[4]);

// White space by Unicode's property White_Space, which includes U+00A0, U+202F and U+3000 but not
// U+200B.
bool utf8_is_space(uint32_t code_point);

// A letter, or a mark that belongs to one (general categories L*, M*), Han included.
bool utf8_is_letter(uint32_t code_point);

// A number (general categories N*).
bool utf8_is_number(uint32_t code_point);

// A control character (category Cc) or a code point without a character (Cs, Cn).
bool utf8_is_control(uint32_t code_point);

/* A Han character: the CJK unified and compatibility ideographs and their extensions, by block,
 * with U+3005 (the iteration mark) and U+3007 (the ideographic zero). */
bool utf8_is_han(uint32_t code_point);

// A mark or joiner that belongs to the character before it (categories M*, U+200C and U+200D).
bool utf8_extends(uint32_t code_point);

// Columns in a terminal: 0, 1 or 2.
int utf8_width(uint32_t code_point);

// Columns of a whole text; control characters count 1 (they are shown as a substitute).
size_t utf8_text_width(const char *text, size_t length);

/* The three parts of NFC (Unicode Standard Annex 15): full canonical decomposition of one character
 * into at most MAX_UTF8_DECOMPOSED, its place in the canonical order (0 for starters), and
 * composition of a decomposed and ordered text in place, which gives the new count. */
enum { MAX_UTF8_DECOMPOSED = 4 };
size_t utf8_decompose(uint32_t code_point, uint32_t out[MAX_UTF8_DECOMPOSED]);
uint8_t utf8_combining_class(uint32_t code_point);
size_t utf8_compose(uint32_t *code_points, size_t count);

#endif
