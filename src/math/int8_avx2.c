/* Products in int8 for AVX2; the Makefile compiles this file alone with its flags. */
#include "math/int8.h"

#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
#define INT8_LANES 8
#define INT8_ROWS 4
#define INT8_PANELS 1
#define INT8_EXCESS 0
#define INT8_KERNELS int8_avx2
#define INT8_NAME "avx2"
#include "math/int8_body.h"

#include <immintrin.h>

/* vpmaddubsw multiplies unsigned by signed bytes and saturates the sums of two products at 2¹⁵ − 1.
 * |w| · (x with the sign of w) is the same product, and two of them are at most 2 · 127² = 32,258. */
static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w)
{
    __m256i pairs =
        _mm256_maddubs_epi16(_mm256_abs_epi8((__m256i)w), _mm256_sign_epi8((__m256i)x, (__m256i)w));
    return sums + (Lanes)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}
#endif
