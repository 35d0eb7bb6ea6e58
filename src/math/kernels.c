#include "math/kernels.h"

#include "math/elementary.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef REGARD_DOUBLE
const ElementaryBounds elementary_bounds = {.exp_min = -87.33f,
                                            .exp_max = 88.0f,
                                            .exp_negative_min = -87.0f,
                                            .exp_rough_min = -86.0f,
                                            .tanh_max = 9.5f,
                                            .one = 1.0f};
#endif

extern const Kernels kernels_plain;
#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
extern const Kernels kernels_avx2, kernels_avx512;
#endif

const Kernels *kernels_named(const char *name)
{
#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
    __builtin_cpu_init();
    if (!strcmp(name, "avx512") && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        return &kernels_avx512;
    if (!strcmp(name, "avx2") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &kernels_avx2;
#endif
    return !strcmp(name, "plain") ? &kernels_plain : NULL;
}

static const Kernels *chosen;

static void choose(void)
{
    const char *forced = getenv("REGARD_ISA");
    chosen = forced ? kernels_named(forced) : NULL;
    if (!chosen) chosen = kernels_named("avx512");
    if (!chosen) chosen = kernels_named("avx2");
    if (!chosen) chosen = &kernels_plain;
}

const Kernels *kernels(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    // what it chooses is a constant of the process, not a state of any model
    pthread_once(&once, choose);
    return chosen;
}
