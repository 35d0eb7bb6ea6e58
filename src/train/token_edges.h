/* What the tokens of a vocabulary begin and end with (LexiconEdge, model/lexicon.h). Apart, because it
 * alone of what a lexicon is learned from reads the text of tokens one by one. */
#pragma once

#include "model/lexicon.h"
#include "text/vocabulary.h"

// Sets *edges (V) to those of each token, freed by memory_free, after a failure too.
Status token_edges_new(uint8_t **edges, const Vocabulary *vocabulary, Error *error);

// The first character of a token, behind its space.
uint32_t token_initial(const Vocabulary *vocabulary, int32_t token);
