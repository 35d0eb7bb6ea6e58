#include "translate/parameters.h"

#include "base/memory.h"

#include <pthread.h>

struct Parameters {
    pthread_mutex_t lock; // of the rest
    // views into the model's file, with packed forms of their own
    Seq2SeqParams packed[COMPUTE_TYPES];
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
    for (size_t i = 0; i < COMPUTE_TYPES; i++) seq2seq_params_free(&parameters->packed[i]);
    pthread_mutex_destroy(&parameters->lock);
    memory_free(parameters);
}

static Status pack(Seq2SeqParams *packed, const Model *model, const Backend *backend,
                   Threads *threads, Error *error)
{
    Status status = seq2seq_params_list(packed, &model->config, error);
    if (status) return status;
    seq2seq_params_place(packed, &model->config, model->params.places);
    status = seq2seq_params_pack(packed, &model->config, backend, PACKED_DECODING, error);
    if (status)
        seq2seq_params_free(packed);
    else
        seq2seq_params_fill_all(packed, threads);
    return status;
}

Status parameters_get(Parameters *parameters, const Model *model, ComputeType type,
                      Threads *threads, const Seq2SeqParams **params, Error *error)
{
    const Backend *backend;
    *params = &model->params;
    Status status = backend_get(&backend, type, seq2seq_is_wide(&model->config), error);
    if (status || !backend->pack) return status;
    Seq2SeqParams *packed = &parameters->packed[type];
    pthread_mutex_lock(&parameters->lock);
    if (!packed->packed) status = pack(packed, model, backend, threads, error);
    pthread_mutex_unlock(&parameters->lock);
    if (!status) *params = packed;
    return status;
}
