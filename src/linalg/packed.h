/* Weights in the form that products read fastest. A weight changes once per update and is then
 * multiplied at every step, so its conversion to bf16 and its layout in blocks are made once:
 * `packed` is what a Matrix of a parameter points to, and gemm.c then leaves OpenBLAS aside.
 * There is one form for x·wᵀ and one for dy·w. */
#ifndef REGARD_LINALG_PACKED_H
#define REGARD_LINALG_PACKED_H

#include "base/status.h"
#include "linalg/params.h"

#include <stdint.h>

// What products are computed in; sums are float32 in both.
typedef enum GemmPrecision { GEMM_FLOAT32, GEMM_BF16 } GemmPrecision;

/* Whether this program and processor can multiply packed weights in that precision. REGARD_GEMM=
 * openblas in the environment says no for float32, so that backends can be compared. */
bool packed_possible(GemmPrecision precision);

/* With packed weights, a row of gemm_forward's y has the same bits for any number of rows in the product
 * that is a multiple of the row_multiple, where packed_rows_exact() (tests/linalg/test_packed.c measures it).
 * In float32 that holds for any number: there the row_multiple only keeps the primitives few, since one is
 * compiled for each number of rows. In bf16 it holds for whole tiles of AMX, 16 rows. */
size_t packed_row_multiple(GemmPrecision precision);
bool packed_rows_exact(GemmPrecision precision);

// Below this width (units of any layer) packing gains nothing.
enum { MIN_PACKED_WIDTH = 64 };

/* What multiplies, for `regard info` and the logs: "bf16 by oneDNN 2.6.3 AMX", "float32 by OpenBLAS
 * 0.3.21 SkylakeX" if not `packed`. */
void packed_describe(char *text, size_t size, GemmPrecision precision, bool packed);

// A weight, or some columns of one, as it is multiplied.
struct PackedWeight {
    GemmPrecision precision;
    size_t first_row, first_column; // in the whole weight
    size_t rows, columns;           // out, in
    // for x·wᵀ and for dy·w; NULL: such products take OpenBLAS, as those of a whole weight in parts do
    void *forward;
    void *backward;
    size_t forward_bytes, backward_bytes; // of these forms; 0: oneDNN has no fast product
    struct PackedWeight *parts; // (part_count): two that share its columns and have forms of their
    size_t part_count;          // own, or blocks of its rows, which lie in `forward`
};

// Whether products with it are bf16's.
static inline bool packed_in_bf16(Matrix weight)
{
    return weight.packed && weight.packed->precision == GEMM_BF16;
}

// The packed forms of one block of parameters.
typedef struct PackedWeights PackedWeights;

typedef enum PackedPurpose {
    PACKED_TRAINING,  // both uses
    PACKED_DECODING,  // forward alone
    PACKED_GRADIENTS, // no forms: gradients only say in what precision they are computed
} PackedPurpose;

/* Forms for every matrix of the list, not yet filled. Freed by packed_weights_free. STATUS_ARGUMENT
 * if this build or processor has no such precision. */
Status packed_weights_new(PackedWeights **packed, const ParamList *list, GemmPrecision precision,
                          PackedPurpose purpose, Error *error);

void packed_weights_free(PackedWeights *packed); // NULL is allowed

// What tensor i of the list is multiplied as, for its view.
const PackedWeight *packed_weights_of(const PackedWeights *packed, size_t i);

/* Fills this worker's share of the forms from the tensors, places (list->count); to be called by every
 * worker 0 … workers-1 after each change of the parameters. */
void packed_weights_fill(PackedWeights *packed, real *const *places, size_t worker, size_t workers);

// Whether every weight that is multiplied has its form for x·wᵀ.
bool packed_weights_whole(const PackedWeights *packed);

// The part of a weight that is `count` columns, or rows, from `first` on, or NULL.
const PackedWeight *packed_columns(const PackedWeight *packed, size_t first, size_t count);
const PackedWeight *packed_rows(const PackedWeight *packed, size_t first, size_t count);

#endif
