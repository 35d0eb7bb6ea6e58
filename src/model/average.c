#include "model/average.h"

#include "base/array.h"

static Status check(const ModelAverage *average, const Model *model, const char *path, Error *error)
{
    const ModelTexts *a = &average->first->texts, *b = &model->texts;
    const char *other = config_difference(&average->params.config, &model->params.config);
    if (strcmp(a->target_vocabulary, b->target_vocabulary) != 0) other = "target vocabulary";
    if (strcmp(a->source_vocabulary, b->source_vocabulary) != 0) other = "source vocabulary";
    if (!other) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "%s: its %s is not that of %s; only models with the same vocabularies and "
                     "sizes can be averaged",
                     path, other, average->first_path);
}

Status model_average_add(ModelAverage *average, const Model *model, const char *path, Error *error)
{
    const ParamList *list = &average->params.list;
    if (average->count) {
        TRY(check(average, model, path, error));
    } else {
        TRY(seq2seq_params_new(&average->params, &model->params.config, error));
        TRY(array_new(&average->sums, list->block_size, "the mean of models", error));
        average->first = model;
        average->first_path = path;
    }
    for (size_t i = 0; i < list->count; i++) {
        const ParamInfo *info = &list->tensors[i];
        const real *values = model->params.places[i];
        for (size_t j = 0; j < info->count; j++)
            average->sums[info->offset + j] += (double)values[j];
    }
    average->count++;
    return STATUS_OK;
}

void model_average_finish(ModelAverage *average)
{
    const ParamList *list = &average->params.list;
    for (size_t i = 0; i < list->block_size; i++)
        average->params.block[i] = (real)(average->sums[i] / (double)average->count);
}

void model_average_free(ModelAverage *average)
{
    memory_free(average->sums);
    seq2seq_params_free(&average->params);
    *average = (ModelAverage){0};
}
