#include "math/int8.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
#include <cpuid.h>
#define WITH_X86 1
#else
#define WITH_X86 0
#endif

extern const Int8Kernels int8_plain;

#if WITH_X86
extern const Int8Kernels int8_avx2, int8_avxvnni, int8_avx512vnni;

// Not every compiler's __builtin_cpu_supports knows the name.
static bool has_avxvnni(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 4);
}

static const Int8Kernels *for_x86(const char *name)
{
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2");
    if (!strcmp(name, "avx512vnni") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vnni"))
        return &int8_avx512vnni;
    // a compiler that does not know AVX-VNNI leaves this one empty
    if (!strcmp(name, "avxvnni") && avx2 && has_avxvnni() && int8_avxvnni.multiply)
        return &int8_avxvnni;
    return !strcmp(name, "avx2") && avx2 ? &int8_avx2 : NULL;
}
#endif

const Int8Kernels *int8_kernels_named(const char *name)
{
    if (!strcmp(name, "plain")) return &int8_plain;
#if WITH_X86
    return for_x86(name);
#else
    return NULL;
#endif
}

static const Int8Kernels *chosen;

static void choose(void)
{
    static const char *const best_first[] = {"avx512vnni", "avxvnni", "avx2", "plain"};
    const char *forced = getenv("REGARD_ISA");
    chosen = forced ? int8_kernels_named(forced) : NULL;
    for (size_t i = 0; !chosen; i++) chosen = int8_kernels_named(best_first[i]);
}

const Int8Kernels *int8_kernels(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    // what it chooses is a constant of the process, not a state of any model
    pthread_once(&once, choose);
    return chosen;
}
