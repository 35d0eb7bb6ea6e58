/* The logits of a step of search, a block of rows at a time, as they are asked for: looked at while they are still in the
 * cache, they need never go to memory. Whoever asks for the rows in order has each computed once. */
#ifndef REGARD_MODEL_LOGITS_H
#define REGARD_MODEL_LOGITS_H

#include "layers/ragged.h"
#include "model/batch_shortlist.h"

typedef struct Logits {
    const LinearParams *output;
    const BatchShortlist *candidates; // NULL: rows can say all tokens
    size_t row_multiple;              // rows of products are rounded up to it
    size_t first, end;                // the rows that are in the block now
    Matrix values; // (block, V), or (block, longest) of the candidates of each row's sentence
    Matrix maxima; // (block, ⌈V / KERNELS_SPAN⌉) the largest logit of each span of tokens
    real *log_zs;  // (block) log Σ exp of a row
} Logits;

/* For at most `rows` rows; `ragged` tells how they are rounded. `candidates`: rows can say their sentence's alone; or
 * NULL. */
void logits_layout(Logits *logits, Arena *arena, const Ragged *ragged, size_t rows,
                   const LinearParams *output, const BatchShortlist *candidates);

// Forgets what is there: the states of another step are to be looked at.
void logits_clear(Logits *logits);

/* Computes the block in which `row` of states (rows, E) is, unless it is there. `states` has room for the rows rounded
 * up; sentences (rows) tells each row's sentence, for its candidates. */
void logits_compute(Logits *logits, Matrix states, const uint32_t *sentences, size_t row);

#endif
