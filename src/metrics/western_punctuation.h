/* The language-dependent half of NIST's mteval-v13a, shared by sacreBLEU's tokenizers "13a" and
 * "zh": Western punctuation becomes separate tokens. */
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
 * Rules 2 to 4 look at pairs of characters from left to right; a character belongs to at most one
 * pair. The ends of the line form no pair: whether "5." is one token or two depends on a space
 * after it. The result may have several spaces in a row. */
Status western_punctuation_split(Bytes *line, Error *error);

#endif
