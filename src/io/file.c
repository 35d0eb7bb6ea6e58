#define _GNU_SOURCE
#include "io/file.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct FileWriter {
    int descriptor;
    char *path;
    char *temporary; // path.PID.tmp, in the same folder so that the rename is atomic
};

static void writer_free(FileWriter *writer)
{
    memory_free(writer->path);
    memory_free(writer->temporary);
    memory_free(writer);
}

static Status write_failed(const FileWriter *writer, int number, Error *error)
{
    return error_set(error, STATUS_IO, "%s: cannot be written: %s; the previous file is kept",
                     writer->path, strerror(number));
}

Status file_writer_open(FileWriter **out, const char *path, Error *error)
{
    struct stat info;
    if (!path[0])
        return error_set(error, STATUS_IO, "the name of the output file is empty; name a file");
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return error_set(error, STATUS_IO, "%s: is not a regular file; name a file to write", path);
    FileWriter *writer = memory_new(1, sizeof *writer);
    if (!writer) return error_memory(error, sizeof *writer, "a file to write");
    Bytes temporary = {0};
    writer->path = memory_copy_string(path, strlen(path));
    Status status = bytes_append_format(&temporary, error, "%s.%ld.tmp", path, (long)getpid());
    writer->temporary = temporary.data;
    if (!writer->path || status) {
        writer_free(writer);
        return error_memory(error, strlen(path), "a file name");
    }
    writer->descriptor = open(writer->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (writer->descriptor < 0) {
        int number = errno;
        writer_free(writer);
        return error_set(error, STATUS_IO,
                         "%s: cannot be created: %s; check the folder and its permissions", path,
                         strerror(number));
    }
    *out = writer;
    return STATUS_OK;
}

Status file_writer_write(FileWriter *writer, const void *data, size_t bytes, Error *error)
{
    const char *rest = data;
    while (bytes > 0) {
        ssize_t written = write(writer->descriptor, rest, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return write_failed(writer, errno, error);
        rest += written;
        bytes -= (size_t)written;
    }
    return STATUS_OK;
}

/* A rename is on disk only when its folder is. Failing to open or sync the folder is no error, as
 * the file itself is complete. The temporary name, which is no longer in use, is cut to its
 * folder. */
static void sync_folder(FileWriter *writer)
{
    char *slash = strrchr(writer->temporary, '/');
    if (slash) slash[1] = '\0';
    int descriptor = open(slash ? writer->temporary : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)fsync(descriptor);
    close(descriptor);
}

Status file_writer_commit(FileWriter *writer, Error *error)
{
    int number = 0;
    if (fsync(writer->descriptor) && errno != EINVAL) number = errno;
    if (close(writer->descriptor) && !number) number = errno;
    if (!number && rename(writer->temporary, writer->path)) number = errno;
    Status status = STATUS_OK;
    if (number) {
        unlink(writer->temporary);
        status = write_failed(writer, number, error);
    } else {
        sync_folder(writer);
    }
    writer_free(writer);
    return status;
}

void file_writer_abandon(FileWriter *writer)
{
    if (!writer) return;
    close(writer->descriptor);
    unlink(writer->temporary);
    writer_free(writer);
}

Status file_map(FileMap *map, const char *path, Error *error)
{
    *map = (FileMap){0};
    // without O_NONBLOCK, opening a pipe would wait for a writer
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return error_set(error, STATUS_IO,
                         "%s: cannot be opened: %s; check the name and its permissions", path,
                         strerror(errno));
    struct stat info;
    Status status = STATUS_OK;
    if (fstat(descriptor, &info)) {
        status = error_set(error, STATUS_IO, "%s: cannot be read: %s", path, strerror(errno));
    } else if (!S_ISREG(info.st_mode)) {
        status =
            error_set(error, STATUS_IO, "%s: is not a regular file; name a file to read", path);
    } else if (info.st_size > 0) {
        void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (data == MAP_FAILED)
            status = error_set(error, STATUS_IO, "%s: cannot be mapped: %s", path, strerror(errno));
        else
            *map = (FileMap){data, (size_t)info.st_size};
    }
    close(descriptor);
    return status;
}

void file_unmap(FileMap *map)
{
    if (map->data) munmap((void *)(size_t)map->data, map->size);
    *map = (FileMap){0};
}
