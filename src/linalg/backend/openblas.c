#include "linalg/backend/openblas.h"

#include "linalg/backend/backend.h"
#include "linalg/backend/openblas_library.h"
#include "math/elementary.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// model/config.h bounds all sizes, so they fit BLAS's int.
void openblas_multiply(Matrix c, Matrix a, bool a_transposed, Matrix b, bool b_transposed,
                       ProductSum sum)
{
    if (c.rows == 0 || c.columns == 0) return;
    const OpenblasLibrary *library = openblas_library();
    assert(library); // backends_start reports its absence
    int m = (int)c.rows, n = (int)c.columns, k = (int)(a_transposed ? a.rows : a.columns);
    int lda = (int)a.stride, ldb = (int)b.stride, ldc = (int)c.stride;
    enum CBLAS_TRANSPOSE transpose_a = a_transposed ? CblasTrans : CblasNoTrans;
    enum CBLAS_TRANSPOSE transpose_b = b_transposed ? CblasTrans : CblasNoTrans;
    real beta = sum == PRODUCT_ADD ? 1 : 0;
#ifdef REGARD_DOUBLE
    library->dgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, 1, a.values, lda, b.values,
                   ldb, beta, c.values, ldc);
#else
    library->sgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, 1, a.values, lda, b.values,
                   ldb, beta, c.values, ldc);
#endif
}

static bool forward(Matrix y, const Operand *x, Weight w, ProductSum sum)
{
    openblas_multiply(y, x->matrix, false, w.matrix, true, sum);
    return true;
}

/* A dy that is known in bf16 alone, which OpenBLAS cannot read, gets here only when a backend
 * has no memory left: the two products of it are loops. */
static void input_by_loops(Matrix dx, const Operand *dy, Matrix w, ProductSum sum)
{
    size_t out = dy->matrix.columns;
    for (size_t i = 0; i < dx.rows; i++) {
        if (sum == PRODUCT_SET) memset(matrix_row(dx, i), 0, dx.columns * sizeof *dx.values);
        for (size_t j = 0; j < out; j++)
            kernels()->add_scaled(matrix_row(dx, i), real_of_bf16(dy->bf16[i * out + j]),
                                  matrix_row(w, j), w.columns);
    }
}

static void weight_by_loops(Matrix dw, const Operand *dy, Matrix x, ProductSum sum)
{
    for (size_t j = 0; j < dw.rows; j++) {
        if (sum == PRODUCT_SET) memset(matrix_row(dw, j), 0, dw.columns * sizeof *dw.values);
        for (size_t i = 0; i < x.rows; i++)
            kernels()->add_scaled(matrix_row(dw, j), real_of_bf16(dy->bf16[i * dw.rows + j]),
                                  matrix_row(x, i), x.columns);
    }
}

static bool backward_input(Matrix dx, const Operand *dy, Weight w, ProductSum sum)
{
    if (dy->matrix.values)
        openblas_multiply(dx, dy->matrix, false, w.matrix, false, sum);
    else
        input_by_loops(dx, dy, w.matrix, sum);
    return true;
}

static bool backward_weight(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum)
{
    if (dy->matrix.values)
        openblas_multiply(dw, dy->matrix, true, x->matrix, false, sum);
    else
        weight_by_loops(dw, dy, x->matrix, sum);
    return true;
}

static bool available(void)
{
    return true;
}

static bool rows_exact(void)
{
    const OpenblasLibrary *library = openblas_library();
    const char *core = library ? library->core() : "";
    return !strcmp(core, "SkylakeX") || !strcmp(core, "Cooperlake") ||
           !strcmp(core, "SapphireRapids");
}

static void describe(char *text, size_t size)
{
    const OpenblasLibrary *library = openblas_library();
    assert(library);
    // of "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH … SkylakeX MAX_THREADS=64" the first two words
    const char *config = library->config();
    const char *space = strchr(config, ' ');
    const char *end = space ? strchr(space + 1, ' ') : NULL;
    size_t length = end ? (size_t)(end - config) : strlen(config);
    snprintf(text, size, "%.*s %s", (int)length, config, library->core());
}

Status backends_start(size_t threads, Error *error)
{
    return openblas_library_start(threads, error);
}

const Backend backend_openblas = {
    .name = "openblas_float32",
    .title = "OpenBLAS float32",
    .type = COMPUTE_FLOAT32,
    .available = available,
    .chosen_for = backend_for_any,
    .row_multiple = 24, // measured for its AVX-512 kernels; for others no number is known
    .rows_exact = rows_exact,
    .describe = describe,
    .forward = forward,
    .backward_input = backward_input,
    .backward_weight = backward_weight,
};
