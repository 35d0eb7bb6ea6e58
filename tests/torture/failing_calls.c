/* Preloaded by tests/torture/torture.py: lets the nth call of a kind fail in any program, in its
 * libraries too.
 *
 *   TORTURE_KINDS   which calls count, separated by commas: memory, map, open, read, write, sync, rename, close, stat,
 *                   lock, thread
 *   TORTURE_AT      the number of the call, from 1; 0: none
 *   TORTURE_HOW     once     it fails
 *                   always   it and all later ones fail
 *                   short    it and all later reads and writes move half of the bytes
 *                   kill     the process is killed before it
 *                   torn     the process is killed after it; a write has then moved half of its bytes
 *   TORTURE_FROM    load     calls count from the first, those of libraries that start up too; else from main
 *   TORTURE_COUNT   a file that takes the number of calls counted when the program exits
 *   TORTURE_KEEP    a folder that takes a link to each file made by a rename
 *
 * When a call was to fail and the program crashes, "torture: SIGNAL in A B C" on standard error
 * names the program and the libraries whose functions were running, innermost first.
 *
 * Only calls through the dynamic linker are seen: not those that the C library makes inside of
 * printf. */
#include "fate.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t boundary, size_t size);

// Memory

void *malloc(size_t size)
{
    DECIDE(MEMORY, ENOMEM, NULL)
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    DECIDE(MEMORY, ENOMEM, NULL)
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    DECIDE(MEMORY, ENOMEM, NULL)
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t boundary, size_t size)
{
    DECIDE(MEMORY, ENOMEM, NULL)
    return __libc_memalign(boundary, size);
}

void *memalign(size_t boundary, size_t size)
{
    DECIDE(MEMORY, ENOMEM, NULL)
    return __libc_memalign(boundary, size);
}

int posix_memalign(void **memory, size_t boundary, size_t size)
{
    DECIDE(MEMORY, ENOMEM, ENOMEM)
    *memory = __libc_memalign(boundary, size);
    return *memory ? 0 : ENOMEM;
}

void *mmap(void *wish, size_t size, int protection, int flags, int descriptor, off_t offset)
{
    REAL(mmap)
    DECIDE(MAP, ENOMEM, MAP_FAILED)
    return real(wish, size, protection, flags, descriptor, offset);
}

void *mmap64(void *wish, size_t size, int protection, int flags, int descriptor, off64_t offset)
{
    return mmap(wish, size, protection, flags, descriptor, offset);
}

// Files

static mode_t mode_of(int flags, va_list arguments)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    REAL(openat)
    DECIDE(OPEN, flags & O_CREAT ? ENOSPC : EMFILE, -1)
    int descriptor = real(folder, path, flags, mode);
    fate_after(ahead);
    return descriptor;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return openat(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return openat(AT_FDCWD, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return openat(folder, path, flags, mode);
}

int mkostemp(char *template, int flags)
{
    REAL(mkostemp)
    DECIDE(OPEN, ENOSPC, -1)
    int descriptor = real(template, flags);
    fate_after(ahead);
    return descriptor;
}

int mkstemp(char *template)
{
    return mkostemp(template, 0);
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(fopen)
    DECIDE(OPEN, EMFILE, NULL)
    FILE *file = real(path, mode);
    fate_after(ahead);
    return file;
}

FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

static size_t moved(Fate ahead, size_t count)
{
    return ahead == HALVE ? count - count / 2 : count;
}

ssize_t read(int descriptor, void *data, size_t count)
{
    REAL(read)
    DECIDE(READ, EIO, -1)
    return real(descriptor, data, moved(ahead, count));
}

ssize_t pread(int descriptor, void *data, size_t count, off_t offset)
{
    REAL(pread)
    DECIDE(READ, EIO, -1)
    return real(descriptor, data, moved(ahead, count), offset);
}

ssize_t write(int descriptor, const void *data, size_t count)
{
    REAL(write)
    DECIDE(WRITE, ENOSPC, -1)
    ssize_t written = real(descriptor, data, moved(ahead, count));
    fate_after(ahead);
    return written;
}

ssize_t pwrite(int descriptor, const void *data, size_t count, off_t offset)
{
    REAL(pwrite)
    DECIDE(WRITE, ENOSPC, -1)
    ssize_t written = real(descriptor, data, moved(ahead, count), offset);
    fate_after(ahead);
    return written;
}

// Of streams this is where a full disk is noticed.
int fflush(FILE *file)
{
    REAL(fflush)
    if (file == stderr || file == NULL) return real(file);
    DECIDE(WRITE, ENOSPC, EOF)
    int status = real(file);
    fate_after(ahead);
    return status;
}

int fsync(int descriptor)
{
    REAL(fsync)
    DECIDE(SYNC, EIO, -1)
    int status = real(descriptor);
    fate_after(ahead);
    return status;
}

int fdatasync(int descriptor)
{
    REAL(fdatasync)
    DECIDE(SYNC, EIO, -1)
    int status = real(descriptor);
    fate_after(ahead);
    return status;
}

static atomic_long kept;

static void keep(const char *path)
{
    char kept_path[4096];
    const char *folder = fate_keep_folder();
    if (!folder) return;
    snprintf(kept_path, sizeof kept_path, "%s/%ld", folder, (long)kept++);
    (void)linkat(AT_FDCWD, path, AT_FDCWD, kept_path, 0);
}

int rename(const char *from, const char *to)
{
    REAL(rename)
    DECIDE(RENAME, EIO, -1)
    int status = real(from, to);
    if (!status) keep(to);
    fate_after(ahead);
    return status;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    REAL(renameat)
    DECIDE(RENAME, EIO, -1)
    int status = real(from_folder, from, to_folder, to);
    fate_after(ahead);
    return status;
}

// As on Linux, the descriptor is closed all the same.
int close(int descriptor)
{
    REAL(close)
    Fate ahead = fate_of(CLOSE);
    int status = real(descriptor);
    fate_after(ahead);
    if (ahead != FAIL) return status;
    errno = EIO;
    return -1;
}

int fclose(FILE *file)
{
    REAL(fclose)
    Fate ahead = fate_of(CLOSE);
    int status = real(file);
    fate_after(ahead);
    if (ahead != FAIL) return status;
    errno = EIO;
    return EOF;
}

int stat(const char *path, struct stat *info)
{
    REAL(stat)
    DECIDE(STAT, EIO, -1)
    return real(path, info);
}

int lstat(const char *path, struct stat *info)
{
    REAL(lstat)
    DECIDE(STAT, EIO, -1)
    return real(path, info);
}

int fstat(int descriptor, struct stat *info)
{
    REAL(fstat)
    DECIDE(STAT, EIO, -1)
    return real(descriptor, info);
}

int flock(int descriptor, int operation)
{
    REAL(flock)
    DECIDE(LOCK, ENOLCK, -1)
    return real(descriptor, operation);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *),
                   void *argument)
{
    REAL(pthread_create)
    DECIDE(THREAD, EAGAIN, EAGAIN)
    return real(thread, attributes, begin, argument);
}
