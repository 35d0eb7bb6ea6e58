#include "layers/params.h"

#include "base/array.h"

#include <stdio.h>

enum { ALIGNMENT = 16 }; // values: 64 bytes of floats

Status param_list_end(const ParamVisitor *listing, Error *error)
{
    if (!listing->failed) return STATUS_OK;
    return error_memory(error, listing->next * sizeof(ParamInfo), "the list of parameters");
}

/* Adds the tensor to the list while that is being made; returns its number. */
static size_t visit(ParamVisitor *visitor, const char *prefix, const char *name, size_t rank,
                    ParamShape shape)
{
    size_t number = visitor->next++;
    if (!visitor->listing) {
        const ParamInfo *info = &visitor->list->tensors[number];
        assert(number < visitor->list->count && info->rank == rank &&
               info->shape[0] == shape.rows && info->shape[1] == shape.columns);
        (void)info;
        return number;
    }
    ParamList *list = visitor->listing;
    if (array_reserve(&list->tensors, &list->capacity, list->count + 1, "parameters", NULL)) {
        visitor->failed = true; // param_list_end tells
        return number;
    }
    ParamInfo *info = &list->tensors[list->count++];
    *info = (ParamInfo){.rank = rank,
                        .shape = {shape.rows, shape.columns},
                        .offset = list->block_size,
                        .count = shape.rows * shape.columns};
    int length = snprintf(info->name, sizeof info->name, "%s%s", prefix, name);
    assert(length > 0 && length < PARAM_NAME_SIZE);
    (void)length;
    if (rank == 2) info->use = (WeightUse){.rows = shape.rows, .columns = shape.columns};
    list->block_size += (info->count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return number;
}

void param_visit_weight(ParamVisitor *visitor, Weight *weight, Gradient *gradient,
                        const char *prefix, const char *name, ParamShape shape)
{
    size_t i = visit(visitor, prefix, name, 2, shape);
    real *values = visitor->params ? visitor->params[i] : NULL;
    real *grads = visitor->grads ? visitor->grads[i] : NULL;
    *weight = packed_weights_get(visitor->packed, i, matrix_of(values, shape.rows, shape.columns));
    *gradient = (Gradient){.matrix = matrix_of(grads, shape.rows, shape.columns),
                           .backend = visitor->backend,
                           .unset = visitor->unset ? &visitor->unset[i] : NULL};
}

void param_visit_vector(ParamVisitor *visitor, real **values, real **gradient, const char *prefix,
                        const char *name, size_t count)
{
    size_t i = visit(visitor, prefix, name, 1, (ParamShape){count, 1});
    *values = visitor->params ? visitor->params[i] : NULL;
    *gradient = visitor->grads ? visitor->grads[i] : NULL;
}

WeightUse *param_use(ParamVisitor *visitor, const char *name)
{
    ParamList *list = visitor->listing;
    for (size_t i = 0; list && i < list->count; i++)
        if (!strcmp(list->tensors[i].name, name)) return &list->tensors[i].use;
    return &visitor->unlisted;
}

const ParamInfo *param_list_find(const ParamList *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->tensors[i].name, name)) return &list->tensors[i];
    return NULL;
}

void param_list_free(ParamList *list)
{
    memory_free(list->tensors);
    *list = (ParamList){0};
}
