#define _GNU_SOURCE
#include "io/file_content.h"

#include "base/memory.h"

#include <fcntl.h>
#include <unistd.h>

Status file_content_open(FileContent *content, const char *path, Error *error)
{
    *content = (FileContent){0};
    // without O_NONBLOCK, opening a pipe would wait for a writer
    TRY(input_file_open(&content->file, path, O_NONBLOCK, -1, error));
    content->open = true;
    if (!S_ISREG(content->file.opened.st_mode))
        return error_set(error, STATUS_IO, "%s: is not a regular file; name a file to read", path);
    content->size = (size_t)content->file.opened.st_size;
    if (!content->size) return STATUS_OK;
    content->data = memory_in_large_pages(content->size, 1);
    return content->data ? STATUS_OK : error_memory(error, content->size, path);
}

Status file_content_read_first(FileContent *content, size_t bytes, const char *path, Error *error)
{
    if (bytes > content->size) bytes = content->size;
    while (content->done < bytes) {
        size_t got;
        TRY(input_file_read(&content->file, content->data + content->done, bytes - content->done,
                            &got, path, error));
        if (got == 0)
            return error_set(error, STATUS_IO, "%s: was cut while it was read; try again", path);
        content->done += got;
    }
    return STATUS_OK;
}

static void close_file(FileContent *content)
{
    if (content->open) close(content->file.descriptor);
    content->open = false;
}

Status file_content_read_rest(FileContent *content, const char *path, Error *error)
{
    TRY(file_content_read_first(content, content->size, path, error));
    bool unchanged = input_file_is_unchanged(&content->file);
    close_file(content);
    if (unchanged) return STATUS_OK;
    return error_set(error, STATUS_IO, "%s: was changed while it was read; try again", path);
}

Status file_content_read(FileContent *content, const char *path, Error *error)
{
    Status status = file_content_open(content, path, error);
    if (!status) status = file_content_read_rest(content, path, error);
    if (status) file_content_free(content);
    return status;
}

void file_content_free(FileContent *content)
{
    close_file(content);
    memory_free(content->data);
    *content = (FileContent){0};
}
