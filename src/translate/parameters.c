#include "translate/parameters.h"

#include "base/memory.h"

#include <pthread.h>

enum { PRECISIONS = GEMM_BF16 + 1 };

struct Parameters {
    pthread_mutex_t lock;             // of the rest
    Seq2SeqParams packed[PRECISIONS]; // views into the model's file, with forms of their own
};

Status parameters_new(Parameters **out, Error *error)
{
    Parameters *parameters = memory_new(1, sizeof *parameters);
    if (!parameters) return error_memory(error, sizeof *parameters, "a model");
    int failed = pthread_mutex_init(&parameters->lock, NULL);
    if (failed) {
        memory_free(parameters);
        return error_memory(error, sizeof *parameters, "a model's lock");
    }
    *out = parameters;
    return STATUS_OK;
}

void parameters_free(Parameters *parameters)
{
    if (!parameters) return;
    for (size_t i = 0; i < PRECISIONS; i++) seq2seq_params_free(&parameters->packed[i]);
    pthread_mutex_destroy(&parameters->lock);
    memory_free(parameters);
}

static Status pack(Seq2SeqParams *packed, const Model *model, GemmPrecision precision,
                   Threads *threads, Error *error)
{
    seq2seq_params_list(packed, &model->config);
    seq2seq_params_place(packed, &model->config, model->params.places);
    Status status = seq2seq_params_pack(packed, &model->config, precision, PACKED_DECODING, error);
    if (status) return status;
    seq2seq_params_fill_all(packed, threads);
    return STATUS_OK;
}

Status parameters_get(Parameters *parameters, const Model *model, GemmPrecision precision,
                      Threads *threads, const Seq2SeqParams **params, Error *error)
{
    *params = &model->params;
    if (precision == GEMM_FLOAT32 && !seq2seq_packs(&model->config, precision)) return STATUS_OK;
    Seq2SeqParams *packed = &parameters->packed[precision];
    Status status = STATUS_OK;
    pthread_mutex_lock(&parameters->lock);
    if (!packed->packed) status = pack(packed, model, precision, threads, error);
    pthread_mutex_unlock(&parameters->lock);
    if (!status) *params = packed;
    return status;
}
