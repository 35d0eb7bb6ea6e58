/* Weights in fewer bits, for files: one scale for each row, symmetric about 0.
 *
 *     x ≈ scale · q,   q a whole number, −127 … 127,   scale = max |x| / 127
 *
 * so the error is at most scale / 2 (and the rounding of float32). A row of zeros has scale 0,
 * as has one whose numbers are so small that the scale would be subnormal. */
#ifndef REGARD_LINALG_QUANTISE_H
#define REGARD_LINALG_QUANTISE_H

#include "math/real.h"

#include <stddef.h>
#include <stdint.h>

enum { INT8_LARGEST = 127 };

/* Rounds a row (n) of finite numbers to int8, a tie to even, and returns its scale, which is
 * finite and at least 0. */
float quantise_int8(int8_t *out, const real *row, size_t n);

#endif
