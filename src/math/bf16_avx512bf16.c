/* Products in bf16 for AVX-512 with BF16; the Makefile compiles this file alone with its flags. */
#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
#define BF16_LANES 16
#define BF16_KERNELS bf16_avx512bf16
#define BF16_NAME "avx512bf16"
#include "math/bf16_lanes.h"

#include <immintrin.h>

static inline Sums multiply_pairs(Sums sums, Words x, Words w)
{
    return (Sums)_mm512_dpbf16_ps((__m512)sums, (__m512bh)x, (__m512bh)w);
}

#include "math/bf16_body.h"
#else
typedef int bf16_avx512bf16_is_empty_here; // ISO C wants at least one declaration
#endif
