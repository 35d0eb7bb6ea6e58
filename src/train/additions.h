// What a model gets when its training has ended: the shortlist and the aligner.
#ifndef REGARD_TRAIN_ADDITIONS_H
#define REGARD_TRAIN_ADDITIONS_H

#include "train/trainer.h"

/* Saves the model of a run with a shortlist learned from the corpus, unless it has one already or
 * its attention weights are constant, and with the corpus' aligner, if there is one and the model
 * has none. Nothing else in the file changes. All ranks learn; rank 0 saves, and waits for space on
 * a full disk. `params`, of the model's config, become those that the file has. */
Status additions_add_to_model(const TrainSetup *setup, const TrainCounters *counters,
                              Seq2SeqParams *params, Threads *threads, Error *error);

#endif
