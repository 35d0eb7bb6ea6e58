/* What tests do with all tensors of a list at once: the parameters of one layer or of a model. Any
 * failure fails the test and names the tensor. */
#pragma once

#include "layers/params.h"
#include "support/fixture.h"
#include "support/gradcheck.h"

#include <stdint.h>

// A block for the list, all 0. Freed by memory_free.
real *param_block_new(const ParamList *list);

/* A visitor that points parameters into one block and their gradients into another, either of
 * which may be NULL; to be ended by param_block_visited after the walk. */
ParamVisitor param_block_visitor(const ParamList *list, real *block, real *grad_block);
void param_block_visited(ParamVisitor *visitor);

// Sets every tensor from the fixture's tensor of its name, which must have its shape.
void param_block_read(real *block, const ParamList *list, const Fixture *fixture);

// Normal random numbers of standard deviation `spread` everywhere.
void param_block_draw(real *block, const ParamList *list, uint64_t seed, double spread);

// Every tensor of the block is close to the fixture's tensor PREFIX + its name.
void param_block_assert(const real *block, const ParamList *list, const Fixture *fixture,
                        const char *prefix, double rtol, double atol);

// Every number of `block` is close to `factor` times the one in `other`.
void param_block_assert_scaled(const real *block, const ParamList *list, const real *other,
                               double factor, double rtol, double atol);

/* Calls `pass`, a forward and a backward, twice: `grads`, 0 before, are then twice what the first
 * call made them. */
void param_block_assert_accumulates(const real *grads, const ParamList *list,
                                    void (*pass)(void *context), void *context, double rtol,
                                    double atol);

// gradcheck of at most `most` elements of every tensor; `grads` is the block of their gradients.
void param_block_gradcheck(real *block, const real *grads, const ParamList *list, size_t most,
                           GradcheckLoss loss, void *context);
