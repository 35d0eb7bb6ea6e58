#include "linalg/backend/bf16_layout.h"

#include "math/bf16.h"
#include "math/kernels.h"

void bf16_layout_put_rows(uint32_t *out, Matrix x, Bf16Layout layout)
{
    const size_t pairs = layout.inner / 2, words = pairs * layout.width;
    for (size_t first = 0; first < x.columns; first += layout.width, out += words) {
        size_t n = x.columns - first < layout.width ? x.columns - first : layout.width;
        uint32_t *to = out;
        if (n < layout.width || (x.rows + 1) / 2 < pairs) memset(out, 0, words * sizeof *out);
        for (size_t i = 0; i < x.rows; i += 2, to += layout.width) {
            const real *low = matrix_row(x, i) + first;
            bf16_kernels()->round_pairs(to, low, i + 1 < x.rows ? low + x.stride : NULL, n);
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
