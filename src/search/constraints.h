/* Phrases that each hypothesis of a source must contain, as tokens: positive lexical constraints
 * (Hokamp & Liu 2017; Post & Vilar 2018, arXiv 1804.06609). A phrase may have several alternatives, any
 * of which will do: a word has other subwords after a bracket than after a space.
 *
 * Which phrases a hypothesis contains is read from the left: where a phrase begins that it does not
 * have yet, in any of its alternatives, the longest such one is met, and reading goes on behind it. So
 * each phrase needs tokens of its own, and one that is there twice must be said twice. */
#ifndef REGARD_SEARCH_CONSTRAINTS_H
#define REGARD_SEARCH_CONSTRAINTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_PHRASES = 64, MAX_PHRASE_TOKENS = 64 };

// An alternative of a phrase.
typedef struct PhraseTokens {
    uint32_t phrase;
    uint32_t begin, length; // in Constraints.tokens
} PhraseTokens;

// Start from {0}, add, end with constraints_free.
typedef struct Constraints {
    int32_t *tokens; // (token_count) of all alternatives, one after another
    size_t token_count, token_capacity;
    PhraseTokens *alternatives; // (alternative_count)
    size_t alternative_count, alternative_capacity;
    size_t count;                 // phrases
    uint8_t longest[MAX_PHRASES]; // (count) tokens of each phrase's longest alternative
    size_t length;                // of all phrases: the sum of `longest`
} Constraints;

/* Adds a phrase, at most MAX_PHRASES of them, of 1 … MAX_PHRASE_TOKENS tokens, none of them special. On
 * STATUS_MEMORY the constraints can only be freed; likewise below. */
Status constraints_add(Constraints *constraints, const int32_t *tokens, size_t length,
                       Error *error);

// Adds an alternative to the phrase added last.
Status constraints_add_alternative(Constraints *constraints, const int32_t *tokens, size_t length,
                                   Error *error);

void constraints_free(Constraints *constraints);

/* How far a hypothesis is; {0} at first. Its last `open` tokens may become a phrase, or be one that may
 * become a longer one. */
typedef struct ConstraintState {
    uint64_t met;  // a bit for each phrase
    uint32_t open; // < MAX_PHRASE_TOKENS
    uint32_t done; // constraint tokens that it has: those of the phrases met and the open ones
} ConstraintState;

// The state after another token; open_tokens (state.open) are the last before it.
ConstraintState constraints_advance(const Constraints *constraints, ConstraintState state,
                                    const int32_t *open_tokens, int32_t token);

// Whether every phrase is met if nothing follows.
bool constraints_complete(const Constraints *constraints, ConstraintState state,
                          const int32_t *open_tokens);

/* The token by which an alternative that is not met is begun (`open` = 0) or, if the last `open` tokens
 * have begun it, continued; -1 if there is none. */
int32_t constraints_next(const Constraints *constraints, size_t alternative, ConstraintState state,
                         const int32_t *open_tokens, size_t open);

#endif
