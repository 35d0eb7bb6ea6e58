#define _GNU_SOURCE
#include "io/file_lock.h"

#include "base/array.h"
#include "base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct FileLock {
    int descriptor;
    Bytes path; // of the lock itself
};

static void lock_free(FileLock *lock)
{
    if (!lock) return;
    if (lock->descriptor >= 0) close(lock->descriptor);
    bytes_free(&lock->path);
    memory_free(lock);
}
FREES_POINTER(FileLock, lock_free)

enum { HOLDER_SIZE = 32 }; // a process number, a newline and a NUL take less

// The process number in the file; false if it cannot be read or holds anything else. A new file is empty.
static bool read_holder(char holder[HOLDER_SIZE], const FileLock *lock)
{
    struct stat info;
    holder[0] = '\0';
    if (fstat(lock->descriptor, &info) == 0 && info.st_size == 0) return true;
    ssize_t length = pread(lock->descriptor, holder, HOLDER_SIZE - 1, 0);
    holder[length > 0 ? length : 0] = '\0';
    size_t digits = strspn(holder, "0123456789");
    bool ours =
        length >= 0 && strspn(holder, "0123456789\n") == (size_t)length && length < HOLDER_SIZE - 1;
    holder[digits] = '\0';
    return ours;
}

/* Opens and locks the file. A holder removes it when it ends: what was opened before that and locked
 * after has no name any more, and is opened anew. */
static Status acquire(FileLock *lock, const char *path, Error *error)
{
    char holder[HOLDER_SIZE];
    for (;;) {
        struct stat info;
        lock->descriptor = open(lock->path.data, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (lock->descriptor < 0)
            return error_set(error, STATUS_IO,
                             "%s: cannot be created: %s; check the folder and its permissions",
                             path, strerror(errno));
        if (flock(lock->descriptor, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
            read_holder(holder, lock);
            return error_set(error, STATUS_IO,
                             "%s: another program is writing it%s%s; wait until it ends, or name "
                             "another file",
                             path, holder[0] ? ": process " : "", holder);
        }
        if (fstat(lock->descriptor, &info) || info.st_nlink > 0) break;
        close(lock->descriptor);
    }
    if (!read_holder(holder, lock))
        return error_set(error, STATUS_IO,
                         "%s: has the name of the lock of %s, but is no lock; rename one of them",
                         lock->path.data, path);
    if (ftruncate(lock->descriptor, 0) == 0) dprintf(lock->descriptor, "%ld\n", (long)getpid());
    return STATUS_OK;
}

Status file_lock_take(FileLock **out, const char *path, Error *error)
{
    FREED_BY(lock_free_at) FileLock *lock = NULL;
    TRY(array_new(&lock, 1, "a lock", error));
    lock->descriptor = -1;
    TRY(bytes_append_format(&lock->path, error, "%s.lock", path));
    TRY(acquire(lock, path, error));
    *out = memory_take(&lock);
    return STATUS_OK;
}

const char *file_lock_path(const FileLock *lock)
{
    return lock->path.data;
}

void file_lock_release(FileLock *lock)
{
    if (!lock) return;
    unlink(lock->path.data); // before the lock is free, so that it is this holder's file
    lock_free(lock);
}
