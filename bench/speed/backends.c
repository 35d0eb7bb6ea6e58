#include "bench/speed/backends.h"

static const Backend backends[] = {
    {"openblas_float32", "OpenBLAS float32", false, GEMM_FLOAT32},
    {"onednn_float32", "oneDNN float32", true, GEMM_FLOAT32},
    {"onednn_bf16", "oneDNN bf16", true, GEMM_BF16},
};

_Static_assert(sizeof backends / sizeof *backends <= MAX_BACKENDS, "room for all backends");

size_t backends_here(const Backend *here[MAX_BACKENDS])
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        if (!backends[i].packed || packed_possible(backends[i].precision))
            here[count++] = &backends[i];
    return count;
}

Status backend_pack(const Backend *backend, Seq2SeqParams *params, const ModelConfig *config,
                    PackedPurpose purpose, Error *error)
{
    if (!backend->packed) return STATUS_OK;
    return seq2seq_params_pack(params, config, backend->precision, purpose, error);
}
