// oneDNN in float32.

#include "linalg/backend/onednn_products.h"

#include <stdlib.h>

// REGARD_GEMM=openblas in the environment leaves it out, so that backends can be compared.
static bool available(void)
{
    const char *forced = getenv("REGARD_GEMM");
    return !forced || strcmp(forced, "openblas") != 0;
}

// Measured for AVX-512; on older processors oneDNN multiplies in another way.
static bool rows_exact(void)
{
    return (dnnl_get_effective_cpu_isa() & dnnl_cpu_isa_avx512_core) == dnnl_cpu_isa_avx512_core;
}

static bool backward_weight(Matrix dw, const Operand *dy, const Operand *x, ProductSum sum)
{
    return onednn_backward_weight(dw, dy, x, sum, COMPUTE_FLOAT32);
}

const Backend backend_onednn_float32 = {
    .name = "onednn_float32",
    .title = "oneDNN float32",
    .type = COMPUTE_FLOAT32,
    .available = available,
    .chosen_for = backend_for_any,
    // rows have the same bits for any number of rows; a multiple keeps the primitives few, one for
    // each number
    .row_multiple = 8,
    .rows_exact = rows_exact,
    .describe = onednn_describe,
    .packed_bytes = onednn_packed_bytes,
    .packed_block_bytes = onednn_packed_block_bytes,
    .pack = onednn_pack,
    .forward = onednn_forward,
    .backward_input = onednn_backward_input,
    .backward_weight = backward_weight,
};
