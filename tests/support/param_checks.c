#include "support/param_checks.h"

#include "base/memory.h"
#include "support/assert_close.h"
#include "support/draw.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

real *param_block_new(const ParamList *list)
{
    real *block = memory_new(list->block_size, sizeof *block);
    ck_assert_ptr_nonnull(block);
    return block;
}

static real **places_in(const ParamList *list, real *block)
{
    real **places = memory_new(list->count + 1, sizeof *places);
    ck_assert_ptr_nonnull(places);
    for (size_t i = 0; i < list->count && block; i++) places[i] = block + list->tensors[i].offset;
    return places;
}

ParamVisitor param_block_visitor(const ParamList *list, real *block, real *grad_block)
{
    return (ParamVisitor){
        .list = list, .params = places_in(list, block), .grads = places_in(list, grad_block)};
}

void param_block_visited(ParamVisitor *visitor)
{
    memory_free((void *)(size_t)visitor->params);
    memory_free((void *)(size_t)visitor->grads);
    visitor->params = visitor->grads = NULL;
}

void param_block_read(real *block, const ParamList *list, const Fixture *fixture)
{
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        size_t count;
        const double *values = fixture_reals(fixture, info->name, &count);
        ck_assert_uint_eq(count, info->count);
        for (size_t axis = 0; axis < info->rank; axis++)
            ck_assert_uint_eq(fixture_dimension(fixture, info->name, axis), info->shape[axis]);
        for (size_t k = 0; k < count; k++) block[info->offset + k] = (real)values[k];
    }
}

void param_block_draw(real *block, const ParamList *list, uint64_t seed, double spread)
{
    draw_reals(block, list->block_size, spread, seed);
}

void param_block_assert(const real *block, const ParamList *list, const Fixture *fixture,
                        const char *prefix, double rtol, double atol)
{
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        char name[2 * PARAM_NAME_SIZE];
        snprintf(name, sizeof name, "%s%s", prefix, info->name);
        size_t count;
        const double *expected = fixture_reals(fixture, name, &count);
        ck_assert_uint_eq(count, info->count);
        assert_close(block + info->offset, expected, count, rtol, atol, name);
    }
}

void param_block_assert_scaled(const real *block, const ParamList *list, const real *other,
                               double factor, double rtol, double atol)
{
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        for (size_t k = 0; k < info->count; k++) {
            double expected = factor * (double)other[info->offset + k];
            assert_close(block + info->offset + k, &expected, 1, rtol, atol, info->name);
        }
    }
}

void param_block_assert_accumulates(const real *grads, const ParamList *list,
                                    void (*pass)(void *context), void *context, double rtol,
                                    double atol)
{
    real *once = param_block_new(list);
    pass(context);
    memcpy(once, grads, list->block_size * sizeof *once);
    pass(context);
    param_block_assert_scaled(grads, list, once, 2, rtol, atol);
    memory_free(once);
}

void param_block_gradcheck(real *block, const real *grads, const ParamList *list, size_t most,
                           GradcheckLoss loss, void *context)
{
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        gradcheck(block + info->offset, grads + info->offset, info->count, most, loss, context,
                  info->name);
    }
}
