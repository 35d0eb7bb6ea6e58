// Names of files, and as a model keeps them: without folders, which tell about a computer.
#pragma once

#include "io/json.h"

// What stands behind the folders of a path.
const char *file_base_name(const char *path);

// Whether a path names one of these files, if it exists.
bool file_is_among(const char *path, const char *const *names, size_t count);

/* "a/b.en,c/b.fr" as "b.en,b.fr", harmless on a terminal. A new reference, NULL if out of
 * memory. */
json_t *file_name_to_json(const char *files);

// An array of them. A new reference, NULL if out of memory.
json_t *file_names_to_json(const char *const *names, size_t count);

/* What models of one run and those that went on from them by --init have in common: "origin", or the name of
 * a run without --init. A new reference; NULL if this description of a training does not say. */
json_t *training_origin(const json_t *training);
