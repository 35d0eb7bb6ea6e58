/* Products in int8 for any ARM processor of 64 bits. */
#include "math/int8.h"

#if defined(__aarch64__) && !defined(REGARD_DOUBLE)
#define INT8_LANES 4
#define INT8_ROWS 5
#define INT8_PANELS 1
#define INT8_EXCESS 0
#define INT8_KERNELS int8_neon
#define INT8_NAME "neon"
#include "math/int8_body.h"

#include <arm_neon.h>

// Two products are at most 2 · 127² = 32,258, which 16 bits hold.
static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w)
{
    const int8x16_t a = (int8x16_t)x, b = (int8x16_t)w;
    int16x8_t pairs = vpaddq_s16(vmull_s8(vget_low_s8(a), vget_low_s8(b)), vmull_high_s8(a, b));
    return (Lanes)vpadalq_s16((int32x4_t)sums, pairs);
}
#endif
