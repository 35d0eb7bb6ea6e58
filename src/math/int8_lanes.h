/* Vectors of INT8_LANES numbers, as gcc and clang know them, for the files that include
 * int8_body.h. */
#ifndef REGARD_MATH_INT8_LANES_H
#define REGARD_MATH_INT8_LANES_H

#include "math/real.h"

#include <stdint.h>

typedef int32_t Lanes __attribute__((vector_size(INT8_LANES * sizeof(int32_t))));
typedef float Scales __attribute__((vector_size(INT8_LANES * sizeof(float))));
typedef real Reals __attribute__((vector_size(INT8_LANES * sizeof(real))));

#endif
