/* Patterns by which dates, times of day, ordinals and numbers beside words are read and written. % and a
 * letter stand for a part:
 *
 *     %Y year   %m month   %d day   %H hour of 24   %M minute   %I hour of twelve   %P part of the day
 *     %n number   %o ordinal: 21st   %R Roman numeral
 *
 * _ stands for a space, and anything else for itself: 3:05 pm is %I:%M_%P, 15 h 05 is %H_h_%M. */
#pragma once

#include "base/bytes.h"
#include "language/language.h"

typedef struct PatternValues {
    int year, day;
    size_t month;     // 0 … 11
    int hour, minute; // 0 … 23, 0 … 59
    int number;
    bool is_time, has_part; // of the day
} PatternValues;

// Whether a text goes on like a pattern at *at, which is moved behind it; what the parts are, in *values.
bool pattern_read(PatternValues *values, TextView pattern, TextView text, size_t *at,
                  const Language *language);

// Whether a word is the name of a month.
bool pattern_is_month(TextView word, const Language *language);

// Appends values like a pattern.
Status pattern_write(Bytes *out, TextView pattern, const PatternValues *values,
                     const Language *language, Error *error);
