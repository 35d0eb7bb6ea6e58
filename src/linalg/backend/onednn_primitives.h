/* oneDNN's primitives: code compiled for one product, that is for its sizes, strides and layout
 * of the right factor. Each thread keeps those it has used. */
#pragma once

#include "linalg/backend/backend.h"
#include "linalg/backend/bf16_layout.h"

#include <dnnl.h>

// How the right factor (inner, columns) is stored.
typedef enum FactorLayout {
    FACTOR_PLAIN,      // row by row
    FACTOR_TRANSPOSED, // (columns, inner), row by row
    FACTOR_BLOCKED     // in oneDNN's blocks
} FactorLayout;

/* result (rows, columns), float32 = left (rows, inner) · right (inner, columns), or added to it.
 * Strides are in elements. Products are compared byte by byte, so unused members are 0. */
typedef struct Product {
    uint32_t type; // ComputeType
    uint32_t rows, inner, columns;
    uint32_t left_transposed; // left is stored (inner, rows)
    uint32_t left_stride;
    uint32_t right; // FactorLayout
    uint32_t right_stride;
    uint32_t result_stride;
    uint32_t add;
    uint32_t reorder; // not a product: `right` laid out in blocks
} Product;

enum { MAX_LAYOUT_WIDTH = 64 }; // that oneDNN chooses

typedef struct Primitives Primitives;

// The calling thread's; NULL if there is no memory. Ends with the thread.
Primitives *primitives_of_thread(void);

bool primitives_multiply(Primitives *primitives, Product product, const void *left,
                         const void *right, float *result);

// Bytes of the right factor of a product in blocks, 0 if it fails.
size_t primitives_blocked_bytes(Primitives *primitives, Product product);

/* Whether the blocked right factor of `part`, some columns of that of `whole` from a multiple of a
 * block's width on, is a piece of the latter. */
bool primitives_is_piece(Primitives *primitives, Product whole, Product part);

// Lays out the float32 right factor of a product, or what it is the transpose of, in blocks.
bool primitives_reorder(Primitives *primitives, Product product, Matrix right, void *blocked);

// The layout of the right factor of a product, if it is in pairs (linalg/backend/bf16_layout.h).
Bf16Layout primitives_right_layout(Primitives *primitives, Product product);
