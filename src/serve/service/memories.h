/* Translation memories of served models (translate/translation_memory.h), and what users correct. */
#pragma once

#include "serve/service/served_models.h"

typedef struct MemoryChoice {
    const char *const *files; // (count) FILE, or en-fr=FILE where several models are served
    size_t count;
    const char *corrections; // a file; NULL: there are none
} MemoryChoice;

/* Reads them. Corrections are lines of source, tab, target, tab and en-fr; those of pairs that are
 * not served are passed over, and a file that is not there is made. */
Status memories_read(ServedModels *models, const MemoryChoice *choice, Error *error);

/* Appends a correction to the file and adds it to the memory of the model, which has one. By one
 * thread at a time. */
Status correction_add(const char *file, const ServedModel *model, TextView source, TextView target,
                      Error *error);
