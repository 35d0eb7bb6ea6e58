#include "linalg/backend/backend.h"
#include "math/kernels.h"

#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(names_are_in_the_order_of_the_enum)
{
    ck_assert_str_eq(precision_names[PRECISION_AUTO], "auto");
    ck_assert_str_eq(precision_names[PRECISION_FLOAT32], "float32");
    ck_assert_str_eq(precision_names[PRECISION_BF16], "bf16");
    ck_assert_str_eq(precision_names[PRECISION_INT8], "int8");
    ck_assert_ptr_null(precision_names[PRECISION_INT8 + 1]);
    for (Precision p = PRECISION_AUTO; p <= PRECISION_BF16; p++)
        ck_assert_str_eq(training_precision_names[p], precision_names[p]);
    ck_assert_ptr_null(training_precision_names[PRECISION_INT8]);
    for (Precision p = PRECISION_FLOAT32; p <= PRECISION_INT8; p++) {
        ck_assert_str_eq(compute_type_name(precision_type(p)), precision_names[p]);
        ck_assert_int_eq(precision_of(precision_type(p)), p);
    }
}

TEST(auto)
{
    ComputeType resolved;
    const Backend *bf16 = backend_of(COMPUTE_BF16, true);
    assert_ok(precision_resolve(&resolved, PRECISION_AUTO, PACKED_TRAINING, true, NULL));
    ck_assert_int_eq(resolved,
                     bf16 && bf16->chosen_for(PACKED_TRAINING) ? COMPUTE_BF16 : COMPUTE_FLOAT32);
    assert_ok(precision_resolve(&resolved, PRECISION_AUTO, PACKED_TRAINING, false, NULL));
    ck_assert_int_eq(resolved, COMPUTE_FLOAT32);
}

// OpenBLAS falls back to Prescott on processors that it does not know.
TEST(core_of_openblas)
{
    static const struct {
        const char *core, *instructions, *better;
    } cases[] = {
        {"Prescott", "avx512", "SkylakeX"}, {"Haswell", "avx512", "SkylakeX"},
        {"Zen", "avx512", "SkylakeX"},      {"Prescott", "avx2", "Haswell"},
        {"Sandybridge", "avx2", "Haswell"}, {"Zen", "avx2", NULL},
        {"Haswell", "avx2", NULL},          {"SkylakeX", "avx512", NULL},
        {"Cooperlake", "avx512", NULL},     {"SapphireRapids", "avx512", NULL},
        {"SkylakeX", "avx2", NULL},         {"Prescott", "plain", NULL},
        {"armv8", "plain", NULL},           {"neoversen1", "neon", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *better = openblas_better_core(cases[i].core, cases[i].instructions);
        if (cases[i].better)
            ck_assert_str_eq(better, cases[i].better);
        else
            ck_assert_ptr_null(better);
    }
}

// A core that was named is the better one, and the environment is as before.
TEST(core_in_use)
{
    char text[128], core[32], own[32];
    bool set = getenv("OPENBLAS_CORETYPE");
    assert_ok(backends_start(1, NULL));
    ck_assert_int_eq(getenv("OPENBLAS_CORETYPE") != NULL, set);
    backend_openblas.describe(text, sizeof text);
    if (sscanf(text, "OpenBLAS %*s %31s (instead of %31[^)])", core, own) < 2) return;
    ck_assert(!set);
    ck_assert_str_eq(core, openblas_better_core(own, kernels()->name));
}

TEST(demanded)
{
    ComputeType resolved;
    Error error = {0};
    assert_ok(precision_resolve(&resolved, PRECISION_FLOAT32, PACKED_DECODING, true, NULL));
    ck_assert_int_eq(resolved, COMPUTE_FLOAT32);
    Status status = precision_resolve(&resolved, PRECISION_BF16, PACKED_DECODING, false, &error);
    if (backend_of(COMPUTE_BF16, true)) {
        assert_ok(status);
        ck_assert_int_eq(resolved, COMPUTE_BF16);
    } else {
        ck_assert_int_eq(status, STATUS_ARGUMENT);
        assert_contains(error.text, "AVX512-BF16");
    }
}
