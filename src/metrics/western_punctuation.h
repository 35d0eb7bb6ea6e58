/* The language-dependent half of NIST's mteval-v13a, which sacreBLEU's tokenizers "13a" and "zh"
 * share: punctuation of Western scripts becomes tokens of its own. */
#ifndef REGARD_METRICS_WESTERN_PUNCTUATION_H
#define REGARD_METRICS_WESTERN_PUNCTUATION_H

#include "base/bytes.h"

/* Puts spaces around punctuation in `line`, by four rules, each applied to the whole line before
 * the next:
 *
 *   1. around every ASCII sign except ' , - and .
 *   2. around . and , that follow anything but a digit
 *   3. around . and , that come before anything but a digit
 *   4. around - that follows a digit
 *
 * Rules 2 to 4 look at pairs of characters from left to right, and a character belongs to at most
 * one pair. There is no pair at either end of the line: whether "5." is one token or two depends on
 * a space behind it. Several spaces in a row may come about. */
Status western_punctuation_split(Bytes *line, Error *error);

#endif
