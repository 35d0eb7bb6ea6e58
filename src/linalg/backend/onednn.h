/* The second backend of the GEMM door: oneDNN 2.x (optional, found at build time), for weights that
 * are packed once per update and multiplied many times, in float32, and in bf16 with float32 sums
 * where the processor has AMX. Only gemm.c and packed.c include this.
 *
 * Everything oneDNN needs (its engine, compiled primitives, converted operands) belongs to the
 * calling thread and ends with it; primitives are compiled for a shape when it is first met. oneDNN
 * runs on the caller's thread alone. A function that cannot do its work, for want of memory, says
 * so with `false`, and the door multiplies by OpenBLAS instead. */
#ifndef REGARD_LINALG_BACKEND_ONEDNN_H
#define REGARD_LINALG_BACKEND_ONEDNN_H

#include "linalg/packed.h"

// Whether this program was built with oneDNN and the processor multiplies in this precision; for
// bf16 that asks for AMX, since AVX512-BF16 alone is slower than float32.
bool onednn_has(GemmPrecision precision);

/* Whether a row of y = x wᵀ has the same bits among any number of others, in bf16 in whole tiles of 16 rows.
 * Measured for AVX-512 and AMX; on older processors oneDNN multiplies in another way. */
bool onednn_rows_exact(GemmPrecision precision);

// "oneDNN 2.6.3 avx512_core_amx", or "" where it was not built in.
void onednn_describe(char *text, size_t size);

/* A right factor as oneDNN lays it out for itself: for FORWARD the transpose of a weight (out, in),
 * for BACKWARD the weight as it is. Bytes it takes; 0 if that cannot be told. */
typedef enum PackedUse { PACKED_FORWARD, PACKED_BACKWARD } PackedUse;
size_t onednn_packed_bytes(GemmPrecision precision, PackedUse use, size_t out, size_t in);

/* If the form for FORWARD of blocks of `block` rows of a weight (out, in) are pieces of its own, one
 * behind the other: how many bytes each takes, the last perhaps fewer. Else 0. */
size_t onednn_packed_rows_bytes(GemmPrecision precision, size_t out, size_t in, size_t block);

// Fills `packed` from the weight (out, in).
bool onednn_pack(void *packed, GemmPrecision precision, PackedUse use, Matrix weight);

/* y (n, out) = x wᵀ for FORWARD, dx (n, in) = dy w for BACKWARD; `weight` is the part that is
 * multiplied. */
bool onednn_multiply(Matrix y, Matrix x, const PackedWeight *weight, PackedUse use, GemmSum sum);

/* x (n, in) as the right factor of onednn_multiply_weight in bf16, in a room of onednn_right_room(n, in)
 * numbers; false if it would not be read so. */
size_t onednn_right_room(size_t rows, size_t columns);
bool onednn_right_ready(uint16_t *room, Matrix x);

// dw (out, in) = dyᵀ x; both factors are converted to the precision first.
bool onednn_multiply_weight(Matrix dw, GemmSum sum, Matrix dy, Matrix x, GemmPrecision precision);

#endif
