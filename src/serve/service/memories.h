/* Translation memories of served models (translate/translation_memory.h), and what users correct. */
#pragma once

#include "serve/service/served_models.h"

typedef struct MemoryChoice {
    const char *const *files; // (count) FILE, or en-fr=FILE where several models are served
    size_t count;
    const char *corrections; // a file; NULL: there are none
} MemoryChoice;

// Reads the files.
Status memories_read(ServedModels *models, const MemoryChoice *choice, Error *error);

/* Reads what users have corrected: lines of source, tab, target, tab and en-fr. Those of pairs that
 * are not served are passed over, and a file that is not there is made. */
Status corrections_read(ServedModels *models, const char *path, Error *error);

/* Appends a correction to the file and adds it to the memory of the model, which has one. Nobody else
 * may read or correct meanwhile. */
Status correction_add(const char *file, const ServedModel *model, TextView source, TextView target,
                      Error *error);
