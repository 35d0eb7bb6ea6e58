#define _GNU_SOURCE
#include "translate/model_folders.h"

#include "base/array.h"
#include "base/nearest_name.h"
#include "base/writer.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static Status out_of_memory(Error *error)
{
    return error_memory(error, sizeof(ModelFolders), "the folders of models");
}

// Adds the folder whose path is `length` bytes of `base` and `rest` after it.
static Status add_folder(ModelFolders *folders, const char *base, size_t length, const char *rest,
                         Error *error)
{
    FREED_BY(bytes_free) Bytes path = {0};
    TRY(bytes_append(&path, base, length, error));
    TRY(bytes_append_string(&path, rest, error));
    for (size_t i = 0; i < folders->count; i++)
        if (strcmp(folders->paths[i], path.data) == 0) return STATUS_OK;
    return array_add(&folders->paths, &folders->count, &folders->capacity, "the folders of models",
                     error, memory_take(&path.data));
}

static Status add_given(ModelFolders *folders, const char *list, Error *error)
{
    while (*list) {
        size_t length = strcspn(list, ":");
        if (length > 0) TRY(add_folder(folders, list, length, "", error));
        list += length + (list[length] == ':');
    }
    return STATUS_OK;
}

// By the XDG Base Directory Specification 0.8, a path that is not absolute counts as not set.
static Status add_user(ModelFolders *folders, Error *error)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data == '/')
        return add_folder(folders, data, strlen(data), "/regard/models", error);
    if (!home || *home != '/') return STATUS_OK;
    return add_folder(folders, home, strlen(home), "/.local/share/regard/models", error);
}

/* Adds the folders of a file: "/usr/bin/regard" has /usr/share/regard/models and /usr/bin/models; with two levels
 * "/usr/lib/x86_64-linux-gnu/libregard.so.0" has /usr/share/regard/models, too. */
static Status add_beside(ModelFolders *folders, const char *file, int levels, Error *error)
{
    const char *slash = strrchr(file, '/'), *above = slash;
    if (!slash) return STATUS_OK;
    while (levels-- > 0 && (above = memrchr(file, '/', (size_t)(above - file))))
        TRY(add_folder(folders, file, (size_t)(above - file), "/share/regard/models", error));
    return add_folder(folders, file, (size_t)(slash - file), "/models", error);
}

static Status add_beside_program(ModelFolders *folders, Error *error)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0 || length == PATH_MAX) return STATUS_OK;
    program[length] = '\0';
    return add_beside(folders, program, 1, error);
}

// Where this code is in a library of its own, which may be installed elsewhere than the program.
static Status add_beside_library(ModelFolders *folders, Error *error)
{
    static const char code;
    char library[PATH_MAX];
    Dl_info info;
    if (!dladdr(&code, &info) || !info.dli_fname || !strstr(info.dli_fname, ".so") ||
        !realpath(info.dli_fname, library)) // Debian's /lib is a link
        return STATUS_OK;
    return add_beside(folders, library, 2, error);
}

// The length of the model's name in that of its file; 0 if it is none.
static size_t name_length(const char *file)
{
    size_t stem = model_stem(file);
    return *file != '.' && file[stem] ? stem : 0;
}

static Status add_model(ModelFolders *folders, const char *folder, const char *file, Error *error)
{
    size_t length = name_length(file);
    FREED char *name = memory_copy_string(file, length);
    FREED_BY(bytes_free) Bytes path = {0};
    if (!name) return out_of_memory(error);
    if (length == 0 || model_folders_find(folders, name)) return STATUS_OK;
    TRY(bytes_append_format(&path, error, "%s/%s", folder, file));
    return array_add(&folders->models, &folders->model_count, &folders->model_capacity,
                     "the names of models", error,
                     (NamedModel){memory_take(&name), memory_take(&path.data)});
}

static Status refuse_folder(const char *path, Error *error)
{
    if (errno == ENOMEM) return out_of_memory(error);
    return error_set(error, STATUS_IO, "%s: this folder of models cannot be read: %s", path,
                     strerror(errno));
}

