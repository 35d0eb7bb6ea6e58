/* A parameter matrix, with the packed forms its products read fastest.
 *
 * A weight changes once per update and is then multiplied at every step, so a backend that packs
 * (linalg/backend/backend.h) converts it to its element type and layout once. There is one form for
 * x·wᵀ and one for dy·w. A Weight without packed forms is multiplied by OpenBLAS as it is. */
#pragma once

#include "base/status.h"
#include "linalg/matrix.h"
#include "linalg/quantise.h"

typedef struct Backend Backend; // linalg/backend/backend.h

// A weight, or a part of one, in the forms its backend multiplies.
typedef struct PackedWeight {
    const Backend *backend;
    RoundedRows rounded;            // of the whole weight, where its backend needs no other values
    size_t first_row, first_column; // in the weight
    size_t rows, columns;           // out, in
    void *forward, *backward;       // for x·wᵀ and dy·w; NULL: such products are OpenBLAS's
    size_t forward_bytes, backward_bytes; // 0: the backend has no fast product
    /* (part_count): two parts that share the columns, each with forms of its own; or blocks of
     * rows, whose forward forms are pieces of `forward`. */
    struct PackedWeight *parts;
    size_t part_count;
} PackedWeight;

typedef struct Weight {
    Matrix matrix;              // (out, in)
    const PackedWeight *packed; // NULL: none
} Weight;

// A weight that is multiplied as it is.
static inline Weight weight_of(Matrix matrix)
{
    return (Weight){.matrix = matrix};
}

/* `count` columns, or rows, of a weight from `first` on. They keep the packed form if they are a
 * part that was packed; else they have none. */
Weight weight_columns(Weight weight, size_t first, size_t count);
Weight weight_rows(Weight weight, size_t first, size_t count);

/* rows (n, in): row i is row picks[i] of a weight, rounded as its backend rounds what it
 * multiplies. */
void weight_copy_rows(Matrix rows, Weight weight, const int32_t *picks);

/* Some rows of a weight, in any order, as a weight of their own for products forward; where
 * weight_picked_bytes is 0 its backend cannot. `form` is memory for them, which the result refers
 * to. */
size_t weight_picked_bytes(Weight weight, size_t count);
PackedWeight weight_pick(Weight weight, void *form, const int32_t *picks, size_t count);

// What weight_pick has made as a factor of products.
static inline Weight weight_of_picked(const PackedWeight *picked)
{
    return (Weight){.matrix = {.rows = picked->rows, .columns = picked->columns}, .packed = picked};
}

// The backend that multiplies it.
const Backend *weight_backend(Weight weight);

// How products use a tensor, which decides what is packed of it.
typedef struct WeightUse {
    size_t rows, columns; // (out, in); 0 rows: no product uses it
    size_t split;         // products use its first `split` columns and the rest apart; 0: together
    size_t block;         // forward, products also use blocks of `block` rows; 0: they do not
} WeightUse;

// The packed forms of several weights.
typedef struct PackedWeights PackedWeights;

typedef enum PackedPurpose {
    PACKED_TRAINING, // forward and backward
    PACKED_DECODING, // forward alone
} PackedPurpose;

/* Forms for weights used so, uses (count), not yet filled. Freed by packed_weights_free.
 * STATUS_ARGUMENT if the backend is not available here. */
Status packed_weights_new(PackedWeights **packed, const WeightUse *uses, size_t count,
                          const Backend *backend, PackedPurpose purpose, Error *error);

void packed_weights_free(PackedWeights *packed); // NULL is allowed
FREES_POINTER(PackedWeights, packed_weights_free)

const Backend *packed_weights_backend(const PackedWeights *packed); // OpenBLAS for NULL

/* Gives weights that were rounded before, rounded (count), in place of their values: for those that
 * have steps, no values are read. For COMPUTE_INT8 alone; `rounded` must outlive the weights. */
void packed_weights_set_rounded(PackedWeights *packed, const RoundedRows *rounded);

// Weight i of the list, with its values; if `packed` is NULL, one without packed forms.
Weight packed_weights_get(const PackedWeights *packed, size_t i, Matrix values);

/* Packs one worker's share of the weights, whose values are at places (count). After each change
 * of the parameters every worker 0 … workers−1 must call it. */
void packed_weights_fill(PackedWeights *packed, real *const *places, size_t worker, size_t workers);

/* Whether no forward product with the weights needs OpenBLAS, nor, if `in_blocks`, one with blocks of
 * rows. False for NULL. */
bool packed_weights_complete(const PackedWeights *packed, bool in_blocks);

/* What products with these weights promise: a row of x·wᵀ has the same bits for any number of
 * rows that is a multiple of `multiple`, if `exact`; else no such number is known. */
typedef struct RowPromise {
    size_t multiple;
    bool exact;
} RowPromise;

/* The promise of all forward products with the weights, some of which OpenBLAS may compute; with
 * `in_blocks` also of those with blocks of rows. NULL: OpenBLAS's own. */
RowPromise packed_weights_promise(const PackedWeights *packed, bool in_blocks);
