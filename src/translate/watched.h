// What a model that is being trained makes of a sentence so far.
#pragma once

#include "model/seq2seq.h"
#include "reading/translation.h"
#include "train/data.h"

/* Translates a sentence as it stands, by greedy search, with its attention. What is set is freed by
 * translation_free, in any case. */
Status watched_translate(Translation *translation, const TrainingData *data,
                         const Seq2SeqParams *params, TextView sentence, Error *error);
