#include "math/kernels.h"

#include "math/bf16.h"
#include "math/elementary.h"
#include "math/int8.h"

#include <pthread.h>
#include <stdlib.h>

#if defined(__x86_64__) && !defined(REGARD_DOUBLE)
#include <cpuid.h>
#define WITH_X86 1
#else
#define WITH_X86 0
#endif
#if defined(__aarch64__) && !defined(REGARD_DOUBLE)
#include <sys/auxv.h>
#define WITH_ARM 1
#else
#define WITH_ARM 0
#endif

#ifndef REGARD_DOUBLE
const ElementaryBounds elementary_bounds = {.exp_min = -87.33f,
                                            .exp_max = 88.0f,
                                            .exp_negative_min = -87.0f,
                                            .exp_rough_min = -86.0f,
                                            .tanh_max = 9.5f,
                                            .one = 1.0f};
#endif

extern const Kernels kernels_plain;
extern const Int8Kernels int8_plain;
extern const Bf16Kernels bf16_plain;

static bool always(void)
{
    return true;
}

#if WITH_X86
extern const Kernels kernels_avx2, kernels_avx512;
extern const Int8Kernels int8_avx2, int8_avxvnni, int8_avx512vnni;
extern const Bf16Kernels bf16_avx512bf16;

// A bit of cpuid's leaf 7; not every compiler's __builtin_cpu_supports knows all names.
static bool has_bit(unsigned subleaf, char which, unsigned bit)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, subleaf, &a, &b, &c, &d) && ((which == 'a' ? a : d) & 1u << bit);
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

// A compiler that does not know AVX-VNNI leaves its kernels empty.
static bool has_avxvnni(void)
{
    return has_avx2() && has_bit(1, 'a', 4) && int8_avxvnni.multiply;
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("fma");
}

static bool has_avx512vnni(void)
{
    return has_avx512() && __builtin_cpu_supports("avx512vnni");
}

// __builtin_cpu_supports also asks whether the system saves the registers.
static bool has_avx512bf16(void)
{
    return has_avx512() && has_bit(1, 'a', 5);
}
#endif

#ifdef __wasm_simd128__
extern const Int8Kernels int8_simd128;
#endif

#if WITH_ARM
extern const Int8Kernels int8_neon, int8_dotprod, int8_i8mm;

static bool has_dotprod(void)
{
    return getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
}

static bool has_i8mm(void)
{
    return has_dotprod() && (getauxval(AT_HWCAP2) & HWCAP2_I8MM);
}
#endif

// What there is for an instruction set; NULL: nothing.
typedef struct InstructionSet {
    const char *name;
    bool (*available)(void);
    const Kernels *kernels;
    const Int8Kernels *int8;
    const Bf16Kernels *bf16;
} InstructionSet;

static const InstructionSet sets[] = { // best first
#if WITH_X86
    {"avx512bf16", has_avx512bf16, NULL, NULL, &bf16_avx512bf16},
    {"avx512vnni", has_avx512vnni, NULL, &int8_avx512vnni, NULL},
    {"avx512", has_avx512, &kernels_avx512, NULL, NULL},
    {"avxvnni", has_avxvnni, NULL, &int8_avxvnni, NULL},
    {"avx2", has_avx2, &kernels_avx2, &int8_avx2, NULL},
#endif
#ifdef __wasm_simd128__
    {"simd128", always, NULL, &int8_simd128, NULL},
#endif
#if WITH_ARM
    {"i8mm", has_i8mm, NULL, &int8_i8mm, NULL},
    {"dotprod", has_dotprod, NULL, &int8_dotprod, NULL},
    {"neon", always, NULL, &int8_neon, NULL},
#endif
    {"plain", always, &kernels_plain, &int8_plain, &bf16_plain}};

enum { SETS = sizeof sets / sizeof *sets };

// That of a name, with nothing in it if this processor or build lacks it.
static InstructionSet named(const char *name)
{
#if WITH_X86
    __builtin_cpu_init();
#endif
    for (size_t i = 0; i < SETS; i++)
        if (!strcmp(name, sets[i].name) && sets[i].available()) return sets[i];
    return (InstructionSet){0};
}

// Constants of the process, not a state of any model.
static InstructionSet chosen;

static void choose(void)
{
    const char *forced = getenv("REGARD_ISA");
    chosen = named(forced ? forced : "");
    // the slow loops in bf16 only if they are asked for
    if (!forced || (strcmp(forced, "plain") != 0 && strcmp(forced, "avx2") != 0))
        chosen.bf16 = named("avx512bf16").bf16;
    for (size_t i = 0; i < SETS; i++) {
        if (!sets[i].available()) continue;
        if (!chosen.kernels) chosen.kernels = sets[i].kernels;
        if (!chosen.int8) chosen.int8 = sets[i].int8;
    }
}

static const InstructionSet *choice(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
    return &chosen;
}

const Kernels *kernels(void)
{
    return choice()->kernels;
}

const Kernels *kernels_named(const char *name)
{
    return named(name).kernels;
}

const Int8Kernels *int8_kernels(void)
{
    return choice()->int8;
}

const Int8Kernels *int8_kernels_named(const char *name)
{
    return named(name).int8;
}

const Bf16Kernels *bf16_kernels(void)
{
    return choice()->bf16;
}

const Bf16Kernels *bf16_kernels_named(const char *name)
{
    return named(name).bf16;
}

bool bf16_is_fast(void)
{
    const Bf16Kernels *fast = choice()->bf16;
    bool slow = false;
#if WITH_X86
    // AVX512-FP16 came with Sapphire Rapids, after Cooper Lake, whose vdpbf16ps is fast
    slow = __builtin_cpu_is("intel") && has_bit(0, 'd', 23);
#endif
    return fast && fast != &bf16_plain && !slow;
}
