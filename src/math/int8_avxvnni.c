/* Products in int8 for AVX-VNNI; the Makefile compiles this file alone with its flags, if the
 * compiler has them. */
#include "math/int8.h"

#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
#ifdef __AVXVNNI__
#define INT8_LANES 8
#define INT8_ROWS 5
#define INT8_PANELS 1
#define INT8_EXCESS 128
#define INT8_KERNELS int8_avxvnni
#define INT8_NAME "avxvnni"
#include "math/int8_body.h"

#include <immintrin.h>

static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w)
{
    return (Lanes)_mm256_dpbusd_avx_epi32((__m256i)sums, (__m256i)w, (__m256i)x);
}
#else
extern const Int8Kernels int8_avxvnni;
const Int8Kernels int8_avxvnni = {0};
#endif
#endif
