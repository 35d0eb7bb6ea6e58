/* --precision, which several verbs have. */
#ifndef REGARD_CLI_PRECISION_H
#define REGARD_CLI_PRECISION_H

#include "linalg/precision.h"

// The help text of verbs that use a model.
#define PRECISION_HELP                                                                             \
    "number format of matrix products: bf16 is fastest on processors with AMX, but may choose "    \
    "another word where two scores nearly tie; auto takes the fastest available"

#endif
