#define _GNU_SOURCE
#include "io/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

Status input_file_open(InputFile *file, const char *name, int flags, int descriptor, Error *error)
{
    Status status = STATUS_OK;
    file->descriptor = descriptor < 0 ? open(name, O_RDONLY | O_CLOEXEC | flags) : descriptor;
    if (file->descriptor < 0)
        return error_set(error, STATUS_IO,
                         "%s: cannot be opened: %s; check the name and permissions", name,
                         strerror(errno));
    if (fstat(file->descriptor, &file->opened))
        status = error_set(error, STATUS_IO, "%s: cannot be read: %s", name, strerror(errno));
    else if (S_ISDIR(file->opened.st_mode))
        status = error_set(error, STATUS_IO, "%s: is a directory; name a file in it", name);
    if (status && descriptor < 0) close(file->descriptor);
    return status;
}

Status input_file_read(const InputFile *file, void *to, size_t bytes, size_t *got, const char *name,
                       Error *error)
{
    struct pollfd wanted = {.fd = file->descriptor, .events = POLLIN};
    for (;;) {
        ssize_t count = read(file->descriptor, to, bytes);
        *got = count > 0 ? (size_t)count : 0;
        if (count >= 0) return STATUS_OK;
        if (errno == EAGAIN)
            (void)poll(&wanted, 1, -1);
        else if (errno != EINTR)
            return error_set(error, STATUS_IO, "%s: cannot be read: %s", name, strerror(errno));
    }
}

bool input_file_is_unchanged(const InputFile *file)
{
    const struct stat *before = &file->opened;
    struct stat now;
    return !fstat(file->descriptor, &now) && now.st_size == before->st_size &&
           now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}
