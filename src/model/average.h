/* The mean of models of one vocabulary and one shape: of each weight, summed in double in the order
 * in which the models are added. Start from {0}, end with model_average_free. */
#pragma once

#include "model/model_file.h"

typedef struct ModelAverage {
    double *sums; // (params.list.block_size)
    size_t count; // models
    Seq2SeqParams params;
    // of the first model, which must stay open
    const Model *first;
    const char *first_path;
} ModelAverage;

/* Adds an open model, which messages call `path`. STATUS_ARGUMENT if its vocabularies, or a size or kind
 * (which is named), are not those of the first. */
Status model_average_add(ModelAverage *average, const Model *model, const char *path, Error *error);

// Sets the values of average->params. At least one model was added.
void model_average_finish(ModelAverage *average);

void model_average_free(ModelAverage *average);
