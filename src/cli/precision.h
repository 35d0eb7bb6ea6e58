/* --precision, which several verbs have: what products are computed in. */
#ifndef REGARD_CLI_PRECISION_H
#define REGARD_CLI_PRECISION_H

#include "linalg/packed.h"

typedef enum Precision { PRECISION_AUTO, PRECISION_FLOAT32, PRECISION_BF16 } Precision;
extern const char *const precisions[]; // "auto", "float32", "bf16", NULL

// For the verbs that use a model.
#define PRECISION_HELP                                                                             \
    "of matrix products; bf16 is the fastest where the processor has AMX, and now and then "       \
    "decides "                                                                                     \
    "otherwise where two are nearly equal; auto takes the fastest that there is"

/* What a choice comes to: auto is bf16 where it is fast, but not for a model that is not `wide` enough to gain by it.
 * STATUS_ARGUMENT if bf16 is asked for and not there. */
Status precision_settle(GemmPrecision *settled, Precision precision, bool wide, Error *error);

#endif
