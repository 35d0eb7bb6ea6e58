/* Dates with a month, as languages write them (Language.dates):
 *
 *     May 12, 1987      12 mai 1987      1987年5月12日
 */
#pragma once

#include "base/bytes.h"
#include "language/language.h"
#include "text/spans.h"

typedef struct Date {
    size_t end;   // in its text; 0: there is none
    size_t month; // 0 … 11
    int day;      // 0: none
    int year;     // 0: none
} Date;

// The longest date that begins at a place.
Date date_at(TextView text, size_t at, const Language *language);

/* Takes the next of a language's ways to write a date, from *formats, at first its `dates`; false if
 * there is no other. */
bool date_next(Bytes *out, const char **formats, const Date *date, const Language *language,
               Status *status, Error *error);

/* Replaces `spans` by a text's dates, but no incomplete one that a span of
 * `apart` is partly in. */
Status dates_find(Spans *spans, TextView text, const Spans *apart, const Language *language,
                  Error *error);
