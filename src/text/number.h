/* Numbers as people write them: digits, with a mark between them or a space before three, and what
 * belongs to them in any language, a sign, a symbol of a unit, or 万 and 亿:
 *
 *     12  3.50  10,000  1 248  8:30  2019-2020  50 %  30 °C  850 g  128GB  120 km/h  150万
 *     9h30  8 h 05  2 h 37 min     a time in French
 *     01 42 68 53 00               three groups of digits or more, of a telephone or an account */
#ifndef REGARD_TEXT_NUMBER_H
#define REGARD_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Where the number ends that begins with the digit at `begin`; `begin` if it is none. *behind is
 * where its digits end, and *runs_on whether letters follow them, as in 21st: then nothing between
 * `begin` and *behind is a number. */
size_t number_end(const char *text, size_t length, size_t begin, bool *runs_on, size_t *behind);

#endif
