/* Products in int8 for WebAssembly's 128-bit lanes. Nothing of relaxed SIMD, whose results differ between processors. */
#include "math/int8.h"

#if defined(__wasm_simd128__) && !defined(REGARD_DOUBLE)
#define INT8_LANES 4
#define INT8_ROWS 2
#define INT8_PANELS 1
#define INT8_EXCESS 0
#define INT8_KERNELS int8_simd128
#define INT8_NAME "simd128"
#include "math/int8_body.h"

#include <wasm_simd128.h>

/* Bytes 0 and 1 of all four lanes, then bytes 2 and 3: each half, widened to 16 bits, is what dot_i16x8 multiplies and
 * adds by pairs. What is done to x and to w alone is done once for all columns and all rows of a tile. */
static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w)
{
    v128_t a = wasm_i16x8_shuffle((v128_t)x, (v128_t)x, 0, 2, 4, 6, 1, 3, 5, 7);
    v128_t b = wasm_i16x8_shuffle((v128_t)w, (v128_t)w, 0, 2, 4, 6, 1, 3, 5, 7);
    sums +=
        (Lanes)wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(a), wasm_i16x8_extend_low_i8x16(b));
    return sums + (Lanes)wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(a),
                                              wasm_i16x8_extend_high_i8x16(b));
}
#endif
