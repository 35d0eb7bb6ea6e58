// A file of translations against files of references, line by line.
#ifndef REGARD_CLI_EVALUATE_FILES_H
#define REGARD_CLI_EVALUATE_FILES_H

#include "cli/args/options.h"
#include "cli/evaluate/evaluation.h"

/* Adds every line of `hypothesis` with those of the same number of `references` (count ≥ 1), of the
 * evaluation's file of another system, and of `source`, if there are any; with by_length and
 * without `source` the first reference's length counts. Files of different length are
 * STATUS_FORMAT, with both lengths named; `-` is standard input, for one of the files. */
Status evaluate_files(const char *hypothesis, const OptionTexts *references, const char *source,
                      Evaluation *evaluation, Error *error);

#endif
