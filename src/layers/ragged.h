/* A batch of sentences of different lengths, stored without padding.
 *
 * Sentences come longest first. Time-major, step t holds only the sentences that are still running,
 * which are the first ones; the row of token t of sentence b is step_begin[t] + b:
 *
 *     lengths 3 2 1      t=0: a0 b0 c0   t=1: a1 b1   t=2: a2        6 rows instead of 9
 *
 * Sentence-major, the rows of one sentence are contiguous: sentence_begin[b] + t. Nothing is masked
 * because nothing is padded: every product is over real tokens alone. (T, B, ·) in comments means
 * the first form, (B, T, ·) the second; both have `tokens` rows. */
#pragma once

#include "linalg/matrix.h"

typedef struct Ragged {
    size_t count;           // B
    size_t steps;           // the longest length
    size_t tokens;          // Σ lengths
    size_t row_multiple;    // rows of products are rounded up to it; 1 in training
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

// `rows` rounded up to the row_multiple: what products compute, and what their matrices need memory
// for.
static inline size_t ragged_rounded(const Ragged *ragged, size_t rows)
{
    return rows_rounded(rows, ragged->row_multiple);
}

// The same matrix with its rows rounded up, for which it must have memory.
static inline Matrix ragged_padded(Matrix matrix, const Ragged *ragged)
{
    return matrix_with_rows(matrix, ragged_rounded(ragged, matrix.rows));
}

// Sets the rows it is rounded up to, after its own, to 0 (linalg/matrix.h says why).
static inline void ragged_clear_padding(Matrix matrix, const Ragged *ragged)
{
    matrix_clear_padding(matrix, ragged_rounded(ragged, matrix.rows));
}

// Rows that a time-major matrix needs memory for: products of its last step read and write rows
// after it.
static inline size_t ragged_steps_capacity(const Ragged *ragged)
{
    return ragged->tokens + ragged->row_multiple;
}

// The rows of step t of a time-major matrix.
static inline Matrix ragged_step(Matrix matrix, const Ragged *ragged, size_t t)
{
    return matrix_rows(matrix, ragged->step_begin[t], ragged_rows(ragged, t));
}

/* Matrices (tokens, columns) and (count, columns), not set, with memory for rounded rows: of all
 * tokens, of each step of a time-major matrix, or of all sentences. */
static inline Matrix ragged_take(Arena *arena, const Ragged *ragged, size_t columns)
{
    return matrix_take_padded(arena, ragged->tokens, ragged_rounded(ragged, ragged->tokens),
                              columns);
}

static inline Matrix ragged_take_steps(Arena *arena, const Ragged *ragged, size_t columns)
{
    return matrix_take_padded(arena, ragged->tokens, ragged_steps_capacity(ragged), columns);
}

static inline Matrix ragged_take_sentences(Arena *arena, const Ragged *ragged, size_t columns)
{
    return matrix_take_padded(arena, ragged->count, ragged_rounded(ragged, ragged->count), columns);
}
