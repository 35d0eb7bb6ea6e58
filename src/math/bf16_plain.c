/* Products in bf16 in C for any processor. */
#define BF16_LANES 4
#define BF16_KERNELS bf16_plain
#define BF16_NAME "plain"
#include "math/bf16_lanes.h"

// A number of bf16 is the upper half of a float.
static inline Sums multiply_pairs(Sums sums, Words x, Words w)
{
    const Words upper = 0xffff0000u - (Words){0};
    sums += (Sums)(x & upper) * (Sums)(w & upper);
    return sums + (Sums)(x << 16) * (Sums)(w << 16);
}

#include "math/bf16_body.h"
