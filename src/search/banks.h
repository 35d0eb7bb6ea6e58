/* How the beam of a source with constraints is shared out: dynamic beam allocation (Post & Vilar
 * 2018, arXiv 1804.06609). The ways to continue its rows are put into banks by how many constraint
 * tokens they have, and each bank gets its share of the places, since those that have more of them
 * are less likely and would never be among the best of all.
 *
 * Where a phrase is said matters as well: forced hypotheses tend to append it after the sentence's
 * end, in addition to what the model would have said in its place. So hypotheses are compared by log
 * p and a penalty for each phrase begun while the attention was elsewhere (compare Hasler et al.
 * 2018, arXiv 1805.03750, who allow a phrase only where the attention is):
 *
 *     w Σ log max(a, ε)          a = Σ_j α_tj of the phrase's source, t the step of its first token
 *     w Σ log max(o (a − b), ε)  where another is before it in the source and not said yet, but for
 *                                a loose one beside a loose one; b is the most attention to such
 *
 * A row is continued by its best tokens and by those that begin or continue a phrase, likely or
 * not. The places are given out one by one, from the bank of the complete hypotheses downwards and
 * over again, so that what a bank cannot use goes to the others. */
#pragma once

#include "base/arena.h"
#include "search/candidates.h"
#include "search/constraints.h"

enum { MAX_BANKS = 16 }; // with more constraint tokens, neighbouring numbers of them share a bank

typedef struct BankCandidate {
    Candidate candidate;
    ConstraintState state; // after its token
    bool complete;         // every phrase is met if nothing follows
} BankCandidate;

typedef struct Banks {
    const Constraints *constraints;
    size_t count;         // of banks
    size_t places;        // to be given out
    BankCandidate *lists; // (count, places) of each bank, best first
    size_t counts[MAX_BANKS];
    Candidate *row_best;   // (places) scratch
    BankCandidate *chosen; // (places) what banks_choose chooses
    double best;           // rank of the best candidate
    double best_end;       // rank of ending where a phrase is missing
} Banks;

// How many banks there are for a source, of which each needs a place in its beam.
size_t banks_needed(const Constraints *constraints);

// Memory for sources with at most so many places and banks; each may be 0.
void banks_layout(Banks *banks, Arena *arena, size_t places, size_t count);

// Empties them for a step of a source.
void banks_begin(Banks *banks, const Constraints *constraints, size_t places);

/* The score of a hypothesis of `length` tokens that ends with a candidate, for a source of S =
 * positions: log p / length^α of what is no phrase, and the rest by S^α. All hypotheses have the
 * phrases, which are often unlikely, and length^α would favour those that share this out among more
 * tokens. */
double bank_candidate_score(const BankCandidate *candidate, size_t length, size_t positions,
                            double alpha);

/* Adds the ways to continue a row in that state, whose `may_end` is true if its step allows it,
 * whatever it lacks; open_tokens (state.open) are its last, `attention` (S) its weights. */
void banks_add(Banks *banks, const LiveRow *row, ConstraintState state, const int32_t *open_tokens,
               const TokenScores *scores, const real *attention);

// Sets banks->chosen and returns how many there are, at most `places`.
size_t banks_choose(Banks *banks);

// Whether a candidate is among the `places` best of all banks.
bool banks_are_led_by(const Banks *banks, const BankCandidate *candidate);

/* Whether the likeliest way to continue would have been to end, had no phrase been missing: what
 * the model has to say has been said. */
bool banks_at_end(const Banks *banks);
