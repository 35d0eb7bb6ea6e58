#include "linalg/backend/bf16_layout.h"

#include "math/kernels.h"

void bf16_layout_put_rows(uint32_t *out, Matrix x, Bf16Layout layout)
{
    const Kernels *k = kernels();
    size_t block = layout.inner / 2 * layout.width;
    for (size_t pair = 0; pair < layout.inner / 2; pair++) {
        const real *low = 2 * pair < x.rows ? matrix_row(x, 2 * pair) : NULL;
        const real *high = 2 * pair + 1 < x.rows ? matrix_row(x, 2 * pair + 1) : NULL;
        uint32_t *to = out + pair * layout.width;
        for (size_t first = 0; first < x.columns; first += layout.width, to += block) {
            size_t n = x.columns - first < layout.width ? x.columns - first : layout.width;
            if (low)
                k->to_bf16_pairs(to, low + first, high ? high + first : NULL, n);
            else
                memset(to, 0, n * sizeof *to);
            memset(to + n, 0, (layout.width - n) * sizeof *to);
        }
    }
}

void bf16_layout_put_columns(uint32_t *out, Matrix w, Bf16Layout layout)
{
    const Kernels *k = kernels();
    size_t block = layout.inner / 2 * layout.width;
    size_t blocks = (w.rows + layout.width - 1) / layout.width;
    if (w.columns < layout.inner || w.rows % layout.width)
        memset(out, 0, blocks * block * sizeof *out);
    for (size_t row = 0, rows; row < w.rows; row += rows) {
        // a block holds a multiple of them
        rows = w.rows - row < KERNELS_PAIRED_ROWS ? w.rows - row : KERNELS_PAIRED_ROWS;
        k->to_bf16_column_pairs(out + row / layout.width * block + row % layout.width, layout.width,
                                matrix_row(w, row), w.stride, rows, w.columns);
    }
}
