/* Products in int8 in C for any processor. */
#define INT8_LANES 4
#define INT8_ROWS 2
#define INT8_PANELS 1
#define INT8_EXCESS 0
#define INT8_KERNELS int8_plain
#define INT8_NAME "plain"
#include "math/int8_body.h"

// Byte k of every lane is moved to the top and back, which extends its sign.
static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w)
{
    for (int k = 0; k < 4; k++) sums += (x << (24 - 8 * k) >> 24) * (w << (24 - 8 * k) >> 24);
    return sums;
}
