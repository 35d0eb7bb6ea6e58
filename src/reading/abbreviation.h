/* Abbreviations that a language writes as words elsewhere: no. 5, Fri. */
#pragma once

#include "base/bytes.h"
#include "language/language.h"

/* The words, _ for a space, for the abbreviation that begins at *at, the beginning of a word, which is moved behind it and its full
 * stop; of no. only before a number or placeholder. Where there is none, *at stays. */
TextView abbreviation_at(TextView text, size_t *at, const Language *language);
