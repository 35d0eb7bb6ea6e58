/* What a row may say next: the best tokens, for beam search, or one drawn at random. */
#pragma once

#include "search/prefix.h"
#include "search/search_model.h"

// A live row whose continuations are wanted.
typedef struct LiveRow {
    uint32_t row;
    double log_p;         // of its hypothesis so far
    bool may_end;         // whether </s> may follow
    const Prefix *prefix; // what the hypothesis must begin with
    uint32_t place;       // its node there; PREFIX_DONE: anything may follow
} LiveRow;

// A way to continue a live row.
typedef struct Candidate {
    double log_p;
    uint32_t row;
    int32_t token;
    uint32_t place; // in the prefix, after the token
} Candidate;

/* Adds the best ways to continue a row to `count` of rows before it, best first, and returns how
 * many there are then, at most `most`. Ties break by row, then token id. A logit that is NaN is
 * never taken. */
size_t candidates_add(Candidate *best, size_t count, size_t most, const LiveRow *row,
                      const TokenScores *scores);

/* The way to continue a row by that token, even if it ends and row->may_end is false. False if the
 * prefix does not allow the token, or it has no score or one that is NaN. */
bool candidate_find(Candidate *found, const LiveRow *row, const TokenScores *scores, int32_t token);

/* Draws a way to continue a row: of the tokens that may follow, each with a probability
 * proportional to p^(1/temperature). `uniform`, in [0, 1), is the random number. False if that is
 * no distribution, since logits are not finite. */
bool candidate_draw(Candidate *drawn, const LiveRow *row, const TokenScores *scores,
                    double temperature, double uniform);
