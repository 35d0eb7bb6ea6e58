// What the parameters of a run begin with.
#ifndef REGARD_TRAIN_INITIAL_VALUES_H
#define REGARD_TRAIN_INITIAL_VALUES_H

#include "model/model_file.h"

#include <stdint.h>

// Copies a model's values into parameters of its config.
void initial_values_take(Seq2SeqParams *params, const Model *model);

// A hash of a model's values, and of the vocabularies, without which they mean nothing.
uint64_t initial_values_hash(const Model *model);

#endif
