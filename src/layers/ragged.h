/* How a batch of sentences of different length lies in memory: without padding.
 *
 * Sentences stand longest first. Time-major, step t holds only the sentences that are still
 * running, which are then the first ones; the row of token t of sentence b is step_begin[t] + b:
 *
 *     lengths 3 2 1      t=0: a0 b0 c0   t=1: a1 b1   t=2: a2        6 rows instead of 9
 *
 * Sentence-major, the rows of one sentence lie together: sentence_begin[b] + t. Nothing is masked
 * because nothing is padded: every product is over real tokens alone. (T, B, ·) in comments means
 * the first form, (B, T, ·) the second; both have `tokens` rows. */
#ifndef REGARD_LAYERS_RAGGED_H
#define REGARD_LAYERS_RAGGED_H

#include "linalg/matrix.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Ragged {
    size_t count;           // B
    size_t steps;           // the longest length
    size_t tokens;          // Σ lengths
    size_t row_multiple;    // rows of a step are rounded up to this in products; 1 in training
    uint32_t *lengths;      // (B), falling; each ≥ 1
    size_t *step_begin;     // (steps + 1)
    size_t *sentence_begin; // (B + 1)
} Ragged;

/* Takes the index tables for `count` ≥ 1 sentences of at most `steps` tokens from an arena
 * (measuring or real). */
void ragged_layout(Ragged *ragged, Arena *arena, size_t count, size_t steps);

// Fills the tables from lengths (B), which must fall.
void ragged_fill(Ragged *ragged, const uint32_t *lengths, size_t row_multiple);

// Sentences running at step t.
static inline size_t ragged_rows(const Ragged *ragged, size_t t)
{
    return ragged->step_begin[t + 1] - ragged->step_begin[t];
}

// `rows` rounded up to the row_multiple: what a product is asked to compute, and what its matrices must
// have room for.
static inline size_t ragged_rounded(const Ragged *ragged, size_t rows)
{
    return (rows + ragged->row_multiple - 1) / ragged->row_multiple * ragged->row_multiple;
}

// The rows of step t of a time-major matrix.
static inline Matrix ragged_step(Matrix matrix, const Ragged *ragged, size_t t)
{
    return matrix_rows(matrix, ragged->step_begin[t], ragged_rows(ragged, t));
}

// A matrix (tokens, columns), not set, with memory for rounded rows.
Matrix ragged_take(Arena *arena, const Ragged *ragged, size_t columns);

#endif
