/* Comparison of computed numbers with expected ones. */
#pragma once

#include "math/real.h"

#include <stddef.h>

/* Fails the test unless |actual − expected| ≤ atol + rtol·|expected| for each of `count` numbers.
 * NaN anywhere fails first, whatever else is wrong; an infinity is close only to itself. The
 * message holds `name`, the index of the worst element (the largest difference in units of what was
 * allowed), both its values, and how many are wrong. */
void assert_close(const real *actual, const double *expected, size_t count, double rtol,
                  double atol, const char *name);
