/* A right factor in bf16 as AMX reads it: in pairs. Of a factor (inner, columns), blocks of `width`
 * columns stand one behind the other; within a block, for two rows k and k + 1, the two numbers of a
 * column stand side by side: that is what one tile instruction multiplies and adds. oneDNN chooses the
 * layout and can make it ("BA16a64b2a"); these two functions take less time. */
#ifndef REGARD_LINALG_BACKEND_ONEDNN_PAIRS_H
#define REGARD_LINALG_BACKEND_ONEDNN_PAIRS_H

#include "linalg/matrix.h"

#include <dnnl.h>

typedef struct Pairs {
    size_t width; // columns of a block; 0: the layout is another
    size_t inner; // rows, rounded up to what the layout has
} Pairs;

enum { MAX_PAIRS_WIDTH = 64 }; // that oneDNN chooses

// Whether and how oneDNN's layout of a right factor is one in pairs.
Pairs pairs_of(const dnnl_memory_desc_t *right);

// Lays out x (inner or fewer, columns), with zeros behind its rows.
void pairs_from_rows(uint32_t *out, Matrix x, Pairs pairs);

// Lays out the transpose of w (columns, inner or fewer).
void pairs_from_columns(uint32_t *out, Matrix w, Pairs pairs);

#endif
