// What `regard train --guide` stands for.
#ifndef REGARD_CLI_TRAIN_GUIDE_CHOICE_H
#define REGARD_CLI_TRAIN_GUIDE_CHOICE_H

#include "cli/args/options.h"
#include "train/checkpoint.h"

typedef enum GuideKind {
    GUIDE_NONE,
    GUIDE_AUTO,  // the aligner learns it from the training pairs
    GUIDE_FILES, // one for each corpus
} GuideKind;

typedef struct GuideChoice {
    GuideKind kind;
    bool given; // on the command line
} GuideChoice;

// The files among what was given for --guide, or NULL if it names a kind or nothing.
const char *const *guide_files(const OptionTexts *given);

/* The kind that was given, or none, for a training on so many corpora. Refuses what does not go together, and
 * sets the weights that follow from it. */
Status guide_choose(GuideChoice *choice, const OptionTexts *given, size_t corpora,
                    const Arguments *arguments, TrainOptions *options, Error *error);

/* The choice of the run that is resumed, which is that of its checkpoint; refuses another. */
Status guide_choose_resumed(GuideChoice *choice, const Checkpoint *checkpoint, Error *error);

// Refuses an option that a checkpoint does not allow to change.
Status train_contradiction(const char *flag, Error *error);

#endif
