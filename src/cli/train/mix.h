/* `regard train --mix PAIRS:W`: pairs of another corpus beside those of --train, so that a model that
 * is taught further does not forget. Each epoch has W times as many of them as of the others. */
#ifndef REGARD_CLI_TRAIN_MIX_H
#define REGARD_CLI_TRAIN_MIX_H

#include "base/bytes.h"

#include <stdbool.h>

/* Parts PAIRS:W at its last colon; the caller frees `pairs`. STATUS_ARGUMENT unless W is a number in
 * range. */
Status mix_parse(Bytes *pairs, double *weight, const char *given, Error *error);

// Whether two of them have the same weight, as far as it is written alike.
bool mix_same_weight(const char *a, const char *b);

#endif
