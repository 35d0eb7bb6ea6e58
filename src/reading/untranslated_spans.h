/* What of a text is not translated but stays as it is:
 *
 *     addresses, e-mail addresses, file names   reading/address.h
 *     emoji                                     with what changes or joins them, as one
 *     code in backticks                         `ls -la`, ``a b``; the next backticks are as many
 *     calls without arguments                   foo.bar()
 *     mentions and tags                         @user, #topic; a tag has a letter
 *     identifiers                               snake_case, E_NOENT, camelCase with two small letters first
 *     codes                                     digits behind letters: A380-X2, H₂O, 3f2a9c; 3B; but not 21ST, 5PM
 *     numbers of other kinds                    ½, ①; m² and m2 are units
 *     words of more than 100 characters         of data, in ASCII
 *     variables and tags of interfaces          {name}, ${name}, {{name}}, %d, %1$s, <b>
 *     signs, those of mathematics with what     ©, →, §; x > 5, ~5 km, 2 + 3; but not °, or + and − elsewhere
 *         they relate
 *     numbers                                   12, 3.50, 10,000, 1 248, 8:30, 2019-2020, -7, #42, $5, 50 %, 3e10,
 *                                               １２; not 6th, nor 5月
 *     versions                                  v2, v1.2.3
 *     characters for private use                U+E000 and the like, which no one else knows
 *
 * Numbers are digits with a mark between them or a space before three, and what belongs to them in
 * any language, a sign or a symbol of a unit:
 *
 *     30 °C  850 g  128GB  120 km/h
 *     9h30  8 h 05  2 h 37 min     a time in French
 *     01 42 68 53 00               three groups of digits or more, of a telephone or an account
 *
 * All else is for a model to translate, such as e.g., Mr., 6th and COVID. In doubt it is no span:
 * what is taken for one is not translated at all. */
#pragma once

#include "text/spans.h"

/* Replaces `spans` by those of a text, any bytes; no character is divided, and there is something
 * between any two. Linear time. On STATUS_MEMORY, the only failure, there are none. */
Status untranslated_spans_find(Spans *spans, const char *text, size_t length, Error *error);
