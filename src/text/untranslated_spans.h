/* What of a text is not translated but stays as it is:
 *
 *     addresses, e-mail addresses, file names   text/address.h
 *     emoji                                     text/emoji.h
 *     code in backticks                         `ls -la`, ``a b``; the next backticks are as many
 *     calls without arguments                   foo.bar()
 *     mentions and tags                         @user, #topic; a tag has a letter
 *     identifiers                               snake_case, E_NOENT, camelCase with two small letters first
 *     codes                                     capitals with digits: A380-X2, KL862; but not 21ST, 5PM
 *     long numbers                              5 digits or more in a row, or 7 with hyphens between: 90817,
 *                                               555-0142; but not 12345.67 or 10,000
 *     characters for private use                U+E000 and the like, which no one else knows
 *
 * All else is for a model to translate, such as 12, 1998, 3.50, e.g., Mr. and COVID. In doubt it is no span:
 * what is taken for one is not translated at all. */
#ifndef REGARD_TEXT_UNTRANSLATED_SPANS_H
#define REGARD_TEXT_UNTRANSLATED_SPANS_H

#include "text/spans.h"

/* Replaces `spans` by those of a text, any bytes; no character is divided, and there is something between
 * any two. Linear time. On STATUS_MEMORY, the only failure, there are none. */
Status untranslated_spans_find(Spans *spans, const char *text, size_t length, Error *error);

#endif
