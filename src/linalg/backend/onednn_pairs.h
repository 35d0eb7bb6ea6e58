/* A right factor in bf16 as AMX reads it: in pairs. A factor (inner, columns) is stored in
 * blocks of `width` columns; within a block the two numbers that rows k and k + 1 have in a
 * column are adjacent, since a tile instruction (TDPBF16PS) multiplies and adds them together.
 * oneDNN chooses the layout and can make it ("BA16a64b2a"); these two functions are faster. */
#ifndef REGARD_LINALG_BACKEND_ONEDNN_PAIRS_H
#define REGARD_LINALG_BACKEND_ONEDNN_PAIRS_H

#include "linalg/matrix.h"

#include <dnnl.h>

typedef struct Pairs {
    size_t width; // columns of a block; 0: the layout is another
    size_t inner; // rows, rounded up to what the layout has
} Pairs;

enum { MAX_PAIRS_WIDTH = 64 }; // that oneDNN chooses

// The pairs of a right factor's layout; width 0 if it is another layout.
Pairs pairs_of(const dnnl_memory_desc_t *right);

// Lays out x (inner or fewer, columns), with zeros for missing rows.
void pairs_from_rows(uint32_t *out, Matrix x, Pairs pairs);

// Lays out the transpose of w (columns, inner or fewer).
void pairs_from_columns(uint32_t *out, Matrix w, Pairs pairs);

#endif
