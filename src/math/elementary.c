#include "math/elementary.h"

#ifdef REGARD_DOUBLE
typedef int elementary_is_empty_here; // ISO C wants at least one declaration
#else
const ElementaryBounds elementary_bounds = {.exp_min = -87.33f,
                                            .exp_max = 88.0f,
                                            .exp_negative_min = -87.0f,
                                            .exp_rough_min = -86.0f,
                                            .tanh_max = 9.5f,
                                            .one = 1.0f};
#endif
