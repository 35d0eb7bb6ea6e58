// A model's translations of a corpus against its targets.
#ifndef REGARD_CLI_EVALUATE_MODEL_H
#define REGARD_CLI_EVALUATE_MODEL_H

#include "cli/evaluate/evaluation.h"
#include "cli/model_options.h"

/* Translates the sources of PAIRS (corpus/pair_reader.h; pairs with an empty side are left out) and
 * adds each translation with its target; with `group_source`, the targets of all rows with the same
 * source are references of one sentence. The evaluation's file of another system must have a line
 * for each sentence, in their order. */
Status evaluate_model(const OpenModel *model, const char *pairs, bool group_source,
                      const TranslateOptions *options, Evaluation *evaluation, Error *error);

#endif
