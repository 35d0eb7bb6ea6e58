// What Regard and its peer tell each other through files.
#pragma once

#include "bench/speed/workload.h"
#include "io/json.h"

#define EXCHANGE_WORKLOAD "workload.json"
#define EXCHANGE_FIRST_MODEL "first.safetensors"
#define EXCHANGE_TRAINED_MODEL "trained.safetensors"

/* {"options": …, "batches": [[[source], [target]], …], …} as JSON, sides ending with
 * </s>. */
void exchange_workload(Writer *out, const Workload *workload);

// Token ids as an array; a new reference, NULL if out of memory.
json_t *exchange_ids(const int32_t *ids, size_t count);
