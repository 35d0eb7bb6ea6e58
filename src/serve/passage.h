/* A text of a request cut into what is translated piece by piece, the sentences of its lines, and what
 * stands between these and is kept as it is. */
#ifndef REGARD_SERVE_PASSAGE_H
#define REGARD_SERVE_PASSAGE_H

#include "base/writer.h"

// Bytes of a piece: a longer sentence is parted (text/clause.h), so that the model, which reads at most
// MAX_TRANSLATION_SUBWORDS, reads all of it.
enum { MAX_PIECE = 500 };

// Start from {0}, end with passage_free. A view: the text must outlive it.
typedef struct Passage {
    TextView text;
    TextView *pieces; // (count) in order, none empty
    size_t count, capacity;
} Passage;

// The text's language is one of text/language.h, or NO_LANGUAGE.
Status passage_set(Passage *passage, size_t language, TextView text, Error *error);

// Writes the text with replacements (count) in place of its pieces.
void passage_write(Writer *out, const Passage *passage, const TextView *replacements);

void passage_free(Passage *passage);

#endif
