/* A row of numbers in 8 bits: one scale, symmetric about 0. Files of `regard quantize` keep weights
 * so, and products in int8 read both factors so (linalg/backend/int8.c).
 *
 *     x ≈ scale · q,   q a whole number, −127 … 127,   scale = max |x| / 127
 *
 * so the error is at most scale / 2 (and the rounding of float32). A row of zeros has scale 0,
 * as has one whose numbers are so small that the scale would be subnormal.
 *
 * Rounding what was rounded before changes nothing: of the floats for which 127 · scale is the same
 * the scale is the smallest, so it is found again from 127 · scale. */
#pragma once

#include "math/int8.h"

/* A matrix whose rows were rounded before, as a file has it: row i is scales[i] times its steps, all of
 * them finite. They are in 8 bits or in 4 (below); the other pointer is NULL, both if there is none. */
typedef struct RoundedRows {
    const int8_t *steps;  // (rows, columns)
    const uint8_t *pairs; // (rows, int4_bytes(columns))
    const float *scales;  // (rows)
    size_t columns;
} RoundedRows;

static inline bool rounded_rows_exist(const RoundedRows *rows)
{
    return rows->steps || rows->pairs;
}

// Steps `first` to first + n − 1 of row i.
void rounded_row_steps(int8_t *out, const RoundedRows *rows, size_t i, size_t first, size_t n);

// out (columns) = row i; numbers too large become infinite.
void rounded_row_values(real *out, const RoundedRows *rows, size_t i);

// Whether rows (count) can be multiplied as they are: no number is −128, or too large once scaled.
bool rounded_rows_usable(const RoundedRows *rows, size_t count);

// The scale of a row (n): finite and at least 0, or NaN if a number is not finite.
float quantise_scale(const real *row, size_t n);

// Rounds a row (n) with its scale, a tie to even, and returns Σ q; all 0 if the scale is 0 or NaN.
int32_t quantise_row(int8_t *out, const real *row, float scale, size_t n);

// Both: rounds a row (n) of finite numbers and returns its scale.
static inline float quantise_int8(int8_t *out, const real *row, size_t n)
{
    float scale = quantise_scale(row, n);
    quantise_row(out, row, scale, n);
    return scale;
}

/* Rows (rows, columns) in 4 bits: each step is one of the sixteen ±5, ±15, ±26, ±38, ±51, ±67, ±89 and
 * ±127, those that lose least of the embeddings of two models (found by Lloyd 1982, "Least squares
 * quantization in PCM", but for ±127, so that the largest number of a row keeps its size, and its
 * scale stays that of int8). Two steps to a byte, the first in its lower half; a row begins with a
 * byte. */
static inline size_t int4_bytes(size_t columns)
{
    return (columns + 1) / 2;
}

// Rounds the steps of rows to their nearest; `pairs` may be `steps`.
void int4_pack(uint8_t *pairs, const int8_t *steps, size_t rows, size_t columns);
