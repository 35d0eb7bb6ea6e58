#define _GNU_SOURCE
#include "io/file_content.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Status read_failed(const char *path, int number, Error *error)
{
    return error_set(error, STATUS_IO, "%s: cannot be read: %s", path, strerror(number));
}

Status file_content_open(FileContent *content, const char *path, Error *error)
{
    struct stat now;
    // without O_NONBLOCK, opening a pipe would wait for a writer
    *content = (FileContent){.descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    if (content->descriptor < 0)
        return error_set(error, STATUS_IO,
                         "%s: cannot be opened: %s; check the name and permissions", path,
                         strerror(errno));
    content->open = true;
    if (fstat(content->descriptor, &now)) return read_failed(path, errno, error);
    if (S_ISDIR(now.st_mode))
        return error_set(error, STATUS_IO, "%s: is a directory; name a file in it", path);
    if (!S_ISREG(now.st_mode))
        return error_set(error, STATUS_IO, "%s: is not a regular file; name a file to read", path);
    content->size = (size_t)now.st_size;
    content->modified = now.st_mtim;
    if (!content->size) return STATUS_OK;
    content->data = memory_in_large_pages(content->size, 1);
    return content->data ? STATUS_OK : error_memory(error, content->size, path);
}

Status file_content_read_first(FileContent *content, size_t bytes, const char *path, Error *error)
{
    if (bytes > content->size) bytes = content->size;
    while (content->done < bytes) {
        ssize_t count =
            read(content->descriptor, content->data + content->done, bytes - content->done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return read_failed(path, errno, error);
        if (count == 0)
            return error_set(error, STATUS_IO, "%s: was cut while it was read; try again", path);
        content->done += (size_t)count;
    }
    return STATUS_OK;
}

static void close_file(FileContent *content)
{
    if (content->open) close(content->descriptor);
    content->open = false;
}

Status file_content_read_rest(FileContent *content, const char *path, Error *error)
{
    struct stat now;
    TRY(file_content_read_first(content, content->size, path, error));
    if (fstat(content->descriptor, &now)) return read_failed(path, errno, error);
    close_file(content);
    if ((size_t)now.st_size == content->size && now.st_mtim.tv_sec == content->modified.tv_sec &&
        now.st_mtim.tv_nsec == content->modified.tv_nsec)
        return STATUS_OK;
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
