/* Numerals: numbers in digits, whose marks and signs languages write otherwise:
 *
 *     1,250,000     1 250 000
 *     3.5%          3,5 %
 *     $12.50        12,50 $     12.50美元
 *
 * Digits stay as they are. What may be no number of this kind stays whole: 3.5 alone may be a
 * version, 12.05.2024 is a date. */
#pragma once

#include "base/bytes.h"
#include "language/language.h"
#include "text/spans.h"

#define NUMERAL_CURRENCIES "$€£¥￥"

/* Whether a span is a numeral of few digits with a unit, or with a sign for which the target has a word,
 * or one in groups that begins the text. The model reads it as it stands and says it as a phrase: 75 kg
 * needs other words beside it than a placeholder, and the first of those is often read as a name. */
bool numeral_is_read(TextView text, Span span, const Language *const languages[2]);

/* Appends a span of a text, which reading/untranslated_spans.h found or is a large number with a word
 * (reading/magnitude.h), perhaps with a currency's sign before it, as the target writes it. */
Status numeral_write(Bytes *out, TextView text, Span span, const Language *const languages[2],
                     Error *error);
