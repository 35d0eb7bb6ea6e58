#include "support/assert_close.h"

#include <check.h>
#include <math.h>

// How far apart two numbers are in units of what is allowed: at most 1 is close. Neither is NaN.
static double excess(double actual, double expected, double rtol, double atol)
{
    double allowed = atol + rtol * fabs(expected);
    if (actual == expected) return 0;
    if (isinf(actual) || isinf(expected) || allowed == 0) return INFINITY;
    return fabs(actual - expected) / allowed;
}

void assert_close(const real *actual, const double *expected, size_t count, double rtol,
                  double atol, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(actual[i]) || isnan(expected[i]))
            ck_abort_msg("%s[%zu]: NaN: computed %.17g, expected %.17g", name, i, (double)actual[i],
                         expected[i]);
    }
    size_t wrong = 0, worst = 0;
    double worst_excess = 0;
    for (size_t i = 0; i < count; i++) {
        double excess_i = excess(actual[i], expected[i], rtol, atol);
        if (excess_i > 1) wrong++;
        if (excess_i > worst_excess) {
            worst = i;
            worst_excess = excess_i;
        }
    }
    if (wrong > 0)
        ck_abort_msg("%s[%zu]: computed %.17g, expected %.17g, %.3g times what rtol %g and atol %g "
                     "allow; %zu of %zu are wrong",
                     name, worst, (double)actual[worst], expected[worst], worst_excess, rtol, atol,
                     wrong, count);
}
