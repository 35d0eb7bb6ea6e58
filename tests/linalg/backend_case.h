/* What the tests of backends share: a weight packed by a backend, and products against loops. */
#pragma once

#include "linalg/backend/backend.h"
#include "linalg/product.h"
#include "support/draw.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

/* A product's error may be this share of Σ |x·w|: in bf16 both factors are rounded to 8 bits, by at
 * most 2⁻⁸ of themselves each, in int8 by half a step of their rows; in float32 it is the order of
 * the sum. */
static inline double error_share(const Backend *backend)
{
    static const double shares[] = {
        [COMPUTE_FLOAT32] = 1e-5, [COMPUTE_BF16] = 1.01 / 128, [COMPUTE_INT8] = 0.05};
    return shares[backend->type];
}

enum { MAX_BACKENDS = 8 };

// The backend of a looped test that packs and is available, or NULL.
static inline const Backend *packing_backend(int number)
{
    size_t count = 0;
    while (backends[count]) count++;
    ck_assert_uint_le(count, MAX_BACKENDS);
    const Backend *backend = (size_t)number < count ? backends[number] : NULL;
    return backend && backend->pack && backend->available() ? backend : NULL;
}

// Whether it multiplies gradients, too.
static inline bool packs_backward(const Backend *backend)
{
    return backend->packed_bytes(backend, PACKED_BACKWARD, 128, 128) > 0;
}

// A weight and a tensor that no product uses.
typedef struct Subject {
    Weight weight; // (OUT, IN)
    PackedWeights *packed;
} Subject;

enum { OUT = 192, IN = 160, SPLIT = 64 };

static inline void pack(Subject *subject, Arena *arena, const Backend *backend,
                        PackedPurpose purpose, WeightUse use)
{
    const WeightUse uses[] = {use, {0}};
    Matrix values = draw_matrix(arena, use.rows, use.columns, 1, 7);
    assert_ok(packed_weights_new(&subject->packed, uses, 2, backend, purpose, NULL));
    real *places[] = {values.values, NULL};
    for (size_t worker = 0; worker < 3; worker++)
        packed_weights_fill(subject->packed, places, worker, 3);
    subject->weight = packed_weights_get(subject->packed, 0, values);
    ck_assert_ptr_eq(weight_backend(subject->weight), backend);
}

// y (+ before) against loops over a row of x and a row of w, or a column of it.
static inline void expect_product(Matrix y, double before, Matrix x, Matrix w, bool transposed,
                                  double share, const char *name)
{
    for (size_t i = 0; i < y.rows; i++)
        for (size_t j = 0; j < y.columns; j++) {
            double sum = before, size = fabs(before);
            for (size_t k = 0; k < x.columns; k++) {
                double factor = transposed ? matrix_row(w, j)[k] : matrix_row(w, k)[j];
                sum += (double)matrix_row(x, i)[k] * factor;
                size += fabs((double)matrix_row(x, i)[k] * factor);
            }
            double value = matrix_row(y, i)[j];
            ck_assert_msg(fabs(value - sum) <= share * size, "%s (%zu rows) [%zu, %zu]: %g, not %g",
                          name, y.rows, i, j, value, sum);
        }
}

static inline Matrix filled(Arena *arena, size_t rows, size_t columns, real value)
{
    Matrix matrix = draw_zeros(arena, rows, columns + 5);
    for (size_t i = 0; i < rows * (columns + 5); i++) matrix.values[i] = value;
    return matrix_columns(matrix, 2, columns);
}

/* That `picks` (count) of the weight's rows, packed apart, give x (rows, in) the same numbers as
 * the whole weight does. */
static inline void expect_picked(Arena *arena, const Subject *subject, Matrix x,
                                 const int32_t *picks, size_t count)
{
    Matrix all = draw_zeros(arena, x.rows, subject->weight.matrix.rows),
           some = draw_zeros(arena, x.rows, count);
    void *form = arena_take(arena, weight_picked_bytes(subject->weight, count), 1);
    const PackedWeight picked = weight_pick(subject->weight, form, picks, count);
    product_forward(all, x, subject->weight, PRODUCT_SET);
    product_forward(some, x, weight_of_picked(&picked), PRODUCT_SET);
    for (size_t i = 0; i < x.rows; i++)
        for (size_t j = 0; j < count; j++)
            ck_assert(matrix_row(some, i)[j] == matrix_row(all, i)[picks[j]]);
}
