/* The one door to matrix products: every product of two matrices in Regard goes through the
 * functions below. OpenBLAS multiplies; a parameter that has been packed (linalg/packed.h), in float32 or
 * bf16, is multiplied by oneDNN, and so is its gradient.
 *
 * A Matrix is a view: row-major, `stride` elements from one row to the next, so that columns of a
 * wider matrix are a Matrix too. Shapes are checked by assertions; nothing here can fail. Both run
 * on the caller's thread alone: threads belong to the caller (base/threads.h). */
#ifndef REGARD_LINALG_GEMM_H
#define REGARD_LINALG_GEMM_H

#include "math/real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct PackedWeight PackedWeight; // linalg/packed.h

typedef struct Matrix {
    real *values; // not owned
    size_t rows;
    size_t columns;
    size_t stride;              // ≥ columns
    const PackedWeight *packed; // of a parameter: the form it is multiplied in; NULL: as it is
    bool
        *untouched; // of a gradient: nothing was added since it was cleared, its values are not yet
                    // 0; NULL: they are
    const uint16_t *bf16; // the values in bf16, row behind row; if values is NULL they are known
                          // only so, as dy of the two backward products may be; NULL: not
    // of a weight gradient's x: the values as gemm_right_ready laid them out; NULL: it did not
    const uint16_t *right;
    bool padded; // rows stand one behind the other, and zeros behind them up to a multiple of
                 // GEMM_ROWS_PADDED rows
} Matrix;

enum { GEMM_ROWS_PADDED = 64 };

// A dense (rows, columns) view.
Matrix matrix_of(real *values, size_t rows, size_t columns);

// `count` columns of a matrix from `first` on.
Matrix matrix_columns(Matrix matrix, size_t first, size_t count);

// `count` rows of a matrix from `first` on.
Matrix matrix_rows(Matrix matrix, size_t first, size_t count);

// The same matrix with another number of rows, which its memory must have.
static inline Matrix matrix_with_rows(Matrix matrix, size_t rows)
{
    matrix.rows = rows;
    return matrix;
}

/* Sets the rows behind a matrix to zero, until there are `rows`, which its memory must have. Products over rounded rows read
 * them; nobody uses what comes of it, but what happens to lie in memory may be denormal numbers, which take fifty times as
 * long. */
void matrix_clear_rest(Matrix matrix, size_t rows);

static inline real *matrix_row(Matrix matrix, size_t row)
{
    return matrix.values + row * matrix.stride;
}

typedef enum GemmSum { GEMM_SET, GEMM_ADD } GemmSum; // y = …, or y += …

/* y (n, out) = x (n, in) · wᵀ, with w (out, in): a linear layer forward. */
void gemm_forward(Matrix y, Matrix x, Matrix w, GemmSum sum);

/* dx (n, in) = dy (n, out) · w: its gradient for the input. */
void gemm_backward_input(Matrix dx, Matrix dy, Matrix w, GemmSum sum);

/* dw (out, in) += dyᵀ · x, with dy (n, out) and x (n, in): its gradient for the weight. Gradients
 * accumulate; the first product of an untouched one sets it, which saves clearing and reading it. */
void gemm_backward_weight(Matrix dw, Matrix dy, Matrix x);

// Sets an untouched gradient to 0, for those who add to it otherwise.
void gemm_touch(Matrix dw);

/* The same product for those who make a gradient in blocks of its rows: gemm_into says for all of them
 * how they go into the whole, which then counts as touched, and gemm_weight_block makes one, of
 * dy.columns rows from `first` on. */
GemmSum gemm_into(Matrix dw);
void gemm_weight_block(Matrix dw, size_t first, GemmSum sum, Matrix dy, Matrix x);

/* Lays x (n, in) out as products in bf16 read it, once for all blocks, in a room of
 * gemm_right_room(n, in) numbers. Products find it by x->right, which stays NULL where they read x
 * itself. */
size_t gemm_right_room(size_t rows, size_t columns);
void gemm_right_ready(Matrix *x, uint16_t *room);

/* Sets up BLAS for the process: one thread. Call it before anything else here; any number of times,
 * from any thread. */
void gemm_start(void);

/* The same for a program in which nobody else uses OpenBLAS: also ends the threads that it started when it was loaded. They
 * would look for work during the first tenth of a second, on processors that have some. No other thread may run yet. */
void gemm_start_alone(void);

/* A row of gemm_forward's y has the same bits for any number of rows in the product if that number is rounded up to a
 * multiple of gemm_row_multiple(): so decoding pads its rows, and a sentence's translation does not depend on its batch.
 * Measured for OpenBLAS's AVX-512 kernels (24 rows; tests/linalg/test_gemm.c measures it again); where gemm_rows_exact()
 * is false no such number is known and results may differ in the last bits. Packed weights have a row_multiple of their own
 * (linalg/packed.h).
 *
 * OpenBLAS multiplies results of up to 1200 numbers in another way than larger ones, so that below 51 outputs 24 rows and
 * 48 would differ, and oneDNN in bf16 does so below 4 outputs: so few outputs are computed here, a dot product each, packed
 * or not. Only tiny models have them. */
enum { GEMM_FEW_OUTPUTS = 51 };
size_t gemm_row_multiple(void);
bool gemm_rows_exact(void);

// What multiplies, for `regard info` and the logs: "OpenBLAS 0.3.21 SkylakeX".
void gemm_describe(char *text, size_t size);

#endif
