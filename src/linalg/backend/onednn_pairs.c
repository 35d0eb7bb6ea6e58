#include "linalg/backend/onednn_pairs.h"

#include "math/kernels.h"

#include <string.h>

Pairs pairs_of(const dnnl_memory_desc_t *right)
{
    const dnnl_blocking_desc_t *blocking = &right->format_desc.blocking;
    Pairs none = {0, 0};
    if (right->data_type != dnnl_bf16 || right->format_kind != dnnl_blocked || right->ndims != 2 ||
        blocking->inner_nblks != 3)
        return none;
    // blocks of columns outermost, then of 32 rows: 16 pairs · width columns · 2 rows of a pair
    const dnnl_dim_t *sizes = blocking->inner_blks, *dimensions = blocking->inner_idxs;
    dnnl_dim_t width = sizes[1], inner = right->padded_dims[0];
    bool in_pairs = sizes[0] == 16 && sizes[2] == 2 && dimensions[0] == 0 && dimensions[1] == 1 &&
                    dimensions[2] == 0 && width <= MAX_PAIRS_WIDTH && inner % 32 == 0 &&
                    blocking->strides[0] == 32 * width && blocking->strides[1] == inner * width;
    return in_pairs ? (Pairs){(size_t)width, (size_t)inner} : none;
}

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
