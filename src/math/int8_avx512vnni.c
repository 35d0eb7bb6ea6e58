/* Products in int8 for AVX-512 with VNNI; the Makefile compiles this file alone with its flags. */
#include "math/int8.h"

#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
#define INT8_LANES 16
#define INT8_ROWS 6
#define INT8_PANELS 4
#define INT8_EXCESS 128
#define INT8_KERNELS int8_avx512vnni
#define INT8_NAME "avx512vnni"
#include "math/int8_body.h"

#include <immintrin.h>

static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w)
{
    return (Lanes)_mm512_dpbusd_epi32((__m512i)sums, (__m512i)w, (__m512i)x);
}
#endif
