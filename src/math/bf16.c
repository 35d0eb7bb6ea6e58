#include "math/bf16.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
#include <cpuid.h>
#endif

extern const Bf16Kernels bf16_plain;

#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
extern const Bf16Kernels bf16_avx512bf16;

/* Not every compiler's __builtin_cpu_supports knows the name. That of AVX-512 also asks whether the
 * system saves the registers. */
static bool has_avx512bf16(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    __builtin_cpu_init();
    bool known = __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 5);
    return known && __builtin_cpu_supports("avx512f");
}

// AVX512-FP16 came with Sapphire Rapids, after Cooper Lake, whose vdpbf16ps is fast.
static bool has_slow_avx512bf16(void)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_is("intel") && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & 1u << 23);
}
#else
static const Bf16Kernels bf16_avx512bf16;

static bool has_avx512bf16(void)
{
    return false;
}

static bool has_slow_avx512bf16(void)
{
    return false;
}
#endif

const Bf16Kernels *bf16_kernels_named(const char *name)
{
    if (!strcmp(name, "plain")) return &bf16_plain;
    return !strcmp(name, "avx512bf16") && has_avx512bf16() ? &bf16_avx512bf16 : NULL;
}

static const Bf16Kernels *chosen;

static void choose(void)
{
    const char *forced = getenv("REGARD_ISA");
    const bool plain = forced && !strcmp(forced, "plain"), avx2 = forced && !strcmp(forced, "avx2");
    if (!avx2) chosen = bf16_kernels_named(plain ? "plain" : "avx512bf16");
}

const Bf16Kernels *bf16_kernels(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    // what it chooses is a constant of the process, not a state of any model
    pthread_once(&once, choose);
    return chosen;
}

bool bf16_is_fast(void)
{
    return bf16_kernels() == &bf16_avx512bf16 && !has_slow_avx512bf16();
}
