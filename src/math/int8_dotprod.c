/* Products in int8 for ARM with the dot product extension; the Makefile compiles this file alone with
 * its flags. */
#include "math/int8.h"

#if defined(__aarch64__) && !defined(REGARD_DOUBLE)
#define INT8_LANES 4
#define INT8_ROWS 5
#define INT8_PANELS 1
#define INT8_EXCESS 0
#define INT8_KERNELS int8_dotprod
#define INT8_NAME "dotprod"
#include "math/int8_body.h"

#include <arm_neon.h>

static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w)
{
    return (Lanes)vdotq_s32((int32x4_t)sums, (int8x16_t)w, (int8x16_t)x);
}
#endif
