#define _GNU_SOURCE
#include "support/failing_call.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/types.h>

static _Thread_local struct {
    FailingCall call;
    size_t countdown; // 0 is off
    int number;
    void (*meanwhile)(void);
    bool came;
} state;

void failing_call_at(FailingCall call, size_t n, int number)
{
    state.call = call;
    state.countdown = n;
    state.number = number;
    state.meanwhile = NULL;
    state.came = false;
}

void failing_call_meanwhile(FailingCall call, size_t n, void (*meanwhile)(void))
{
    failing_call_at(call, n, 0);
    state.meanwhile = meanwhile;
}

bool failing_call_stop(void)
{
    state.countdown = 0;
    return state.came;
}

// Whether this call fails; errno is then set.
static bool fails_now(FailingCall call)
{
    if (state.countdown == 0 || state.call != call || --state.countdown > 0) return false;
    state.came = true;
    if (state.meanwhile)
        state.meanwhile();
    else
        errno = state.number;
    return !state.meanwhile;
}

// As for malloc (failing_malloc.c), the linker turns calls into those of the wraps.
#define WRAP(name, CALL, result, parameters, arguments)                                            \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters                                                                \
    {                                                                                              \
        if (fails_now(CALL)) return errno ? -1 : 0;                                                \
        return __real_##name arguments;                                                            \
    }

WRAP(read, CALL_READ, ssize_t, (int file, void *to, size_t bytes), (file, to, bytes))
WRAP(write, CALL_WRITE, ssize_t, (int file, const void *from, size_t bytes), (file, from, bytes))
WRAP(pread, CALL_PREAD, ssize_t, (int file, void *to, size_t bytes, off_t at),
     (file, to, bytes, at))
WRAP(pwrite, CALL_PWRITE, ssize_t, (int file, const void *from, size_t bytes, off_t at),
     (file, from, bytes, at))
WRAP(fstat, CALL_FSTAT, int, (int file, struct stat *info), (file, info))
WRAP(fsync, CALL_FSYNC, int, (int file), (file))
WRAP(fchown, CALL_FCHOWN, int, (int file, uid_t user, gid_t group), (file, user, group))
WRAP(flock, CALL_FLOCK, int, (int file, int how), (file, how))
WRAP(rename, CALL_RENAME, int, (const char *from, const char *to), (from, to))
WRAP(unlink, CALL_UNLINK, int, (const char *path), (path))
WRAP(getentropy, CALL_GETENTROPY, int, (void *to, size_t bytes), (to, bytes))
