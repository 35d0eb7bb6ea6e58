#include "browser/given_files.h"

#include "base/array.h"
#include "io/file_content.h"
#include "io/file_writer.h"

typedef struct GivenFile {
    char *path;
    Bytes bytes;
    bool written; // here, so it stays when it is read
} GivenFile;

static GivenFile files[MAX_GIVEN_FILES];

static GivenFile *find(const char *path)
{
    for (size_t i = 0; i < MAX_GIVEN_FILES; i++)
        if (path ? files[i].path && !strcmp(files[i].path, path) : !files[i].path) return &files[i];
    return NULL;
}

static void forget(GivenFile *file)
{
    if (!file) return;
    memory_free(file->path);
    bytes_free(&file->bytes);
    *file = (GivenFile){0};
}

Status given_file_add(char *path, char *data, size_t size, Error *error)
{
    GivenFile *file = find(NULL);
    GivenFile given = {.path = path, .bytes = {data, size, size}};
    if (file) {
        *file = given;
        return STATUS_OK;
    }
    forget(&given);
    return error_set(error, STATUS_ARGUMENT, "there are more than %d models", MAX_GIVEN_FILES);
}

TextView given_file_view(const char *path)
{
    static const Bytes none;
    const GivenFile *file = find(path);
    return bytes_view(file ? &file->bytes : &none);
}

static Status copy(FileContent *content, const GivenFile *file, Error *error)
{
    content->data = memory_aligned(content->size, 1);
    if (!content->data) return error_memory(error, content->size, file->path);
    memcpy(content->data, bytes_text(&file->bytes), content->size);
    return STATUS_OK;
}

Status file_content_open(FileContent *content, const char *path, Error *error)
{
    GivenFile *file = find(path);
    *content = (FileContent){0};
    if (!file) return error_set(error, STATUS_IO, "%s: is not there", path);
    content->size = content->done = file->bytes.length;
    if (file->written) return copy(content, file, error);
    content->data = file->bytes.data;
    file->bytes = (Bytes){0};
    forget(file);
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

struct FileWriter {
    GivenFile *file; // under its temporary name
    size_t length;   // of the path, with which that begins
};

Status file_writer_open(FileWriter **out, const char *path, Error *error)
{
    FileWriter *writer;
    FREED_BY(bytes_free) Bytes name = {0};
    GivenFile *file = find(NULL);
    if (!file) return error_set(error, STATUS_ARGUMENT, "%s: there are too many files", path);
    TRY(bytes_append_format(&name, error, "%s.tmp", path));
    TRY(array_new(&writer, 1, path, error));
    *file = (GivenFile){.path = memory_take(&name.data), .written = true};
    *writer = (FileWriter){file, strlen(path)};
    *out = writer;
    return STATUS_OK;
}

Status file_writer_write(FileWriter *writer, const void *data, size_t bytes, Error *error)
{
    return bytes_append(&writer->file->bytes, data, bytes, error);
}

const char *file_writer_temporary(const FileWriter *writer)
{
    return writer->file->path;
}

Status file_writer_commit(FileWriter *writer, Error *error)
{
    (void)error;
    char *path = writer->file->path;
    writer->file->path = NULL; // so that the file that is replaced is found, not this one
    path[writer->length] = '\0';
    forget(find(path));
    writer->file->path = path;
    memory_free(writer);
    return STATUS_OK;
}

void file_writer_abandon(FileWriter *writer)
{
    if (!writer) return;
    forget(writer->file);
    memory_free(writer);
}
