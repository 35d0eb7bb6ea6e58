/* Checks a backward against its forward by central differences.
 *
 * Only under REGARD_DOUBLE (`make BUILD=double check`); in float gradcheck() does nothing. With 24
 * bits a difference of two losses carries an error of about 1e-7·|loss|/eps: any eps either drowns
 * small gradients in rounding or in the third derivative, so that correct gradients fail and wrong
 * ones pass. The same source compiled in double leaves about ten digits. */
#pragma once

#include "math/real.h"

#include <stddef.h>

// Recomputes the scalar loss from the current values. It must give the same bits for the same
// values.
typedef double (*GradcheckLoss)(void *context);

/* Compares analytic[i] with (loss(values[i] + eps) − loss(values[i] − eps)) / (2·eps), eps = 1e-4,
 * for every i, or for `most` ≥ 1 of them, first and last included, spread evenly (SIZE_MAX: every
 * one). Demands |numeric − analytic| ≤ 1e-5·max(|numeric|, |analytic|) + 1e-8 and finite numbers,
 * in all of `analytic` first. `values` is what the loss reads; it is changed in place and restored.
 * On failure the message holds `name`, the index of the worst element, both numbers, and how many
 * are wrong. */
void gradcheck(real *values, const real *analytic, size_t count, size_t most, GradcheckLoss loss,
               void *context, const char *name);
