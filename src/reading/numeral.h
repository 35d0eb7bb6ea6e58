/* Numerals: numbers in digits, whose marks and signs languages write otherwise:
 *
 *     1,250,000     1 250 000
 *     3.5%          3,5 %
 *     $12.50        12,50 $
 *
 * Digits stay as they are. What may be no number of this kind stays whole: 3.5 alone may be a
 * version, 12.05.2024 is a date. */
#pragma once

#include "base/bytes.h"
#include "language/language.h"
#include "text/spans.h"

// Appends a span of a text, which reading/untranslated_spans.h found, as the target writes it.
Status numeral_write(Bytes *out, TextView text, Span span, const Language *const languages[2],
                     Error *error);
