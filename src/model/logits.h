/* The output layer of search: the scores of a step's rows, computed a block of rows at a time when
 * they are asked for, so that search scans logits while they are in the cache and they need never
 * go to memory. */
#ifndef REGARD_MODEL_LOGITS_H
#define REGARD_MODEL_LOGITS_H

#include "layers/ragged.h"
#include "model/shortlist.h"
#include "search/search_model.h"

typedef struct Logits {
    const LinearParams *output;
    const BatchShortlist *candidates; // NULL: rows score all tokens
    const Ragged *ragged;             // whose row multiple products are rounded up to
    size_t first, end;                // the rows that are in the block now
    Matrix values; // (block, V), or (block, longest) of the candidates of each row's sentence
    Matrix maxima; // (block, ⌈V / SEARCH_SPAN⌉) the largest logit of each span of tokens
    real *log_zs;  // (block) log Σ exp of a row
    char *forms;   // of `picked`; NULL if the output's backend cannot pick rows
    PackedWeight *picked; // (sentences) the candidates' rows of the output matrix
} Logits;

/* For at most `rows` rows, rounded as `ragged` says. With `candidates`, which may be NULL, a row
 * scores only those of its sentence. */
void logits_layout(Logits *logits, Arena *arena, const Ragged *ragged, size_t rows,
                   const LinearParams *output, const BatchShortlist *candidates);

// Picks the candidates, if there are any, after the real layout.
void logits_begin(Logits *logits);

// Forgets the block: another step begins.
void logits_clear(Logits *logits);

/* The scores of a row of states (rows, E), which have memory for the rows rounded up; sentences
 * (rows) names each row's sentence, for its candidates. Computes the row's block unless it is
 * there; valid until that is replaced. */
TokenScores logits_scores(Logits *logits, Matrix states, const uint32_t *sentences, size_t row);

#endif
