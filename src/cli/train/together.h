/* `regard train` as one of several ranks (train/ranks.h): rank 0 alone prints and writes, the
 * others are silent. */
#ifndef REGARD_CLI_TRAIN_TOGETHER_H
#define REGARD_CLI_TRAIN_TOGETHER_H

#include "cli/terminal.h"
#include "cli/train/values.h"
#include "train/trainer.h"

typedef struct Together {
    Ranks ranks;
    size_t processors; // that every rank may use at least
} Together;

/* Joins the ranks, and compares their programs. `progress` becomes that of this rank.
 * Where only files are to be looked at, rank 0 is left alone, and the others have nothing to do:
 * together_is_idle. */
Status together_start(Together *together, TrainValues *values, Progress *progress, Error *error);
bool together_is_idle(const Together *together, const TrainValues *values);

/* Sets options.threads to those of all ranks. Each has `--threads` if that was given; else as many
 * as every rank may use, or a share of those of the run that is resumed. */
void together_choose_threads(const Together *together, TrainValues *values, bool given);

// The threads of each rank.
size_t together_own_threads(const Together *together, const TrainOptions *options);

// Warns where mpirun lets a rank use fewer processors than it has threads.
void together_check_processors(const Together *together, const TrainOptions *options,
                               Progress *progress);

// Refuses standard input.
Status together_check_files(const Together *together, const TrainValues *values, Error *error);

// Whether all ranks have the same options, and whether the aligner is to learn a guide.
Status together_compare_options(Together *together, const TrainOptions *options, bool aligns,
                                Error *error);

// Whether all ranks begin at the same step with the same parameters.
Status together_compare_states(Together *together, const Trainer *trainer, Error *error);

// Says how much a rank sends at each step, where there are several.
void together_report_sent(const Together *together, size_t steps, Progress *progress);

/* Ends a rank with what came of its run, and returns that for rank 0, which tells it. A failure
 * that the others do not know of ends them all, after a message that names the rank. */
Status together_end(Together *together, Status status, Error *error);

#endif
