/* Texts of UTF-8 and the properties of characters; the only user of utf8proc. Invalid UTF-8 reads alike
 * everywhere (utf8_decode): nothing is dropped silently. */
#pragma once

#include "base/bytes.h"
#include "base/utf8_sequence.h"

// Says where a word may be divided, and nothing of what it means.
enum { SOFT_HYPHEN = 0xAD };

/* The character at *at < length, U+FFFD for an invalid part; *at moves past it. */
uint32_t utf8_next(const char *text, size_t length, size_t *at);

// The code point at a byte of a text; 0 at its end and behind it.
static inline uint32_t utf8_at(const char *text, size_t length, size_t at)
{
    return at < length ? utf8_next(text, length, &at) : 0;
}

// The character that ends at a place, U+FFFD for an invalid part; 0 at the beginning of a text.
uint32_t utf8_before(const char *text, size_t at);

// Appends what utf8_encode writes.
Status utf8_append(Bytes *out, uint32_t code_point, Error *error);

// Unicode's property White_Space, which has U+00A0, U+202F and U+3000 but not U+200B.
bool utf8_is_space(uint32_t code_point);

// A letter, Han included, or a mark that belongs to one (general categories L*, M*).
bool utf8_is_letter(uint32_t code_point);

// A letter in lower case, or in upper or title case; most scripts have neither.
bool utf8_is_lower(uint32_t code_point);
bool utf8_is_upper(uint32_t code_point);

// The letter in another case, or in title case as at the beginning of a sentence, by Unicode's
// simple mappings; itself if there is none.
uint32_t utf8_to_lower(uint32_t code_point);
uint32_t utf8_to_upper(uint32_t code_point);
uint32_t utf8_to_title(uint32_t code_point);

// A number (general categories N*).
bool utf8_is_number(uint32_t code_point);

// What words consist of: a letter or a number.
static inline bool utf8_is_word(uint32_t code_point)
{
    return utf8_is_letter(code_point) || utf8_is_number(code_point);
}

/* The same, or a joiner, in a script with spaces between words: two of these side by side are of
 * one word, where words of Chinese have no edges. */
bool utf8_is_in_word(uint32_t code_point);

// Whether a word goes on at a place: the characters on both sides of it are of one word.
static inline bool utf8_is_inside_word(TextView text, size_t at)
{
    return utf8_is_in_word(utf8_before(text.data, at)) &&
           utf8_is_in_word(utf8_at(text.data, text.length, at));
}

// Whether a word, or several, stands at a place of a text, and is no part of another.
bool utf8_has_word_at(TextView text, size_t at, TextView word);

// A control character (category Cc) or a code point without a character (Cs, Cn).
bool utf8_is_control(uint32_t code_point);

/* A Han character: the CJK unified and compatibility ideographs and their extensions, by block,
 * with U+3005 (the iteration mark) and U+3007 (the ideographic zero). */
bool utf8_is_han(uint32_t code_point);

// A character of a script without spaces between words or sentences: Chinese or Japanese.
static inline bool utf8_is_unspaced(uint32_t c)
{
    return utf8_is_han(c) || (c >= 0x3000 && c <= 0x30FF) || (c >= 0xFF00 && c <= 0xFFEF);
}

// A picture or a modifier of one, such as an emoji's colour (general categories So, Sk).
bool utf8_is_symbol(uint32_t code_point);

/* A picture by itself, such as an emoji or half a flag: a symbol with the property Extended_Pictographic or
 * Regional_Indicator (Unicode Technical Standard 51). */
bool utf8_is_picture(uint32_t code_point);

// A sign of mathematics, arrows included (general category Sm).
bool utf8_is_math(uint32_t code_point);

// A straight or a curved apostrophe.
static inline bool utf8_is_apostrophe(uint32_t code_point)
{
    return code_point == '\'' || code_point == 0x2019;
}

// A mark or joiner that belongs to the character before it (categories M*, U+200C and U+200D).
bool utf8_extends(uint32_t code_point);

// Whether a character is one of these.
bool utf8_is_among(uint32_t code_point, const char *characters);

/* Where the character ends, as people see it, that begins at a place: an extended grapheme cluster (Unicode
 * Standard Annex 29), such as a letter with its accents, or an emoji with its skin tone. */
size_t utf8_cluster_end(TextView text, size_t at);

/* A text without the white space at its ends, its characters being read as utf8_next or html_character
 * (text/html_reference.h) reads them. */
TextView utf8_trimmed(TextView text, uint32_t (*next)(const char *text, size_t length, size_t *at));

// Whether a text has a character of a class, as utf8_is_letter tells it.
bool utf8_has(const char *text, size_t length, bool (*is)(uint32_t));

// Where the characters of a class end that begin at a place, which is returned if there is none.
size_t utf8_run_end(const char *text, size_t length, size_t at, bool (*is)(uint32_t));

// Columns in a terminal: 0, 1 or 2.
int utf8_width(uint32_t code_point);

// Columns of a whole text; a control character counts 1, as it is shown by a substitute.
size_t utf8_text_width(const char *text, size_t length);

/* The parts of NFC (Unicode Standard Annex 15): the full canonical decomposition of a character
 * into at most MAX_UTF8_DECOMPOSED; its canonical combining class (0 for starters); the composition
 * of a decomposed and ordered text in place, which returns the new count. */
enum { MAX_UTF8_DECOMPOSED = 4 };
size_t utf8_decompose(uint32_t code_point, uint32_t out[MAX_UTF8_DECOMPOSED]);
uint8_t utf8_combining_class(uint32_t code_point);
size_t utf8_compose(uint32_t *code_points, size_t count);

/* Appends `text` in lower case, as Python's str.lower() gives it: every character by Unicode's
 * mapping, U+0130 (İ) as i and U+0307, and a capital sigma at a word's end as ς (The Unicode
 * Standard 15, section 3.13, Final_Sigma). Invalid UTF-8 becomes U+FFFD. On STATUS_MEMORY a part
 * may have been appended. */
Status utf8_append_lowercase(Bytes *out, const char *text, size_t length, Error *error);
