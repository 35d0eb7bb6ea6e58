/* What oneDNN's two backends share: products with packed weights, computed by primitives of the
 * calling thread (linalg/backend/onednn_primitives.h).
 *
 * oneDNN 2.x is optional, found at build time. Everything it needs (its engine, compiled
 * primitives, converted factors) belongs to the calling thread and ends with it. */
#pragma once

#include "linalg/backend/backend.h"
#include "linalg/backend/onednn_primitives.h"

void onednn_describe(char *text, size_t size);

// And REGARD_ISA allows our kernels in bf16, which lay out factors.
bool onednn_has_amx(void);

// Entries of the table for both; the type is the backend's.
size_t onednn_packed_bytes(const Backend *backend, PackedUse use, size_t out, size_t in);
size_t onednn_packed_block_bytes(const Backend *backend, size_t out, size_t in, size_t block);
bool onednn_pack(const PackedWeight *weight, void *form, PackedUse use, Matrix rows);
bool onednn_forward(Matrix y, const Operand *x, Weight w, ProductSum sum);
bool onednn_backward_input(Matrix dx, const Operand *dy, Weight w, ProductSum sum);

// Backend.backward_weight for any number of rows.
bool onednn_backward_weight(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum,
                            ComputeType type);
