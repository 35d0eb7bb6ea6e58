/* What of a text is not translated but stays as it is:
 *
 *     addresses, e-mail addresses, file names   text/address.h
 *     emoji                                     text/emoji.h
 *     code in backticks                         `ls -la`, ``a b``; the next backticks are as many
 *     calls without arguments                   foo.bar()
 *     mentions and tags                         @user, #topic; a tag has a letter
 *     identifiers                               snake_case, E_NOENT, camelCase with two small letters first
 *     codes                                     capitals with digits: A380-X2, KL862; but not 21ST, 5PM
 *     numbers                                   12, 3.50, 10,000, 1 248, 8:30, 2019-2020, $5, 50 %; not 6th
 *     characters for private use                U+E000 and the like, which no one else knows
 *
 * All else is for a model to translate, such as e.g., Mr., 6th and COVID. In doubt it is no span:
 * what is taken for one is not translated at all. */
#ifndef REGARD_READING_UNTRANSLATED_SPANS_H
#define REGARD_READING_UNTRANSLATED_SPANS_H

#include "text/spans.h"

/* Replaces `spans` by those of a text, any bytes; no character is divided, and there is something
 * between any two. Linear time. On STATUS_MEMORY, the only failure, there are none. */
Status untranslated_spans_find(Spans *spans, const char *text, size_t length, Error *error);

#endif
