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

static Status read_all(FileContent *content, int descriptor, const char *path, Error *error)
{
    for (size_t done = 0; done < content->size;) {
        ssize_t count = read(descriptor, content->data + done, content->size - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return read_failed(path, errno, error);
        if (count == 0)
            return error_set(error, STATUS_IO, "%s: was cut while it was read; try again", path);
        done += (size_t)count;
    }
    return STATUS_OK;
}

static Status read_open(FileContent *content, int descriptor, const char *path, Error *error)
{
    struct stat before, after;
    if (fstat(descriptor, &before)) return read_failed(path, errno, error);
    if (S_ISDIR(before.st_mode))
        return error_set(error, STATUS_IO, "%s: is a directory; name a file in it", path);
    if (!S_ISREG(before.st_mode))
        return error_set(error, STATUS_IO, "%s: is not a regular file; name a file to read", path);
    if (before.st_size == 0) return STATUS_OK;
    content->size = (size_t)before.st_size;
    content->data = memory_in_large_pages(content->size, 1);
    if (!content->data) return error_memory(error, content->size, path);
    TRY(read_all(content, descriptor, path, error));
    if (fstat(descriptor, &after)) return read_failed(path, errno, error);
    if (after.st_size != before.st_size || after.st_mtim.tv_sec != before.st_mtim.tv_sec ||
        after.st_mtim.tv_nsec != before.st_mtim.tv_nsec)
        return error_set(error, STATUS_IO, "%s: was changed while it was read; try again", path);
    return STATUS_OK;
}

Status file_content_read(FileContent *content, const char *path, Error *error)
{
    *content = (FileContent){0};
    // without O_NONBLOCK, opening a pipe would wait for a writer
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return error_set(error, STATUS_IO,
                         "%s: cannot be opened: %s; check the name and permissions", path,
                         strerror(errno));
    Status status = read_open(content, descriptor, path, error);
    close(descriptor);
    if (status) file_content_free(content);
    return status;
}

void file_content_free(FileContent *content)
{
    memory_free(content->data);
    *content = (FileContent){0};
}
