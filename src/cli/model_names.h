// Models given by name instead of by file: `--model en-fr` (translate/model_folders.h).
#pragma once

#include "cli/args/options.h"
#include "translate/model_folders.h"

/* Whether an operand is a model: it has the ending of its files, or is the name of one that a folder has,
 * even where a file has that name too (it is then written ./en-fr), or, so that a slip is explained, two
 * codes of languages and no file. */
bool model_is_meant(const char *word);

/* Replaces the names of models in the values and the operands of a command line by their files, whose
 * paths belong to `folders`, which is {0} and is freed after the verb. Names that no folder has stay. */
Status model_names_replace(ModelFolders *folders, Arguments *arguments, void *values, Error *error);

/* After the verb has failed: where the error is STATUS_IO of such a name, it says instead where was looked,
 * what is there, and which name is near. Wrong usage, which a verb looks for first, is reported as such. */
void model_names_explain(ModelFolders *folders, Arguments *arguments, void *values, Error *error);

/* Refuses what reads like a model's name where its file is written: a path has a slash or an ending.
 * STATUS_ARGUMENT, which names the flag. */
Status model_names_refuse(const char *path, const char *flag, Error *error);
