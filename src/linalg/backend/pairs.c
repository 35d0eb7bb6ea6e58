#include "linalg/backend/pairs.h"

#include "math/kernels.h"

#include <string.h>

void pairs_from_rows(uint32_t *out, Matrix x, Pairs pairs)
{
    const Kernels *k = kernels();
    size_t block = pairs.inner / 2 * pairs.width;
    for (size_t pair = 0; pair < pairs.inner / 2; pair++) {
        const real *low = 2 * pair < x.rows ? matrix_row(x, 2 * pair) : NULL;
        const real *high = 2 * pair + 1 < x.rows ? matrix_row(x, 2 * pair + 1) : NULL;
        uint32_t *to = out + pair * pairs.width;
        for (size_t first = 0; first < x.columns; first += pairs.width, to += block) {
            size_t n = x.columns - first < pairs.width ? x.columns - first : pairs.width;
            if (low)
                k->to_bf16_pairs(to, low + first, high ? high + first : NULL, n);
            else
                memset(to, 0, n * sizeof *to);
            memset(to + n, 0, (pairs.width - n) * sizeof *to);
        }
    }
}

enum { TOGETHER = 16 };

void pairs_from_columns(uint32_t *out, Matrix w, Pairs pairs)
{
    const Kernels *k = kernels();
    size_t block = pairs.inner / 2 * pairs.width;
    size_t blocks = (w.rows + pairs.width - 1) / pairs.width;
    if (w.columns < pairs.inner || w.rows % pairs.width)
        memset(out, 0, blocks * block * sizeof *out);
    for (size_t row = 0, rows; row < w.rows; row += rows) {
        rows =
            w.rows - row < TOGETHER ? w.rows - row : TOGETHER; // a block holds a multiple of them
        k->to_bf16_column_pairs(out + row / pairs.width * block + row % pairs.width, pairs.width,
                                matrix_row(w, row), w.stride, rows, w.columns);
    }
}
