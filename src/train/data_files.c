#include "train/data_files.h"

#include "base/array.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HASH_SIZE = 17 }; // 16 digits and a NUL

static void hash_text(char text[HASH_SIZE], uint64_t hash)
{
    snprintf(text, HASH_SIZE, "%016" PRIx64, hash);
}

Status data_files_add(DataFiles *files, const char *name, uint64_t hash, Error *error)
{
    TRY(array_reserve(&files->items, &files->capacity, files->count + 1, "the list of files",
                      error));
    files->items[files->count++] = (struct DataFile){name, hash};
    return STATUS_OK;
}

json_t *data_files_to_json(const DataFiles *files)
{
    json_t *json = json_array();
    bool failed = !json;
    for (size_t i = 0; i < files->count; i++) {
        char text[HASH_SIZE];
        hash_text(text, files->items[i].hash);
        failed |= json_array_append_new(json, json_string(text)) != 0;
    }
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

const char *data_files_changed(const DataFiles *files, const json_t *before)
{
    if (json_array_size(before) != files->count) return NULL;
    for (size_t i = 0; i < files->count; i++) {
        char text[HASH_SIZE];
        hash_text(text, files->items[i].hash);
        const char *then = json_string_value(json_array_get(before, i));
        if (!then || strcmp(then, text) != 0) return files->items[i].name;
    }
    return NULL;
}

void data_files_free(DataFiles *files)
{
    memory_free(files->items);
    *files = (DataFiles){0};
}
