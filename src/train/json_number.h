/* Numbers that training measures, as JSON, which knows neither NaN nor infinity: those are null. */
#ifndef REGARD_TRAIN_JSON_NUMBER_H
#define REGARD_TRAIN_JSON_NUMBER_H

#include <jansson.h>

// A new reference, NULL only if out of memory (json_real is NULL for NaN as well).
json_t *json_number(double value);

#endif
