/* Products in int8 for ARM with the matrix extension; the Makefile compiles this file alone with its flags.
 * One instruction multiplies two rows by two columns, eight terms of each. A row alone would waste half
 * of it, and is multiplied as by the dot product extension. */
#include "math/int8.h"

#if defined(__aarch64__) && !defined(REGARD_DOUBLE)
#define INT8_LANES 4
#define INT8_ROWS 6
#define INT8_PANELS 1
#define INT8_EXCESS 0
#define INT8_PAIRS
#define INT8_KERNELS int8_i8mm
#define INT8_NAME "i8mm"
#include "math/int8_body.h"

#include <arm_neon.h>

static inline Lanes multiply_groups(Lanes sums, Lanes x, Lanes w)
{
    return (Lanes)vdotq_s32((int32x4_t)sums, (int8x16_t)w, (int8x16_t)x);
}

// sums (rows, VECTORS · 4) += steps (rows, inner) · groups (inner, VECTORS · 4); how many of `inner`
// are done. A last row without another is multiplied twice.
static inline __attribute__((always_inline)) size_t multiply_pairs(
    Lanes sums[INT8_ROWS][TILE_VECTORS], const int8_t *steps, const char *groups, size_t inner,
    size_t rows)
{
    const size_t terms = 2 * INT8_GROUP, taken = rows > 1 ? inner / terms * terms : 0;
    int32x4_t squares[(INT8_ROWS + 1) / 2][2 * VECTORS] = {0}; // of two rows and two columns
    for (size_t k = 0; k < taken; k += terms) {
        int8x16_t x[(INT8_ROWS + 1) / 2];
#pragma GCC unroll 8
        for (size_t r = 0; r < rows; r += 2) {
            const int8_t *row = steps + r * inner + k;
            x[r / 2] = vcombine_s8(vld1_s8(row), vld1_s8(r + 1 < rows ? row + inner : row));
        }
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++) {
            const char *group = groups + k * INT8_PANEL + v * sizeof(Lanes);
            int32x4_t a = (int32x4_t)load_lanes(group);
            int32x4_t b = (int32x4_t)load_lanes(group + INT8_GROUP * INT8_PANEL);
            int8x16_t first = (int8x16_t)vzip1q_s32(a, b), second = (int8x16_t)vzip2q_s32(a, b);
#pragma GCC unroll 8
            for (size_t r = 0; r < rows; r += 2) {
                int32x4_t *square = &squares[r / 2][2 * v];
                square[0] = vmmlaq_s32(square[0], x[r / 2], first);
                square[1] = vmmlaq_s32(square[1], x[r / 2], second);
            }
        }
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++) {
            int64x2_t first = (int64x2_t)squares[r / 2][2 * v];
            int64x2_t second = (int64x2_t)squares[r / 2][2 * v + 1];
            sums[r][v] += (Lanes)(r % 2 ? vzip2q_s64(first, second) : vzip1q_s64(first, second));
        }
    return taken;
}
#endif
