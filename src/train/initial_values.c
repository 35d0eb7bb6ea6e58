#include "train/initial_values.h"

#include "base/string_map.h"

#include <string.h>

void initial_values_take(Seq2SeqParams *params, const Model *model)
{
    const ParamList *list = &params->list;
    for (size_t i = 0; i < list->count; i++)
        memcpy(params->block + list->tensors[i].offset, model->params.places[i],
               list->tensors[i].count * sizeof(real));
}

uint64_t initial_values_hash(const Model *model)
{
    const ParamList *list = &model->params.list;
    const ModelTexts *texts = &model->texts;
    uint64_t hash = string_hash(texts->source_vocabulary, strlen(texts->source_vocabulary));
    hash = hash * 31 + string_hash(texts->target_vocabulary, strlen(texts->target_vocabulary));
    for (size_t i = 0; i < list->count; i++)
        hash = hash * 31 + string_hash((const char *)model->params.places[i],
                                       list->tensors[i].count * sizeof(real));
    return hash;
}
