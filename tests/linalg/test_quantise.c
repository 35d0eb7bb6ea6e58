// int8 with a scale for each row, and the kernels that read bf16 and int8.
#include "linalg/quantise.h"

#include "math/kernels_cases.h"

#include <float.h>

TEST(by_hand)
{
    // the largest, 63.5, is 127 steps of 0.5; ties go to the even step: 0.25 to 0, 0.75 to 2 steps,
    // 1.25 to 2
    const real row[] = {(real)63.5, (real)-63.5, 0, 1, (real)0.25, (real)0.75, (real)-1.25, 20};
    const int8_t expected[] = {127, -127, 0, 2, 0, 2, -2, 40};
    int8_t steps[8];
    ck_assert_float_eq(quantise_int8(steps, row, 8), 0.5f);
    ck_assert_mem_eq(steps, expected, sizeof expected);
}

TEST(errors_are_at_most_half_a_step)
{
    static const size_t widths[] = {1, 2, 7, 64, 257, 1000};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int exponent = -90; exponent <= 100; exponent += 19) {
            size_t n = widths[w];
            real *row = numbers(n, ldexp(1, exponent), w + 1);
            int8_t *steps = memory_new(n, sizeof *steps);
            ck_assert_ptr_nonnull(steps);
            double scale = (double)quantise_int8(steps, row, n), largest = 0;
            for (size_t i = 0; i < n; i++) {
                double error = fabs((double)row[i] - scale * steps[i]);
                ck_assert_double_le(error, 0.5 * scale * (1 + 1e-4));
                largest = fmax(largest, fabs((double)steps[i]));
            }
            ck_assert_double_eq(largest, INT8_LARGEST); // all of the range is used
            release(row, steps);
        }
}

TEST(edges)
{
    const real zeros[] = {0, (real)-0.0, 0}, small[] = {(real)1e-37, (real)-1e-38};
    const real large[] = {FLT_MAX, -FLT_MAX, FLT_MAX / 2};
    int8_t steps[3];
    ck_assert_float_eq(quantise_int8(steps, zeros, 3), 0);
    ck_assert_mem_eq(steps, ((int8_t[]){0, 0, 0}), 3);
    ck_assert_float_eq(quantise_int8(steps, small, 2), 0);
    ck_assert_mem_eq(steps, ((int8_t[]){0, 0}), 2);
    float scale = quantise_int8(steps, large, 3);
    ck_assert_mem_eq(steps, ((int8_t[]){127, -127, 64}), 3);
    ck_assert(isfinite(scale * 127.0f)); // what is read again is a number
    ck_assert_float_eq(quantise_int8(steps, zeros, 0), 0);
}

TEST(int4)
{
    // an odd number of columns; ties go to the lower step: 10, between 5 and 15, to 5
    const int8_t rows[2][3] = {{127, 0, -6}, {10, 11, -110}},
                 expected[2][3] = {{127, -5, -5}, {5, 15, -127}};
    uint8_t packed[2][2];
    int8_t steps[2][3], in_place[2][3];
    const RoundedRows packed_rows = {.pairs = packed[0], .columns = 3};
    memcpy(in_place, rows, sizeof rows);
    ck_assert_uint_eq(int4_bytes(3), 2);
    int4_pack(packed[0], rows[0], 2, 3);
    int4_pack((uint8_t *)in_place, in_place[0], 2, 3);
    ck_assert_mem_eq(in_place, packed, sizeof packed);
    ck_assert_uint_eq(packed[0][0], 0x7f); // 127 is the sixteenth, −5 the eighth
    for (size_t i = 0; i < 2; i++) rounded_row_steps(steps[i], &packed_rows, i, 0, 3);
    ck_assert_mem_eq(steps, expected, sizeof steps);
    rounded_row_steps(steps[0], &packed_rows, 1, 1, 2); // a part of a row
    ck_assert_mem_eq(steps[0], &expected[1][1], 2);
    memcpy(steps, expected, sizeof steps);
    // what was rounded stays
    int4_pack(packed[0], steps[0], 2, 3);
    for (size_t i = 0; i < 2; i++) rounded_row_steps(steps[i], &packed_rows, i, 0, 3);
    ck_assert_mem_eq(steps, expected, sizeof steps);
}

/* Rounding again what was rounded finds the same scale and steps, for every float as the largest: here for
 * some of each power of two and the floats beside them. */
TEST(rounding_twice)
{
    for (uint32_t i = 0; i < 200000; i++) {
        uint32_t bits = 0x04000000u + (i * 2654435761u) % 0x7b800000u; // 1.5e-36 … FLT_MAX
        float most;
        memcpy(&most, &bits, sizeof most);
        const real row[] = {(real)most, (real)(most / -3), (real)(most / 200)};
        int8_t steps[3], again[3];
        float scale = quantise_int8(steps, row, 3);
        real rounded[3];
        kernels()->from_int8(rounded, steps, (real)scale, 3);
        ck_assert_float_eq(quantise_int8(again, rounded, 3), scale);
        ck_assert_mem_eq(again, steps, 3);
    }
}

// A value is its own upper half again, for all 65,536 but the NaNs.
static void check_bf16(const Kernels *k, size_t n)
{
    uint16_t *halves = memory_new(n, sizeof *halves), *back = memory_new(n, sizeof *back);
    real *values = numbers(n, 1, 1);
    for (size_t first = 0; first < 65536; first += n + 1 + 65536 / (n + 1) / 8) {
        for (size_t i = 0; i < n; i++) halves[i] = (uint16_t)(first + i);
        k->from_bf16(values, halves, n);
        k->to_bf16(back, values, n);
        for (size_t i = 0; i < n; i++) {
            if ((halves[i] & 0x7fffu) > 0x7f80u)
                ck_assert(isnan(values[i]));
            else
                ck_assert_uint_eq(back[i], halves[i]);
        }
    }
    release(halves, back, values);
}

/* bf16 has 8 bits: between 1 and 2 its numbers are 1/128 apart. */
static void check_bf16_rounding(const Kernels *k, size_t n)
{
    const double ulp = 1.0 / 128;
    const double cases[][2] = {
        {1 + 0.5 * ulp, 1},           // a tie to the even below,
        {1 + 1.5 * ulp, 1 + 2 * ulp}, // and above
        {1 + 0.501 * ulp, 1 + ulp},   {-1 - 0.499 * ulp, -1}, {-1 - 1.5 * ulp, -1 - 2 * ulp},
        {2 - 0.25 * ulp, 2}}; // into the next power of two
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        real *values = numbers(n, 1, 1);
        uint16_t *halves = memory_new(n, sizeof *halves);
        for (size_t i = 0; i < n; i++) values[i] = (real)cases[c][0];
        k->to_bf16(halves, values, n);
        k->from_bf16(values, halves, n);
        for (size_t i = 0; i < n; i++) ck_assert_double_eq((double)values[i], cases[c][1]);
        release(values, halves);
    }
}

static void check_int8(const Kernels *k, size_t n)
{
    int8_t *steps = memory_new(n, sizeof *steps);
    real *values = numbers(n, 1, 1);
    const real scale = (real)0.37f;
    for (size_t i = 0; i < n; i++) steps[i] = (int8_t)((int)(i % 256) - 128);
    k->from_int8(values, steps, scale, n);
    for (size_t i = 0; i < n; i++) ck_assert(values[i] == scale * (real)steps[i]);
    release(steps, values);
}

EVERYWHERE(bf16, check_bf16)
EVERYWHERE(bf16_rounding, check_bf16_rounding)
EVERYWHERE(int8, check_int8)
