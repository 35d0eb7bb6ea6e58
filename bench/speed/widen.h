// A vocabulary with as many tokens as are wanted, so that embeddings have that size whatever the
// corpus makes.
#pragma once

#include "text/vocabulary.h"

/* A new vocabulary that cuts texts as the given one does, filled up to `size` tokens with
 * characters of Unicode's private plane 15, which no text has. */
Status vocabulary_widen(Vocabulary **wide, const Vocabulary *vocabulary, size_t size, Error *error);
