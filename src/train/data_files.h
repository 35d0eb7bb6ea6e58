// The files that a run reads, so that a resumed run can name the one that has changed.
#ifndef REGARD_TRAIN_DATA_FILES_H
#define REGARD_TRAIN_DATA_FILES_H

#include "io/json.h"

#include <stddef.h>
#include <stdint.h>

// Start from {0}, end with data_files_free.
typedef struct DataFiles {
    struct DataFile {
        const char *name; // not owned
        uint64_t hash;    // of what was read up to its end
    } * items;            // (count) in the order of reading
    size_t count, capacity;
} DataFiles;

Status data_files_add(DataFiles *files, const char *name, uint64_t hash, Error *error);

// The hashes as an array of texts; a new reference, NULL if out of memory.
json_t *data_files_to_json(const DataFiles *files);

/* The name of the first file whose hash is not what it was in `before`, which data_files_to_json
 * made; NULL if it cannot be told. */
const char *data_files_changed(const DataFiles *files, const json_t *before);

void data_files_free(DataFiles *files);

#endif
