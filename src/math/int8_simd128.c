/* Products in int8 for WebAssembly's 128-bit lanes. Nothing of relaxed SIMD, whose results differ between processors. */
#include "math/int8.h"

#if defined(__wasm_simd128__) && !defined(REGARD_DOUBLE)
#define INT8_LANES 4
#define INT8_ROWS 5
#define INT8_PANELS 1
#define INT8_EXCESS 0
#define INT8_KERNELS int8_simd128
#define INT8_NAME "simd128"
#include "math/int8_body.h"

#include <wasm_simd128.h>

/* The even and the odd bytes of all four lanes, each widened to 16 bits, are what dot_i16x8 multiplies and adds by pairs.
 * Shifts widen them: engines have one instruction for a shift and several for a shuffle. What is done to x and to w alone
 * is done once for all columns and all rows of a tile. */
static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w)
{
    v128_t even = wasm_i32x4_dot_i16x8(wasm_i16x8_shr(wasm_i16x8_shl((v128_t)x, 8), 8),
                                       wasm_i16x8_shr(wasm_i16x8_shl((v128_t)w, 8), 8));
    v128_t odd = wasm_i32x4_dot_i16x8(wasm_i16x8_shr((v128_t)x, 8), wasm_i16x8_shr((v128_t)w, 8));
    return sums + (Lanes)even + (Lanes)odd;
}
#endif
