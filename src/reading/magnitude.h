/* Large numbers with a word, as languages have different ones for (Language.magnitudes), and numbers of
 * several digits that are written as words:
 *
 *     三百五十六   356
 *     四万      40,000      40 000
 *     1.5亿     150 million      150 000 000
 *     2.5 million           250万
 */
#pragma once

#include "base/bytes.h"
#include "language/language.h"

/* Where such a number ends that begins at a place, whose word the target has not, or not before the sign
 * of a currency; the place if there is none. *value is its number. */
size_t magnitude_end(TextView text, size_t at, const Language *const languages[2], uint64_t *value);

/* Takes a whole number at *at, in digits or words, 45 or 四十五, which is moved behind it; false if there is
 * none. The language has magnitudes. */
bool magnitude_read(TextView text, size_t *at, const Language *language, uint64_t *value);

// Whether a word for a power of ten is at a place, behind a space or not: million, Million.
bool magnitude_is_word(TextView text, size_t at, const Language *language);

// Appends a number as a language writes it.
Status magnitude_write(Bytes *out, uint64_t value, const Language *language, Error *error);
