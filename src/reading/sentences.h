/* The sentences of a line: where each begins and ends, by rules for English, French and Chinese.
 *
 *     Mr. Lee paid 3.50 €.  "Really?" she asked.
 *     [------------------]  [-----------------]
 *
 * A sentence ends with . ! ? … or one of 。！？； and the quotation marks, brackets and emoji that
 * follow. It does not end where no capital follows in a text that has capitals; after an
 * abbreviation, initial or list number; inside a number, address or file name; at the end of a
 * quotation that the sentence goes on with. After Chinese marks no space is needed. What has
 * neither letter nor number is no sentence of its own. Where a case is doubtful there is no
 * boundary. */
#pragma once

#include "language/language.h"
#include "text/spans.h"

/* Replaces `sentences` by those of a line, any bytes: spans with nothing but white space around
 * them, none for a line of white space; an invalid part of UTF-8 is never divided. Where `language`
 * is NULL or has no words of its own, those of all apply, and unless it is known not to be, a short
 * number with a full stop is taken for an ordinal, as in German. Linear time. On STATUS_MEMORY, the
 * only failure, there are none. */
Status sentences_split(Spans *sentences, const Language *language, const char *text, size_t length,
                       Error *error);

/* Where a sentence that is too long for a model can be parted: the end of the first part, of at
 * most `most` ≥ 4 bytes (most < length): behind the last ; or : or their wide forms; else the last
 * comma, not inside a number; else before the last word that joins clauses in the language; these in
 * the second half of `most`, or else in its last three quarters; else behind the last word; else
 * behind the last character, valid or not. At least 1; a space that follows is not counted. */
size_t clause_end(const char *text, size_t length, size_t most, const Language *language);
