#include "tensor/elementary.h"

#ifdef REGARD_DOUBLE
typedef int elementary_is_empty_here; // ISO C wants at least one declaration
#else
const ElementaryBounds elementary_bounds = {.exp_least = -87.33f,
                                            .exp_most = 88.0f,
                                            .exp_negative_least = -87.0f,
                                            .exp_rough_least = -86.0f,
                                            .tanh_most = 9.5f,
                                            .one = 1.0f};
#endif
