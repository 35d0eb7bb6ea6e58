/* Vectors of BF16_LANES numbers, as gcc and clang know them, for the files that include
 * bf16_body.h. */
#ifndef REGARD_MATH_BF16_LANES_H
#define REGARD_MATH_BF16_LANES_H

#include "math/real.h"

#include <stdint.h>

typedef uint32_t Words __attribute__((vector_size(BF16_LANES * sizeof(uint32_t))));
typedef float Sums __attribute__((vector_size(BF16_LANES * sizeof(float))));
typedef real Reals __attribute__((vector_size(BF16_LANES * sizeof(real))));

#endif
