/* The list of a model's parameters: every tensor once, by name.
 *
 * A layer has one function `x_visit(XParams *, ParamVisitor *, prefix, sizes)` that names its
 * tensors. It is walked twice: over a list, to learn names, shapes and places; then over a block of
 * memory of that size, to point the layer's views into it. Parameters, gradients and Adam's two
 * moments are four blocks of the same list. Counting, initialising, saving, loading, clipping and
 * checking walk the list and know no layer. */
#ifndef REGARD_LINALG_PARAMS_H
#define REGARD_LINALG_PARAMS_H

#include "linalg/gemm.h"

#include <stddef.h>
#include <stdint.h>

enum { PARAM_NAME_SIZE = 64, MAX_PARAM_TENSORS = 64 };

typedef struct PackedWeights PackedWeights; // linalg/packed.h

typedef struct ParamInfo {
    char name[PARAM_NAME_SIZE]; // "encoder.weight_ih_l0"
    size_t rank;                // 1 or 2
    size_t shape[2];            // (rows, columns), or (count, 1)
    size_t offset; // its first value's place in the block; a multiple of 16, so 64-byte aligned
    size_t count;  // values
    size_t split;  // of a matrix: 0 if it is multiplied whole; or see param_multiplied
    size_t block;  // of a matrix: rows of its blocks, 0 if it has none; see param_in_blocks
} ParamInfo;

typedef struct ParamList {
    ParamInfo tensors[MAX_PARAM_TENSORS]; // (count)
    size_t count;
    size_t block_size; // values in a block: all tensors and the gaps that align them
} ParamList;

typedef struct ParamVisitor {
    ParamList *list;
    real *block; // values in one block, or
    real *const
        *places; // (list->count) each tensor where it lies; both NULL while the list is being made
    const PackedWeights *packed; // what the views are multiplied as, or NULL
    bool *untouched;             // (list->count) of gradients, for their views, or NULL
    size_t next;                 // tensors seen
} ParamVisitor;

// A visitor that makes an empty list.
ParamVisitor param_visitor_listing(ParamList *list);

// A visitor that points views into `block`, (list->block_size); the walk must be the one that made
// the list.
ParamVisitor param_visitor_binding(ParamList *list, real *block);

// A visitor that points view i to places[i]: tensors that lie apart, as in a mapped file.
ParamVisitor param_visitor_placing(ParamList *list, real *const *places);

// One tensor (rows, columns) named prefix + name.
void param_visit_matrix(ParamVisitor *visitor, Matrix *view, const char *prefix, const char *name,
                        size_t rows, size_t columns);

// One tensor (count) named prefix + name.
void param_visit_vector(ParamVisitor *visitor, real **view, const char *prefix, const char *name,
                        size_t count);

/* How a matrix named before is multiplied, if not whole: in two parts, its first `split` columns and
 * the rest; or, with PARAM_NOT_MULTIPLIED, not at all, as an embedding. */
#define PARAM_NOT_MULTIPLIED SIZE_MAX
void param_multiplied(ParamVisitor *visitor, const char *name, size_t split);

// That a matrix named before is, forward, also multiplied by blocks of `block` rows.
void param_in_blocks(ParamVisitor *visitor, const char *name, size_t block);

// Values in all tensors, without gaps: the number of parameters.
size_t param_list_values(const ParamList *list);

// The tensor of that name, or NULL.
const ParamInfo *param_list_find(const ParamList *list, const char *name);

#endif
