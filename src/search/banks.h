/* How the beam of a source with constraints is shared out: dynamic beam allocation (Post & Vilar 2018,
 * arXiv 1804.06609). The ways to continue its rows are put into banks by how many constraint tokens
 * they have, and each bank gets its share of the places, since those that have more of them are less
 * likely and would never be among the best of all.
 *
 * A row is continued by its best tokens and by those that begin or continue a phrase, likely or not. The
 * places are given out one by one, from the bank of the complete hypotheses downwards and over again, so
 * that what a bank cannot use goes to the others. */
#ifndef REGARD_SEARCH_BANKS_H
#define REGARD_SEARCH_BANKS_H

#include "base/arena.h"
#include "search/candidates.h"
#include "search/constraints.h"

enum { MAX_BANKS = 16 }; // with more constraint tokens, neighbouring numbers of them share a bank

typedef struct BankCandidate {
    Candidate candidate;
    ConstraintState state; // after its token
    bool complete;         // every phrase is met if nothing follows
    bool likely;           // among the `places` best of all banks
} BankCandidate;

typedef struct Banks {
    const Constraints *constraints;
    size_t count;         // of banks
    size_t places;        // to be given out
    BankCandidate *lists; // (count, places) of each bank, best first
    size_t counts[MAX_BANKS];
    Candidate *row_best;   // (places) scratch
    BankCandidate *chosen; // (places) what banks_choose chooses
    double likeliest;      // log p of the best candidate
    double likeliest_end;  // log p of ending where a phrase is missing
} Banks;

// How many banks there are for a source, of which each needs a place in its beam.
size_t banks_needed(const Constraints *constraints);

// Memory for sources with at most so many places and banks; each may be 0.
void banks_layout(Banks *banks, Arena *arena, size_t places, size_t count);

// Empties them for a step of a source.
void banks_begin(Banks *banks, const Constraints *constraints, size_t places);

/* Adds the ways to continue a row in that state, whose `may_end` is true if its step allows it, whatever
 * it lacks; open_tokens (state.open) are its last. */
void banks_add(Banks *banks, const LiveRow *row, ConstraintState state, const int32_t *open_tokens,
               const TokenScores *scores);

// Sets banks->chosen and returns how many there are, at most `places`.
size_t banks_choose(Banks *banks);

/* Whether the likeliest way to continue would have been to end, had no phrase been missing: what the
 * model has to say has been said. */
bool banks_at_end(const Banks *banks);

#endif