static Status read_folder(ModelFolders *folders, const char *path, Error *error)
{
    DIR *folder = opendir(path);
    Status status = STATUS_OK;
    if (!folder && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) return STATUS_OK;
    if (!folder) return refuse_folder(path, error);
    while (!status) {
        errno = 0; // the end is told from a failure by it alone
        const struct dirent *entry = readdir(folder);
        if (!entry && errno) status = refuse_folder(path, error);
        if (!entry) break;
        status = add_model(folders, path, entry->d_name, error);
    }
    closedir(folder);
    return status;
}

static int compare_names(const void *a, const void *b)
{
    const NamedModel *x = a, *y = b;
    return strcmp(x->name, y->name);
}

Status model_folders_read(ModelFolders *folders, Error *error)
{
    const char *given = getenv("REGARD_MODELS");
    if (given) TRY(add_given(folders, given, error));
    TRY(add_user(folders, error));
    TRY(add_beside_program(folders, error));
    TRY(add_beside_library(folders, error));
    for (size_t i = 0; i < folders->count; i++) TRY(read_folder(folders, folders->paths[i], error));
    if (folders->model_count)
        qsort(folders->models, folders->model_count, sizeof *folders->models, compare_names);
    return STATUS_OK;
}

void model_folders_free(ModelFolders *folders)
{
    for (size_t i = 0; i < folders->count; i++) memory_free(folders->paths[i]);
    for (size_t i = 0; i < folders->model_count; i++) {
        memory_free(folders->models[i].name);
        memory_free(folders->models[i].path);
    }
    memory_free(folders->paths);
    memory_free(folders->models);
    *folders = (ModelFolders){0};
}

bool model_is_name(const char *word)
{
    return *word && *word != '-' && !strchr(word, '/') && name_length(word) == 0;
}

const NamedModel *model_folders_find(const ModelFolders *folders, const char *name)
{
    for (size_t i = 0; i < folders->model_count; i++)
        if (strcmp(folders->models[i].name, name) == 0) return &folders->models[i];
    return NULL;
}

Status model_folders_replace(const char **word, ModelFolders *folders, Error *error)
{
    if (!model_is_name(*word)) return STATUS_OK;
    if (folders->count == 0) TRY(model_folders_read(folders, error));
    const NamedModel *model = model_folders_find(folders, *word);
    if (model) *word = model->path;
    return STATUS_OK;
}

Status model_folders_describe(Bytes *out, const ModelFolders *folders, Error *error)
{
    const char *last = NULL;
    bool several = false;
    for (size_t i = 0; i < folders->count; i++) {
        if (folders->model_count && access(folders->paths[i], F_OK)) continue;
        if (last) TRY(bytes_append_format(out, error, "%s%s", several ? ", " : "", last));
        several = last != NULL;
        last = folders->paths[i];
    }
    return last ? bytes_append_format(out, error, "%s%s", several ? " and " : "", last) : STATUS_OK;
}

// The name nearest to a word or to a file's name without its ending, or NULL.
static Status find_nearest(const char **nearest, const ModelFolders *folders, const char *word,
                           Error *error)
{
    FREED const char **names = NULL;
    char stem[64];
    (void)snprintf(stem, sizeof stem, "%.*s", (int)model_stem(word), word);
    TRY(array_new(&names, folders->model_count, "the names of models", error));
    for (size_t i = 0; i < folders->model_count; i++) names[i] = folders->models[i].name;
    *nearest = nearest_name(stem, names, folders->model_count);
    return STATUS_OK;
}

Status model_folders_refuse(const ModelFolders *folders, const char *word, Error *error)
{
    const char *nearest;
    FREED_BY(bytes_free) Bytes text = {0};
    TRY(find_nearest(&nearest, folders, word, error));
    Writer out = writer_start(&text, error);
    writer_format(&out, "%.200s: there is no such file, and no model of that name", word);
    if (nearest) writer_format(&out, " (did you mean %s?)", nearest);
    writer_string(&out, folders->model_count ? ": there are " : ": there are none in ");
    for (size_t i = 0; i < folders->model_count; i++)
        writer_format(&out, "%s%s", i ? ", " : "", folders->models[i].name);
    if (folders->model_count) writer_string(&out, " in ");
    TRY(writer_end(&out));
    TRY(model_folders_describe(&text, folders, error));
    return error_set(error, STATUS_IO, "%s", bytes_text(&text));
}
