#include "linalg/gemm.h"

#include "linalg/backend/onednn.h"
#include "math/elementary.h"
#include "math/kernels.h"

#include <assert.h>
#include <cblas.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

Matrix matrix_of(real *values, size_t rows, size_t columns)
{
    return (Matrix){.values = values, .rows = rows, .columns = columns, .stride = columns};
}

Matrix matrix_columns(Matrix matrix, size_t first, size_t count)
{
    assert(first + count <= matrix.columns);
    assert(!matrix.untouched);
    return (Matrix){.values = matrix.values + first,
                    .rows = matrix.rows,
                    .columns = count,
                    .stride = matrix.stride,
                    .packed = packed_columns(matrix.packed, first, count)};
}

Matrix matrix_rows(Matrix matrix, size_t first, size_t count)
{
    assert(first + count <= matrix.rows);
    assert(!matrix.untouched);
    return (Matrix){.values = matrix.values + first * matrix.stride,
                    .rows = count,
                    .columns = matrix.columns,
                    .stride = matrix.stride,
                    .packed = packed_rows(matrix.packed, first, count)};
}

void matrix_clear_rest(Matrix matrix, size_t rows)
{
    for (size_t i = matrix.rows; i < rows; i++)
        memset(matrix_row(matrix, i), 0, matrix.columns * sizeof *matrix.values);
}

/* c (m, n) = a' · b' (+ c); sizes are bounded where they enter the program (model/config.h), so
 * they fit BLAS's int */
static void multiply(enum CBLAS_TRANSPOSE transpose_a, enum CBLAS_TRANSPOSE transpose_b, Matrix c,
                     Matrix a, Matrix b, size_t inner, GemmSum sum)
{
    if (c.rows == 0 || c.columns == 0) return;
    int m = (int)c.rows, n = (int)c.columns, k = (int)inner;
    int lda = (int)a.stride, ldb = (int)b.stride, ldc = (int)c.stride;
    real beta = sum == GEMM_ADD ? 1 : 0;
#ifdef REGARD_DOUBLE
    cblas_dgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, 1, a.values, lda, b.values, ldb,
                beta, c.values, ldc);
#else
    cblas_sgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, 1, a.values, lda, b.values, ldb,
                beta, c.values, ldc);
#endif
}

/* y = x · wᵀ for few outputs, with the same bits for a row whatever the others are. */
static void multiply_few(Matrix y, Matrix x, Matrix w, GemmSum sum)
{
    const Kernels *k = kernels();
    for (size_t i = 0; i < y.rows; i++)
        for (size_t j = 0; j < y.columns; j++) {
            real *result = matrix_row(y, i) + j;
            real product = k->dot(matrix_row(x, i), matrix_row(w, j), x.columns);
            *result = sum == GEMM_ADD ? *result + product : product;
        }
}

void gemm_forward(Matrix y, Matrix x, Matrix w, GemmSum sum)
{
    assert(y.rows == x.rows && y.columns == w.rows && x.columns == w.columns);
    if (y.columns < GEMM_FEW_OUTPUTS) {
        multiply_few(y, x, w, sum);
        return;
    }
    if (w.packed && w.packed->forward && onednn_multiply(y, x, w.packed, PACKED_FORWARD, sum))
        return;
    multiply(CblasNoTrans, CblasTrans, y, x, w, x.columns, sum);
}

/* Products of a dy that is known in bf16 alone, which OpenBLAS cannot read: for when oneDNN has no
 * memory left. */
static void input_by_loops(Matrix dx, Matrix dy, Matrix w, GemmSum sum)
{
    for (size_t i = 0; i < dy.rows; i++) {
        if (sum == GEMM_SET) memset(matrix_row(dx, i), 0, dx.columns * sizeof *dx.values);
        for (size_t j = 0; j < dy.columns; j++)
            kernels()->add_scaled(matrix_row(dx, i), real_of_bf16(dy.bf16[i * dy.columns + j]),
                                  matrix_row(w, j), w.columns);
    }
}

