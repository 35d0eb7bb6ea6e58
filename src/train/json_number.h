// Measured numbers as JSON, which has neither NaN nor infinity: those become null.
#ifndef REGARD_TRAIN_JSON_NUMBER_H
#define REGARD_TRAIN_JSON_NUMBER_H

#include <jansson.h>
#include <math.h>

// A new reference, NULL only if out of memory (json_real is NULL for NaN as well).
static inline json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

#endif
