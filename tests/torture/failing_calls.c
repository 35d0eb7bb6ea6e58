/* Preloaded by tests/torture/torture.py: lets the nth call of a kind fail in any program, in its libraries too.
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
 * When a call was to fail and the program crashes, "torture: SIGNAL in A B C" on standard error names the program and the
 * libraries whose functions were running, innermost first.
 *
 * Only calls through the dynamic linker are seen: not those that the C library makes inside of printf. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MEMORY = 1,
    MAP = 2,
    OPEN = 4,
    READ = 8,
    WRITE = 16,
    SYNC = 32,
    RENAME = 64,
    CLOSE = 128,
    STAT = 256,
    LOCK = 512,
    THREAD = 1024
};
static const char *const kind_names[] = {"memory", "map",   "open", "read", "write", "sync",
                                         "rename", "close", "stat", "lock", "thread"};

typedef enum How { ONCE, ALWAYS, SHORT, KILL, TORN, HOW_COUNT } How;
static const char *const how_names[] = {"once", "always", "short", "kill", "torn"};

// What a call shall do.
typedef enum Fate { SUCCEED, FAIL, HALVE, DIE_AFTER } Fate;

static struct {
    bool known;
    bool begun; // calls count
    unsigned kinds;
    long at;
    How how;
    const char *count_file, *keep_folder;
} plan;
static atomic_long calls, kept;
static __thread int inside; // of our own calls, which do not count

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t boundary, size_t size);

static unsigned parse_kinds(const char *text)
{
    unsigned kinds = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        for (unsigned i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
            if (strlen(kind_names[i]) == length && !strncmp(kind_names[i], text, length))
                kinds |= 1U << i;
        text += length + (text[length] == ',');
    }
    return kinds;
}

// Before the C library has the environment, nothing counts.
static bool plan_made(void)
{
    if (plan.known) return true;
    if (!environ) return false;
    const char *kinds = getenv("TORTURE_KINDS"), *at = getenv("TORTURE_AT");
    const char *how = getenv("TORTURE_HOW");
    plan.kinds = kinds ? parse_kinds(kinds) : 0;
    plan.at = at ? strtol(at, NULL, 10) : 0;
    for (int i = 0; how && i < HOW_COUNT; i++)
        if (!strcmp(how, how_names[i])) plan.how = (How)i;
    const char *from = getenv("TORTURE_FROM");
    if (from && !strcmp(from, "load")) plan.begun = true;
    plan.count_file = getenv("TORTURE_COUNT");
    plan.keep_folder = getenv("TORTURE_KEEP");
    plan.known = true;
    return true;
}

static Fate fate(unsigned kind)
{
    if (inside || !plan_made() || !plan.begun || !(plan.kinds & kind)) return SUCCEED;
    long call = ++calls;
    bool from_here = plan.how == ALWAYS || plan.how == SHORT;
    if (!plan.at || (from_here ? call < plan.at : call != plan.at)) return SUCCEED;
    if (plan.how == KILL) (void)raise(SIGKILL);
    if (plan.how == TORN) return kind & WRITE ? HALVE : DIE_AFTER;
    if (plan.how == SHORT) return kind & (READ | WRITE) ? HALVE : SUCCEED;
    return FAIL;
}

static void after(Fate fate)
{
    if (plan.how == TORN && fate != SUCCEED) (void)raise(SIGKILL);
}

// Malloc no longer counts; what it might deadlock on is the time limit's.
static void name_the_crashed(int number)
{
    void *frames[64];
    char line[512];
    const char *last = "";
    inside++;
    int count = backtrace(frames, 64);
    int length =
        snprintf(line, sizeof line, "\ntorture: %s in", number == SIGABRT ? "SIGABRT" : "SIGSEGV");
    for (int i = 1; i < count && length < (int)sizeof line - 64; i++) {
        Dl_info info;
        if (!dladdr(frames[i], &info) || !info.dli_fname || !strcmp(info.dli_fname, last)) continue;
        last = info.dli_fname;
        const char *slash = strrchr(last, '/');
        length += snprintf(line + length, 64, " %.60s", slash ? slash + 1 : last);
    }
    line[length++] = '\n';
    if (syscall(SYS_write, STDERR_FILENO, line, (size_t)length) < 0) length = 0;
    (void)raise(number); // SA_RESETHAND: the default, at last
}

__attribute__((constructor)) static void catch_crashes(void)
{
    static char stack[1 << 16]; // for the main thread, whose own one may be what has overflowed
    if (!plan_made() || !plan.at) return;
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    (void)sigaltstack(&other, NULL);
    void *frame;
    inside++;
    (void)backtrace(&frame, 1); // which loads what it needs
    inside--;
    const struct sigaction action = {.sa_handler = name_the_crashed,
                                     .sa_flags = (int)(SA_RESETHAND | SA_ONSTACK)};
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        (void)sigaction(numbers[i], &action, NULL);
}

__attribute__((destructor)) static void write_count(void)
{
    if (!plan.known || !plan.count_file) return;
    inside++;
    FILE *file = fopen(plan.count_file, "w");
    if (file) {
        fprintf(file, "%ld\n", (long)calls);
        fclose(file);
    }
    inside--;
}

// Declares the C library's function `real`, in the function of the same name that hides it.
#define REAL(name)                                                                                 \
    static __typeof__(&name) real;                                                                 \
    if (!real) {                                                                                   \
        inside++;                                                                                  \
        void *found = dlsym(RTLD_NEXT, #name);                                                     \
        memcpy(&real, &found, sizeof real);                                                        \
        inside--;                                                                                  \
    }

// Fails with `number` and returns `result`, or declares `ahead`, the fate of the call.
#define DECIDE(kind, number, result)                                                               \
    Fate ahead = fate(kind);                                                                       \
    if (ahead == FAIL) {                                                                           \
        errno = number;                                                                            \
        return result;                                                                             \
    }

static int (*real_main)(int, char **, char **);

static int counted_main(int count, char **words, char **env)
{
    plan.begun = plan_made();
    return real_main(count, words, env);
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words,
                      void (*start)(void), void (*finish)(void), void (*loader_finish)(void),
                      void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words,
                      void (*start)(void), void (*finish)(void), void (*loader_finish)(void),
                      void *stack_end)
{
    REAL(__libc_start_main)
    real_main = main;
    return real(counted_main, count, words, start, finish, loader_finish, stack_end);
}

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
    after(ahead);
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
    after(ahead);
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
    after(ahead);
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
    after(ahead);
    return written;
}

ssize_t pwrite(int descriptor, const void *data, size_t count, off_t offset)
{
    REAL(pwrite)
    DECIDE(WRITE, ENOSPC, -1)
    ssize_t written = real(descriptor, data, moved(ahead, count), offset);
    after(ahead);
    return written;
}

// Of streams this is where a full disk is noticed.
int fflush(FILE *file)
{
    REAL(fflush)
    if (file == stderr || file == NULL) return real(file);
    DECIDE(WRITE, ENOSPC, EOF)
    int status = real(file);
    after(ahead);
    return status;
}

int fsync(int descriptor)
{
    REAL(fsync)
    DECIDE(SYNC, EIO, -1)
    int status = real(descriptor);
    after(ahead);
    return status;
}

int fdatasync(int descriptor)
{
    REAL(fdatasync)
    DECIDE(SYNC, EIO, -1)
    int status = real(descriptor);
    after(ahead);
    return status;
}

static void keep(const char *path)
{
    char kept_path[4096];
    if (!plan_made() || !plan.keep_folder) return;
    snprintf(kept_path, sizeof kept_path, "%s/%ld", plan.keep_folder, (long)kept++);
    (void)linkat(AT_FDCWD, path, AT_FDCWD, kept_path, 0);
}

int rename(const char *from, const char *to)
{
    REAL(rename)
    DECIDE(RENAME, EIO, -1)
    int status = real(from, to);
    if (!status) keep(to);
    after(ahead);
    return status;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    REAL(renameat)
    DECIDE(RENAME, EIO, -1)
    int status = real(from_folder, from, to_folder, to);
    after(ahead);
    return status;
}

// As on Linux, the descriptor is closed all the same.
int close(int descriptor)
{
    REAL(close)
    Fate ahead = fate(CLOSE);
    int status = real(descriptor);
    after(ahead);
    if (ahead != FAIL) return status;
    errno = EIO;
    return -1;
}

int fclose(FILE *file)
{
    REAL(fclose)
    Fate ahead = fate(CLOSE);
    int status = real(file);
    after(ahead);
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
