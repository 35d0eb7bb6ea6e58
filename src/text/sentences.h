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
#ifndef REGARD_TEXT_SENTENCES_H
#define REGARD_TEXT_SENTENCES_H

#include "base/status.h"

#include <stddef.h>

typedef struct Sentence {
    size_t begin, end; // bytes of the line, without the white space around
} Sentence;

/* In order, without overlap; all bytes between them are white space. Start from {0}, reuse freely,
 * end with sentences_free. */
typedef struct Sentences {
    Sentence *items; // (count) none for a line of white space
    size_t count;
    size_t capacity;
} Sentences;

/* Replaces `sentences` by those of a line, any bytes; an invalid part of UTF-8 is never divided.
 * `language` is that of text/language.h; for NO_LANGUAGE and languages without rules those of all
 * apply, and a short number with a full stop is taken for an ordinal, as in German. Linear time. On
 * STATUS_MEMORY, the only failure, there are none. */
Status sentences_split(Sentences *sentences, size_t language, const char *text, size_t length,
                       Error *error);

void sentences_free(Sentences *sentences);

#endif
