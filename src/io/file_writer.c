#define _GNU_SOURCE
#include "io/file_writer.h"

#include "base/array.h"
#include "base/bytes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct FileWriter {
    int descriptor;
    char *path;      // of the file itself, not of a link to it
    char *temporary; // in the same folder, so that the rename is atomic
};

enum { TRIES = 100 }; // to find a name that is free

static const char PATTERN[] = ".xxxxxxxx.tmp"; // what a temporary name has more than the path
enum { DIGITS = 8, ADDED = sizeof PATTERN - 1 };

static const char KEPT[] = "the previous file is kept";

static void writer_free(FileWriter *writer)
{
    if (!writer) return;
    memory_free(writer->path);
    memory_free(writer->temporary);
    memory_free(writer);
}
FREES_POINTER(FileWriter, writer_free)

static Status failed(const char *path, int number, const char *what, const char *advice,
                     Error *error)
{
    bool full = number == ENOSPC || number == EDQUOT;
    return error_set(error, full ? STATUS_FULL : STATUS_IO, "%s: cannot be %s: %s; %s", path, what,
                     strerror(number), advice);
}

// Finds the file that is to be replaced, which need not exist yet; its path is freed by memory_free.
static Status resolve(char **resolved, const char *path, struct stat *old, bool *exists,
                      Error *error)
{
    if (!path[0])
        return error_set(error, STATUS_IO, "the name of the output file is empty; name a file");
    *exists = stat(path, old) == 0;
    if (*exists && !S_ISREG(old->st_mode))
        return error_set(error, STATUS_IO, "%s: is not a regular file; name a file to write", path);
    struct stat link;
    bool is_link = lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    *resolved = is_link ? realpath(path, NULL) : memory_copy_string(path, strlen(path));
    if (*resolved) return STATUS_OK;
    if (!is_link) return error_memory(error, strlen(path), "a file name");
    return error_set(error, STATUS_IO, "%s: is a link to no file; remove it", path);
}

/* Opens and locks a file of a new name. Between the two steps another process may take it for one
 * that was left behind and remove it: then it has no name any more. */
static bool create(FileWriter *writer)
{
    char *digits = writer->temporary + strlen(writer->path) + 1;
    for (unsigned i = 0; i < TRIES; i++) {
        uint32_t number; // that two processes hardly ever share, not even those of two containers
        char written[DIGITS + 1];
        if (getentropy(&number, sizeof number)) return false;
        (void)snprintf(written, sizeof written, "%08" PRIx32, number);
        memcpy(digits, written, DIGITS);
        writer->descriptor =
            open(writer->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (writer->descriptor < 0 && errno != EEXIST) return false;
        if (writer->descriptor < 0) continue;
        struct stat info;
        flock(writer->descriptor, LOCK_EX | LOCK_NB); // some file systems have no locks
        if (fstat(writer->descriptor, &info) == 0 && info.st_nlink > 0) return true;
        close(writer->descriptor);
    }
    errno = EEXIST;
    return false;
}

static bool is_temporary_of(const char *entry, const char *name)
{
    size_t length = strlen(name);
    return strlen(entry) == length + ADDED && !strncmp(entry, name, length) &&
           entry[length] == PATTERN[0] &&
           strspn(entry + length + 1, "0123456789abcdef") == DIGITS &&
           !strcmp(entry + length + 1 + DIGITS, PATTERN + 1 + DIGITS);
}

// Removes what programs that were killed have left: temporary files that nobody has locked.
static void remove_stale(const FileWriter *writer)
{
    const char *slash = strrchr(writer->path, '/'), *name = slash ? slash + 1 : writer->path;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(name - writer->path), writer->path);
    DIR *entries = opendir(slash ? folder : ".");
    if (!entries) return;
    const char *own = writer->temporary + (name - writer->path);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (!is_temporary_of(entry->d_name, name) || !strcmp(entry->d_name, own)) continue;
        int stale =
            openat(dirfd(entries), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (stale < 0) continue;
        if (flock(stale, LOCK_EX | LOCK_NB) == 0) unlinkat(dirfd(entries), entry->d_name, 0);
        close(stale);
    }
    closedir(entries);
}

Status file_writer_open(FileWriter **out, const char *path, Error *error)
{
    struct stat old;
    bool exists = false;
    FREED_BY(writer_free_at) FileWriter *writer = NULL;
    TRY(array_new(&writer, 1, "a file to write", error));
    FREED_BY(bytes_free) Bytes temporary = {0};
    TRY(resolve(&writer->path, path, &old, &exists, error));
    TRY(bytes_append_format(&temporary, error, "%s%s", writer->path, PATTERN));
    writer->temporary = memory_take(&temporary.data);
    if (!create(writer))
        return failed(path, errno, "created", "check the folder and its permissions", error);
    // only root may give a file away; a change of owner drops bits of the mode, so it comes first
    if (exists && fchown(writer->descriptor, old.st_uid, old.st_gid) == 0)
        (void)fchmod(writer->descriptor, old.st_mode & 07777);
    else if (exists)
        (void)fchmod(writer->descriptor, old.st_mode & 0777);
    remove_stale(writer);
    *out = memory_take(&writer);
    return STATUS_OK;
}

Status file_writer_write(FileWriter *writer, const void *data, size_t bytes, Error *error)
{
    const char *rest = data;
    while (bytes > 0) {
        ssize_t written = write(writer->descriptor, rest, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return failed(writer->path, errno, "written", KEPT, error);
        rest += written;
        bytes -= (size_t)written;
    }
    return STATUS_OK;
}

const char *file_writer_temporary(const FileWriter *writer)
{
    return writer->temporary;
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

// Closed last, so that the lock holds until the name is gone.
Status file_writer_commit(FileWriter *writer, Error *error)
{
    int number = 0;
    if (fsync(writer->descriptor) && errno != EINVAL) number = errno;
    if (!number && rename(writer->temporary, writer->path)) number = errno;
    if (number) {
        Status status = failed(writer->path, number, "written", KEPT, error);
        file_writer_abandon(writer);
        return status;
    }
    close(writer->descriptor); // nothing of it is unwritten any more
    sync_folder(writer);
    writer_free(writer);
    return STATUS_OK;
}

Status file_write(const char *path, const void *data, size_t bytes, Error *error)
{
    FileWriter *writer;
    TRY(file_writer_open(&writer, path, error));
    Status status = file_writer_write(writer, data, bytes, error);
    if (!status) return file_writer_commit(writer, error);
    file_writer_abandon(writer);
    return status;
}

Status file_refuse_existing(const char *path, const char *otherwise, Error *error)
{
    struct stat info;
    if (stat(path, &info) || !S_ISREG(info.st_mode)) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT, "%s: exists; %s", path, otherwise);
}

bool file_is_same(const char *path, const char *other)
{
    struct stat one, two;
    return !stat(path, &one) && !stat(other, &two) && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

void file_writer_abandon(FileWriter *writer)
{
    if (!writer) return;
    unlink(writer->temporary);
    close(writer->descriptor);
    writer_free(writer);
}
