/* What a what-if (corpus/what_if.h) lets a hypothesis say: at a word's step the word, in one of its
 * spellings, if it is forced, and else anything but it. */
#pragma once

#include "search/hypotheses.h"

/* Copies the tokens of forced words to `tokens`, unless that is NULL, and returns how many they are.
 * *end is the step behind the last word; `what_if` may be NULL, which forces none. */
size_t what_if_tokens(const WhatIf *what_if, int32_t *tokens, size_t *end);

/* Sets the logits (scores->count) of what a hypothesis may not say at a step to −inf; `node` is its
 * last. */
void what_if_forbid(real *logits, const TokenScores *scores, const WhatIf *what_if,
                    const HypothesisTree *tree, int32_t node, size_t step);