static void weight_by_loops(Matrix dw, Matrix dy, Matrix x, GemmSum sum)
{
    for (size_t j = 0; j < dw.rows; j++) {
        if (sum == GEMM_SET) memset(matrix_row(dw, j), 0, dw.columns * sizeof *dw.values);
        for (size_t i = 0; i < dy.rows; i++)
            kernels()->add_scaled(matrix_row(dw, j), real_of_bf16(dy.bf16[i * dy.columns + j]),
                                  matrix_row(x, i), x.columns);
    }
}

void gemm_backward_input(Matrix dx, Matrix dy, Matrix w, GemmSum sum)
{
    assert(dx.rows == dy.rows && dy.columns == w.rows && dx.columns == w.columns);
    if (w.packed && w.packed->backward && onednn_multiply(dx, dy, w.packed, PACKED_BACKWARD, sum))
        return;
    if (!dy.values)
        input_by_loops(dx, dy, w, sum);
    else
        multiply(CblasNoTrans, CblasNoTrans, dx, dy, w, dy.columns, sum);
}

GemmSum gemm_into(Matrix dw)
{
    if (!dw.untouched || !*dw.untouched) return GEMM_ADD;
    *dw.untouched = false;
    return GEMM_SET;
}

void gemm_touch(Matrix dw)
{
    if (gemm_into(dw) == GEMM_ADD) return;
    for (size_t i = 0; i < dw.rows; i++)
        memset(matrix_row(dw, i), 0, dw.columns * sizeof *dw.values);
}

void gemm_weight_block(Matrix dw, size_t first, GemmSum sum, Matrix dy, Matrix x)
{
    assert(first + dy.columns <= dw.rows && dw.columns == x.columns && dy.rows == x.rows);
    if (x.rows == 0) return;
    dw.values = matrix_row(dw, first);
    dw.rows = dy.columns;
    if (dw.packed && onednn_multiply_weight(dw, sum, dy, x, dw.packed->precision)) return;
    if (!dy.values)
        weight_by_loops(dw, dy, x, sum);
    else
        multiply(CblasTrans, CblasNoTrans, dw, dy, x, x.rows, sum);
}

size_t gemm_right_room(size_t rows, size_t columns)
{
    return onednn_right_room(rows, columns);
}

void gemm_right_ready(Matrix *x, uint16_t *room)
{
    x->right = x->rows && onednn_right_ready(room, *x) ? room : NULL;
}

void gemm_backward_weight(Matrix dw, Matrix dy, Matrix x)
{
    assert(dw.rows == dy.columns);
    if (x.rows > 0) gemm_weight_block(dw, 0, gemm_into(dw), dy, x);
}

static void start_once(void)
{
    openblas_set_num_threads(1);
}

void gemm_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_once);
}

// OpenBLAS's own, which it calls before a fork; its header does not name it. Other BLAS libraries lack it.
int blas_thread_shutdown_(void) __attribute__((weak));

void gemm_start_alone(void)
{
    gemm_start();
    if (blas_thread_shutdown_) blas_thread_shutdown_();
}

size_t gemm_row_multiple(void)
{
    return 24;
}

bool gemm_rows_exact(void)
{
    const char *core = openblas_get_corename();
    return !strcmp(core, "SkylakeX") || !strcmp(core, "Cooperlake") ||
           !strcmp(core, "SapphireRapids");
}

void gemm_describe(char *text, size_t size)
{
    // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH … SkylakeX MAX_THREADS=64": the first two words say
    // enough
    const char *config = openblas_get_config();
    const char *space = strchr(config, ' ');
    const char *end = space ? strchr(space + 1, ' ') : NULL;
    size_t length = end ? (size_t)(end - config) : strlen(config);
    snprintf(text, size, "%.*s %s", (int)length, config, openblas_get_corename());
}
