#include "model/average.h"

#include "base/memory.h"

#include <string.h>

// The name of the vocabulary that differs; NULL if none does.
static const char *other_vocabulary(const ModelTexts *a, const ModelTexts *b)
{
    if (strcmp(a->source_vocabulary, b->source_vocabulary) != 0) return "source vocabulary";
    return strcmp(a->target_vocabulary, b->target_vocabulary) ? "target vocabulary" : NULL;
}

// The first tensor of `a` that `b` has in another shape or not at all; NULL if there is none.
static const ParamInfo *other_tensor(const ParamList *a, const ParamList *b)
{
    for (size_t i = 0; i < a->count; i++) {
        const ParamInfo *info = &a->tensors[i], *found = param_list_find(b, info->name);
        if (!found || found->rank != info->rank ||
            memcmp(found->shape, info->shape, sizeof info->shape) != 0)
            return info;
    }
    return NULL;
}

static Status check(const ModelAverage *average, const Model *model, const char *path, Error *error)
{
    const Model *first = average->first;
    const ParamList *a = &first->params.list, *b = &model->params.list;
    const char *vocabulary = other_vocabulary(&first->texts, &model->texts);
    if (vocabulary)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: its %s is not that of %s; only models with the same vocabularies "
                         "have a mean",
                         path, vocabulary, average->first_path);
    const ParamInfo *tensor = other_tensor(a, b);
    if (!tensor) tensor = other_tensor(b, a);
    if (tensor)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: tensor %s is not as in %s; only models of the same sizes have a mean",
                         path, tensor->name, average->first_path);
    if (config_equal(&first->params.config, &model->params.config)) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "%s: its attention is not that of %s; only models of one kind have a mean",
                     path, average->first_path);
}

static Status begin(ModelAverage *average, const Model *model, const char *path, Error *error)
{
    TRY(seq2seq_params_new(&average->params, &model->params.config, error));
    size_t values = average->params.list.block_size;
    average->sums = memory_new(values, sizeof *average->sums);
    if (!average->sums)
        return error_memory(error, values * sizeof *average->sums, "the mean of models");
    average->first = model;
    average->first_path = path;
    return STATUS_OK;
}

Status model_average_add(ModelAverage *average, const Model *model, const char *path, Error *error)
{
    TRY(average->count ? check(average, model, path, error) : begin(average, model, path, error));
    const ParamList *list = &average->params.list;
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
