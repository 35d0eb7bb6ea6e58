/* A text of a request cut into what is translated piece by piece, its lines without the white space
 * around them, and what stands between these and is kept as it is. */
#ifndef REGARD_SERVE_PASSAGE_H
#define REGARD_SERVE_PASSAGE_H

#include "base/writer.h"

// Start from {0}, end with passage_free. A view: the text must outlive it.
typedef struct Passage {
    TextView text;
    TextView *pieces; // (count) in order, none empty
    size_t count, capacity;
} Passage;

Status passage_set(Passage *passage, TextView text, Error *error);

// Writes the text with replacements (count) in place of its pieces.
void passage_write(Writer *out, const Passage *passage, const TextView *replacements);

void passage_free(Passage *passage);

#endif
