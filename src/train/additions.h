// What a model gets when its training has ended: the shortlist and the aligner.
#ifndef REGARD_TRAIN_ADDITIONS_H
#define REGARD_TRAIN_ADDITIONS_H

#include "model/seq2seq.h"
#include "train/data.h"

/* Saves the model at `path` with a shortlist learned from the corpus, unless it has one already or
 * its attention weights are constant, and with the corpus' aligner, if there is one and the model
 * has none. Nothing else in the file changes. The packed forms of `trained`, parameters of such a
 * model, are overwritten if there are any. */
Status additions_add_to_model(const char *path, const TrainingData *data,
                              const Seq2SeqParams *trained, Threads *threads, Error *error);

#endif
