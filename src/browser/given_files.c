#include "browser/given_files.h"

#include "base/memory.h"
#include "io/file_content.h"

#include <string.h>

typedef struct GivenFile {
    char *path, *data;
    size_t size;
} GivenFile;

static GivenFile files[MAX_GIVEN_FILES];

static GivenFile *find(const char *path)
{
    for (size_t i = 0; i < MAX_GIVEN_FILES; i++)
        if (path ? files[i].path && !strcmp(files[i].path, path) : !files[i].path) return &files[i];
    return NULL;
}

Status given_file_add(char *path, char *data, size_t size, Error *error)
{
    GivenFile *file = find(NULL);
    if (file) {
        *file = (GivenFile){path, data, size};
        return STATUS_OK;
    }
    memory_free(path);
    memory_free(data);
    return error_set(error, STATUS_ARGUMENT, "there are more than %d models", MAX_GIVEN_FILES);
}

// A file is opened once.
Status file_content_open(FileContent *content, const char *path, Error *error)
{
    GivenFile *file = find(path);
    *content = (FileContent){0};
    if (!file) return error_set(error, STATUS_IO, "%s: is not there", path);
    *content = (FileContent){.data = file->data, .size = file->size, .done = file->size};
    memory_free(file->path);
    *file = (GivenFile){0};
    return STATUS_OK;
}

Status file_content_read_first(FileContent *content, size_t bytes, const char *path, Error *error)
{
    (void)content, (void)bytes, (void)path, (void)error;
    return STATUS_OK;
}

Status file_content_read_rest(FileContent *content, const char *path, Error *error)
{
    return file_content_read_first(content, content->size, path, error);
}

Status file_content_read(FileContent *content, const char *path, Error *error)
{
    return file_content_open(content, path, error);
}

void file_content_free(FileContent *content)
{
    memory_free(content->data);
    *content = (FileContent){0};
}
