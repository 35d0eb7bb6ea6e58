// What a model that is being trained makes of a sentence so far.
#pragma once

#include "model/seq2seq.h"
#include "reading/translation.h"
#include "train/data.h"

/* Translates a sentence as it stands, by greedy search, with its attention. What is set is freed by
 * translation_free, in any case. */
Status watched_translate(Translation *translation, const TrainingData *data,
                         const Seq2SeqParams *params, TextView sentence, Error *error);

/* Sets *json, a new reference, to its alignment: {"source": […], "target": […], "weights": [[…], …]}, of
 * the data's units; all empty without words. */
Status watched_json(json_t **json, const Translation *translation, const TrainingData *data,
                    Error *error);
