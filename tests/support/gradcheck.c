#include "support/gradcheck.h"

#ifdef REGARD_DOUBLE

#include <check.h>
#include <math.h>

static const double EPSILON = 3e-5;
static const double RELATIVE = 1e-5;
static const double ABSOLUTE = 1e-8;

// (f(x + eps) − f(x − eps)) / (2·eps); its error is eps²/6·f‴ and, by rounding, 1e-16·|f|/eps
static double central_difference(real *value, GradcheckLoss loss, void *context)
{
    real saved = *value;
    *value = saved + EPSILON;
    double above = loss(context);
    *value = saved - EPSILON;
    double below = loss(context);
    *value = saved;
    return (above - below) / (2 * EPSILON);
}

void gradcheck(real *values, const real *analytic, size_t count, size_t most, GradcheckLoss loss,
               void *context, const char *name)
{
    if (count == 0 || most == 0) ck_abort_msg("%s: no gradient to check", name);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(analytic[i])) ck_abort_msg("%s[%zu]: analytic %g", name, i, analytic[i]);
    }
    size_t checks = most < count ? most : count;
    size_t wrong = 0, worst = 0;
    double worst_excess = 0, worst_numeric = 0;
    for (size_t k = 0; k < checks; k++) {
        size_t i = checks > 1 ? k * (count - 1) / (checks - 1) : 0;
        double numeric = central_difference(&values[i], loss, context);
        if (!isfinite(numeric))
            ck_abort_msg("%s[%zu]: numeric %g, analytic %.17g", name, i, numeric, analytic[i]);
        double allowed = RELATIVE * fmax(fabs(numeric), fabs(analytic[i])) + ABSOLUTE;
        double excess = fabs(numeric - analytic[i]) / allowed;
        if (excess > 1) wrong++;
        if (excess > worst_excess) {
            worst = i;
            worst_excess = excess;
            worst_numeric = numeric;
        }
    }
    if (wrong > 0)
        ck_abort_msg("%s[%zu]: numeric %.17g, analytic %.17g, %.3g times what is allowed; %zu of "
                     "%zu checked are wrong",
                     name, worst, worst_numeric, analytic[worst], worst_excess, wrong, checks);
}

#else

void gradcheck(real *values, const real *analytic, size_t count, size_t most, GradcheckLoss loss,
               void *context, const char *name)
{
    (void)values, (void)analytic, (void)count, (void)most, (void)loss, (void)context, (void)name;
}

#endif
