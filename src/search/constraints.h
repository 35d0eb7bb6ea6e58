/* Phrases that each hypothesis of a source must contain, as tokens: positive lexical constraints
 * (Hokamp & Liu 2017; Post & Vilar 2018, arXiv 1804.06609). A phrase may have several alternatives,
 * any of which will do: a word has other subwords after a bracket than after a space.
 *
 * Which phrases a hypothesis contains is read from the left: where a phrase begins that it does not
 * have yet, in any of its alternatives, the longest such one is met, and reading goes on behind it.
 * So each phrase needs tokens of its own, and one that is there twice must be said twice. Where
 * tokens are known to be parts of words (`edges`), a phrase must not begin or end within one:
 * "chat" is not met by "château" or "achat". Tokens of some kinds, such as digits, may be `bound` to
 * phrases: a hypothesis that says one elsewhere goes astray. A phrase that is optional may be said
 * once, but need not be, and may be a part of a word, but not of a number: 6 of 6th, not of 16. */
#pragma once

#include "base/status.h"

enum { MAX_PHRASES = 64, MAX_PHRASE_TOKENS = 64 };

// Of a token: it goes on with the word before it; a word may go on behind it; it has a placeholder
// (reading/placeholders.h); it has a digit; it is a word that stands behind numbers, not behind names.
enum {
    TOKEN_BEGINS_IN_WORD = 1,
    TOKEN_ENDS_IN_WORD = 2,
    TOKEN_HAS_PLACEHOLDER = 4,
    TOKEN_HAS_DIGIT = 8,
    TOKEN_MEASURES = 16
};

// An alternative of a phrase.
typedef struct PhraseTokens {
    uint32_t phrase;
    uint32_t begin, length; // in Constraints.tokens
    bool initial;           // counts only at the beginning of a hypothesis
} PhraseTokens;

// The tokens of the source that a phrase translates; none if they are not known.
typedef struct PhraseSource {
    uint32_t begin, end;
} PhraseSource;

// Start from {0}, add, end with constraints_free.
typedef struct Constraints {
    int32_t *tokens; // (token_count) of all alternatives, one after another
    size_t token_count, token_capacity;
    PhraseTokens *alternatives; // (alternative_count)
    size_t alternative_count, alternative_capacity;
    size_t count;                      // phrases
    uint64_t optional;                 // a bit for each phrase
    uint64_t loose;                    // likewise: beside one another in the source, in any order
    uint64_t names;                    // likewise: behind them no token measures
    unsigned char bound;               // kinds of tokens that are said in phrases only
    uint8_t longest[MAX_PHRASES];      // (count) tokens of each phrase's longest alternative
    PhraseSource sources[MAX_PHRASES]; // (count)
    size_t length;                     // of all that must be said: the sum of `longest`
    size_t wished,
        wished_alternatives; // behind those above, of which only constraints_demand knows
    const unsigned char
        *edges; // by token: of what is above, those that it is; not owned. NULL: none
} Constraints;

// What is added: a phrase, an optional one, or an alternative to the phrase added last; an initial
// one counts only at the beginning of a hypothesis: a word with a capital.
typedef enum PhraseKind {
    PHRASE_NEW,
    PHRASE_OPTIONAL,
    PHRASE_ALTERNATIVE,
    PHRASE_INITIAL
} PhraseKind;

/* Adds it, of 1 … MAX_PHRASE_TOKENS tokens, none of them special; there are at most MAX_PHRASES. On
 * STATUS_MEMORY the constraints can only be freed. */
Status constraints_add(Constraints *constraints, PhraseKind kind, const int32_t *tokens,
                       size_t length, Error *error);

/* The phrase added last translates these tokens of the source, of which `end` is not one: search
 * prefers hypotheses that say it while they attend to them (search/banks.h). */
void constraints_place(Constraints *constraints, size_t begin, size_t end);

// The phrase added last is a name.
void constraints_name(Constraints *constraints);

/* Sets aside the phrases behind the first `count`, which are the last to be added: they are wished
 * for. */
void constraints_wish(Constraints *constraints, size_t count);

/* Demands what is wished for as well, if a text (length) lacks any of it, and then returns true. */
bool constraints_demand(Constraints *constraints, const int32_t *text, size_t length);

void constraints_free(Constraints *constraints);

// What tokens of phrases have cost a hypothesis (search/banks.h).
typedef struct PhraseCost {
    double log_p;   // of the tokens, part of the hypothesis's
    double penalty; // for their places
} PhraseCost;

/* How far a hypothesis is; {0} at first. Its last `open` tokens may become a phrase, or are one
 * that the next may make longer or part of a word. */
typedef struct ConstraintState {
    uint64_t met;          // a bit for each phrase
    uint32_t open;         // at most MAX_PHRASE_TOKENS
    uint32_t begun_tokens; // the open ones, if they may become a phrase that must be said; else 0
    uint32_t done;         // tokens of what must be said that it has: of phrases met, and these
    bool begun;            // there is a token before the open ones
    unsigned char before;  // of the token before the open ones, what is above
    bool astray;           // its last tokens have turned out to be bound ones outside of phrases
    PhraseCost cost, open_cost; // of the phrases met and of the open tokens, set by search/banks.c
} ConstraintState;

// The state after another token; open_tokens (state.open) are the last before it.
ConstraintState constraints_advance(const Constraints *constraints, ConstraintState state,
                                    const int32_t *open_tokens, int32_t token);

// Whether a token, which is bound to phrases, is in none that is still wanted.
bool constraints_forbid(const Constraints *constraints, ConstraintState state, int32_t token);

// Whether a token is the last of a name, behind which none may be said that measures.
bool constraints_ends_name(const Constraints *constraints, int32_t token);

// Whether every phrase that must be said is met if nothing follows.
bool constraints_complete(const Constraints *constraints, ConstraintState state,
                          const int32_t *open_tokens);

/* The token by which an alternative that is not met is begun (`open` = 0) or, if the last `open`
 * tokens have begun it, continued; -1 if there is none. */
int32_t constraints_next(const Constraints *constraints, size_t alternative, ConstraintState state,
                         const int32_t *open_tokens, size_t open);
