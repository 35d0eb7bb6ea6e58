// What `regard train --guide` stands for.
#ifndef REGARD_CLI_TRAIN_GUIDE_CHOICE_H
#define REGARD_CLI_TRAIN_GUIDE_CHOICE_H

#include "cli/args/options.h"
#include "train/options.h"

typedef enum GuideKind {
    GUIDE_NONE,
    GUIDE_AUTO,  // the aligner learns it from the training pairs
    GUIDE_FILES, // one for each corpus
} GuideKind;

/* What a new run has unless --guide is given: auto, with which models align better, and translate
 * better on most corpora (docs/measurements.md); none where attention has no weights, or where the
 * corpus may not fit into memory, which the aligner learns in. */
void guide_default(OptionTexts *guide, unsigned attention, const char *cache);

GuideKind guide_kind(const OptionTexts *given);

// The files among what was given for --guide, or NULL if it names a kind or nothing.
const char *const *guide_files(const OptionTexts *given);

/* Refuses what does not go together with what was given, for a training on so many corpora, and sets
 * the weights that follow from it, unless a run is resumed, which has them. */
Status guide_choose(const OptionTexts *given, size_t corpora, const Arguments *arguments,
                    TrainOptions *options, Error *error);

#endif
