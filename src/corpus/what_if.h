/* What the translation of a source would be if attention or the decoder did otherwise: what is asked
 * of a search (search/beam.h) by TokenPair.what_if. Tokens and steps are counted from 0. Scores stay
 * the model's, of what it says with the attention that it is given. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Of each of the lists; of the tokens of a word, and of the ways to spell it.
enum { MAX_WHAT_IFS = 64, MAX_WHAT_IF_TOKENS = 16, WHAT_IF_SPELLINGS = 2 };

// At a step, a source token has this weight in every head; the others share the rest as before.
typedef struct WhatIfWeight {
    size_t step;
    uint32_t source;
    double weight; // in [0, 1]
} WhatIfWeight;

/* A word that is said at a step and those after it, or is not said there. Forced, no hypothesis ends
 * before it, and it is the whole word. */
typedef struct WhatIfWord {
    size_t step;
    bool forced;
    size_t lengths[WHAT_IF_SPELLINGS]; // 0: there is no such spelling
    int32_t tokens[WHAT_IF_SPELLINGS][MAX_WHAT_IF_TOKENS];
} WhatIfWord;

// {0} asks for nothing.
typedef struct WhatIf {
    uint32_t forbidden[MAX_WHAT_IFS];   // (forbidden_count) source tokens whose weight is 0
    size_t forbidden_count;             // always fewer than the source has
    WhatIfWeight weights[MAX_WHAT_IFS]; // those of a step are of different tokens, at most 1 in all
    size_t weight_count;
    WhatIfWord words[MAX_WHAT_IFS];
    size_t word_count;
    // by token: whether it goes on with a word, and whether a word goes on behind it
    // (search/constraints.h); not owned. NULL: not known
    const unsigned char *edges;
} WhatIf;
