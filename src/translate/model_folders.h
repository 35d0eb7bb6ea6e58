/* Where models are found by name: en-fr is the file en-fr.safetensors in the first of
 *
 *     the folders of $REGARD_MODELS, with colons between them
 *     $XDG_DATA_HOME/regard/models, or ~/.local/share/regard/models
 *     ../share/regard/models, seen from the folder of the program that runs: what is installed
 *     models, beside that program
 *     the same two, seen from libregard.so, where that is used, and ../../share/regard/models
 *
 * that has it. */
#pragma once

#include "base/bytes.h"

#define MODEL_ENDING ".safetensors"

// The length of a file's name or path without the ending of a model file; all of it if it has none.
static inline size_t model_stem(const char *path)
{
    size_t length = strlen(path), ending = strlen(MODEL_ENDING);
    bool ends = length > ending && strcmp(path + length - ending, MODEL_ENDING) == 0;
    return ends ? length - ending : length;
}

// A model that a name finds.
typedef struct NamedModel {
    char *name; // "en-fr"
    char *path;
} NamedModel;

// Start from {0}, end with model_folders_free, also after a failure.
typedef struct ModelFolders {
    char **paths; // (count) in the order of the search, whether they exist or not
    size_t count, capacity;
    NamedModel *models; // (model_count) by name; those that an earlier folder hides are left out
    size_t model_count, model_capacity;
} ModelFolders;

// Reads the environment and the folders. One that does not exist, or is not the user's to read, has
// no models; STATUS_IO if reading another fails.
Status model_folders_read(ModelFolders *folders, Error *error);

void model_folders_free(ModelFolders *folders);

// Whether a word can be a model's name: no path, and no ending of a model file.
bool model_is_name(const char *word);

// The model of a name, or NULL.
const NamedModel *model_folders_find(const ModelFolders *folders, const char *name);

/* Replaces a word that is the name of a model by its file, whose path belongs to `folders`, which are read
 * if they have not been. Any other word stays: what no folder has may be a file. */
Status model_folders_replace(const char **word, ModelFolders *folders, Error *error);

/* Appends where was looked: "REGARD_MODELS/a, /b and /c"; if there are models, only the folders that
 * exist. */
Status model_folders_describe(Bytes *out, const ModelFolders *folders, Error *error);

/* Fails with STATUS_IO for a word that is neither a file nor the name of a model: where was looked, what is
 * there, and which name is near. */
Status model_folders_refuse(const ModelFolders *folders, const char *word, Error *error);
