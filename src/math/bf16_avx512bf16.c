/* Products in bf16 for AVX-512 with BF16; the Makefile compiles this file alone with its flags. */
#include "math/bf16.h"

#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
#define BF16_LANES 16
#define BF16_KERNELS bf16_avx512bf16
#define BF16_NAME "avx512bf16"
#include "math/bf16_body.h"

#include <immintrin.h>

static inline Sums multiply_pairs(Sums sums, Words x, Words w)
{
    return (Sums)_mm512_dpbf16_ps((__m512)sums, (__m512bh)x, (__m512bh)w);
}

static inline Words round_both(Sums first, Sums second)
{
    return (Words)_mm512_cvtne2ps_pbh((__m512)second, (__m512)first);
}

static inline Words round_beside(Sums low, Sums high)
{
    // the lower half of a word is a number of low, the upper one of high, 16 numbers further on
    const Words lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const __m512i order = (__m512i)(lanes | (lanes + BF16_LANES) << 16);
    return (Words)_mm512_permutexvar_epi16(order, (__m512i)round_both(low, high));
}
#endif
