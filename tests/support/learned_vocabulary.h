// A vocabulary learned from a few sentences.
#pragma once

#include "text/vocabulary.h"

/* Of at most `size` tokens, from `count` texts, each read twice: neighbours seen once are never
 * merged. Freed by vocabulary_free. */
Vocabulary *learned_vocabulary(const char *const *texts, size_t count, size_t size);
