/* A right factor in bf16 as processors read it: in pairs. A factor (inner, columns) is stored in
 * blocks of `width` columns; within a block the two numbers that rows k and k + 1 have in a column
 * are adjacent, since one instruction (TDPBF16PS of AMX, VDPBF16PS of AVX-512) multiplies both and
 * adds the products. For AMX it is oneDNN that chooses the width; it can also lay out a factor
 * itself ("BA16a64b2a"), but these two functions are faster. Our own kernels' width is BF16_PANEL
 * (math/bf16.h). */
#pragma once

#include "linalg/matrix.h"

typedef struct Bf16Layout {
    size_t width; // columns of a block; 0: the layout is another
    size_t inner; // rows, rounded up to what the layout has
} Bf16Layout;

// Lays out x (inner or fewer, columns), with zeros for missing rows.
void bf16_layout_put_rows(uint32_t *out, Matrix x, Bf16Layout layout);

// Lays out the transpose of w (columns, inner or fewer).
void bf16_layout_put_columns(uint32_t *out, Matrix w, Bf16Layout layout);
