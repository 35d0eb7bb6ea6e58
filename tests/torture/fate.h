/* What becomes of the calls of a program that is tortured: the plan is made by the environment
 * (failing_calls.c). */
#pragma once

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

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

// What a call shall do.
typedef enum Fate { SUCCEED, FAIL, HALVE, DIE_AFTER } Fate;

extern __thread int fate_inside; // of our own calls, which do not count

// Of the next call of that kind, which it counts.
Fate fate_of(unsigned kind);

// Kills the program if that is the fate after a call.
void fate_after(Fate fate);

// TORTURE_KEEP or NULL.
const char *fate_keep_folder(void);

// Declares the C library's function `real`, in the function of the same name that hides it.
#define REAL(name)                                                                                 \
    static __typeof__(&name) real;                                                                 \
    if (!real) {                                                                                   \
        fate_inside++;                                                                             \
        void *found = dlsym(RTLD_NEXT, #name);                                                     \
        memcpy(&real, &found, sizeof real);                                                        \
        fate_inside--;                                                                             \
    }

// Fails with `number` and returns `result`, or declares `ahead`, the fate of the call.
#define DECIDE(kind, number, result)                                                               \
    Fate ahead = fate_of(kind);                                                                    \
    if (ahead == FAIL) {                                                                           \
        errno = number;                                                                            \
        return result;                                                                             \
    }
