#include "linalg/params.h"

#include "linalg/packed.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

ParamVisitor param_visitor_listing(ParamList *list)
{
    *list = (ParamList){0};
    return (ParamVisitor){.list = list};
}

ParamVisitor param_visitor_binding(ParamList *list, real *block)
{
    return (ParamVisitor){.list = list, .block = block};
}

ParamVisitor param_visitor_placing(ParamList *list, real *const *places)
{
    return (ParamVisitor){.list = list, .places = places};
}

/* Adds the tensor to the list, or finds its place in the block. */
static real *visit(ParamVisitor *visitor, const char *prefix, const char *name, size_t rank,
                   size_t rows, size_t columns)
{
    ParamList *list = visitor->list;
    assert(visitor->next < MAX_PARAM_TENSORS);
    size_t place = visitor->next++;
    ParamInfo *info = &list->tensors[place];
    if (visitor->block || visitor->places) {
        assert(info->rank == rank && info->shape[0] == rows && info->shape[1] == columns);
        return visitor->block ? visitor->block + info->offset : visitor->places[place];
    }
    int length = snprintf(info->name, sizeof info->name, "%s%s", prefix, name);
    assert(length > 0 && length < PARAM_NAME_SIZE);
    (void)length;
    info->rank = rank;
    info->shape[0] = rows;
    info->shape[1] = columns;
    info->offset = list->block_size;
    info->count = rows * columns;
    list->count++;
    list->block_size += (info->count + 15) / 16 * 16;
    return NULL;
}

void param_visit_matrix(ParamVisitor *visitor, Matrix *view, const char *prefix, const char *name,
                        size_t rows, size_t columns)
{
    real *values = visit(visitor, prefix, name, 2, rows, columns);
    *view = matrix_of(values, rows, columns);
    if (visitor->packed) view->packed = packed_weights_of(visitor->packed, visitor->next - 1);
    if (visitor->untouched) view->untouched = &visitor->untouched[visitor->next - 1];
}

void param_visit_vector(ParamVisitor *visitor, real **view, const char *prefix, const char *name,
                        size_t count)
{
    *view = visit(visitor, prefix, name, 1, count, 1);
}

void param_multiplied(ParamVisitor *visitor, const char *name, size_t split)
{
    for (size_t i = 0; i < visitor->next; i++)
        if (!strcmp(visitor->list->tensors[i].name, name)) visitor->list->tensors[i].split = split;
}

void param_in_blocks(ParamVisitor *visitor, const char *name, size_t block)
{
    for (size_t i = 0; i < visitor->next; i++)
        if (!strcmp(visitor->list->tensors[i].name, name)) visitor->list->tensors[i].block = block;
}

size_t param_list_values(const ParamList *list)
{
    size_t values = 0;
    for (size_t i = 0; i < list->count; i++) values += list->tensors[i].count;
    return values;
}

const ParamInfo *param_list_find(const ParamList *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->tensors[i].name, name)) return &list->tensors[i];
    return NULL;
}
