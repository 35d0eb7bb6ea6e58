// How oneDNN is told of a product and its factors, and what it answers.
#ifndef REGARD_LINALG_BACKEND_ONEDNN_DESCRIPTORS_H
#define REGARD_LINALG_BACKEND_ONEDNN_DESCRIPTORS_H

#include "linalg/backend/onednn_primitives.h"

// What the factors are rounded to.
dnnl_data_type_t onednn_type(const Product *product);

// The right factor as it is in our memory, of this type. All functions: false if it fails.
bool onednn_describe_right(dnnl_memory_desc_t *descriptor, const Product *product,
                           dnnl_data_type_t type);

// The product with its right factor laid out so; the caller destroys it.
bool onednn_describe_product(dnnl_primitive_desc_t *described, dnnl_engine_t engine,
                             const Product *product, const dnnl_memory_desc_t *right);

// Whether oneDNN has only its reference loops for it, which are thousands of times slower.
bool onednn_is_reference(const_dnnl_primitive_desc_t described);

/* The blocked layout oneDNN chooses for a right factor. Its choice depends on the number of rows,
 * but one packed weight serves all of them: so it is always made for 64. */
bool onednn_describe_blocked(dnnl_memory_desc_t *blocked, dnnl_engine_t engine,
                             const Product *product);

/* Whether the blocked right factor `part`, of part_columns columns from a multiple of a block's
 * width on, is a piece of the `whole`, of `columns`. */
bool onednn_is_piece(const dnnl_memory_desc_t *whole, const dnnl_memory_desc_t *part,
                     uint32_t columns, uint32_t part_columns);

// The pairs of a right factor's layout; width 0 if it is another layout.
Pairs onednn_pairs_of(const dnnl_memory_desc_t *right);

enum { MAX_PAIRS_WIDTH = 64 }; // that oneDNN chooses

#endif
