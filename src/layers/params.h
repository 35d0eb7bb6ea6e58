/* The list of a model's parameters: every tensor once, by name.
 *
 * A layer has one function `x_visit(XParams *, XGrads *, ParamVisitor *, prefix, sizes)` that names
 * its tensors once and walks the parameters and their gradients side by side. It is run over a
 * list, to collect names, shapes and offsets; then over memory, to point the parameters' views
 * or the gradients' there. The views of the side that is not bound have their shapes and no
 * values. Counting, initialising, saving, loading, clipping and checking walk the list without
 * knowing any layer. */
#pragma once

#include "linalg/gradient.h"
#include "linalg/weight.h"

enum { PARAM_NAME_SIZE = 64 };

typedef struct ParamInfo {
    char name[PARAM_NAME_SIZE]; // "encoder.weight_ih_l0"
    size_t rank;                // 1 or 2
    size_t shape[2];            // (rows, columns), or (count, 1)
    size_t offset; // of its first value in the block; a multiple of 16, so 64-byte aligned
    size_t count;  // values
    WeightUse use; // of a matrix: how products use it
} ParamInfo;

// Start from {0}, end with param_list_free.
typedef struct ParamList {
    ParamInfo *tensors; // (count)
    size_t count, capacity;
    size_t block_size; // values in a block: all tensors and the gaps that align them
} ParamList;

typedef struct ParamVisitor {
    const ParamList *list;
    ParamList *listing;          // the same while it is being made, then NULL
    real *const *params;         // (list->count) where each parameter is, or NULL
    real *const *grads;          // (list->count) where each gradient is, or NULL
    const PackedWeights *packed; // of the parameters, or NULL
    const Backend *backend;      // of the gradients' products, NULL: OpenBLAS
    bool *unset;                 // (list->count) of the gradients (linalg/gradient.h), or NULL
    size_t next;                 // tensors visited
    WeightUse unlisted;          // of param_use: nobody reads it
    bool failed;                 // out of memory for the list
} ParamVisitor;

/* A visitor that fills an empty list; param_list_end then tells whether there was memory for it. */
static inline ParamVisitor param_visitor_listing(ParamList *list)
{
    return (ParamVisitor){.listing = list, .list = list};
}

Status param_list_end(const ParamVisitor *listing, Error *error);

/* A visitor that points the parameters' views to places (list->count); the walk must be the one
 * that made the list. */
static inline ParamVisitor param_visitor_params(const ParamList *list, real *const *places,
                                                const PackedWeights *packed)
{
    return (ParamVisitor){.list = list, .params = places, .packed = packed};
}

// The same for gradients, which products are added to by `backend`.
static inline ParamVisitor param_visitor_grads(const ParamList *list, real *const *places,
                                               const Backend *backend, bool *unset)
{
    return (ParamVisitor){.list = list, .grads = places, .backend = backend, .unset = unset};
}

// places (list->count): each tensor in one block.
static inline void param_list_places(real **places, const ParamList *list, real *block)
{
    for (size_t i = 0; i < list->count; i++) places[i] = block + list->tensors[i].offset;
}

typedef struct ParamShape {
    size_t rows, columns;
} ParamShape;

// One matrix, named prefix + name.
void param_visit_weight(ParamVisitor *visitor, Weight *weight, Gradient *gradient,
                        const char *prefix, const char *name, ParamShape shape);

// One vector (count), named prefix + name.
void param_visit_vector(ParamVisitor *visitor, real **values, real **gradient, const char *prefix,
                        const char *name, size_t count);

/* How products use a matrix visited before, to be changed where that is not as a whole: its first
 * `split` columns and the rest apart; forward also blocks of `block` rows; or, {0}, not at all, as
 * of an embedding. */
WeightUse *param_use(ParamVisitor *visitor, const char *name);

// Values in all tensors, without gaps: the number of parameters.
static inline size_t param_list_values(const ParamList *list)
{
    size_t values = 0;
    for (size_t i = 0; i < list->count; i++) values += list->tensors[i].count;
    return values;
}

// The tensor of that name, or NULL.
const ParamInfo *param_list_find(const ParamList *list, const char *name);

void param_list_free(ParamList *list);
