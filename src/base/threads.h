/* A fixed team of worker threads. Work is cut by sentences or by ranges, never inside a matrix
 * product; every worker knows its number, so what it does, and therefore every bit of the result,
 * does not depend on timing. */
#ifndef REGARD_BASE_THREADS_H
#define REGARD_BASE_THREADS_H

#include "base/status.h"

#include <stddef.h>

typedef struct Threads Threads;

/* Starts a team of `count` ≥ 1; the caller's thread is number 0, so `count - 1` threads are made.
 * Freed by threads_free. */
Status threads_new(Threads **threads, size_t count, Error *error);

// Ends the team; NULL is allowed. No work may be under way.
void threads_free(Threads *threads);

size_t threads_count(const Threads *threads);

// Calls work(context, worker) once for each worker 0 … count-1, all at once, and returns when all
// have returned.
void threads_run(Threads *threads, void (*work)(void *context, size_t worker), void *context);

/* Calls here(context) in this thread and beside(context) in one of its own at the same time, and returns when both have
 * returned. Where no thread can be started, one after the other. */
void threads_both(void (*here)(void *context), void (*beside)(void *context), void *context);

// Processors this process may run on, at least 1.
size_t threads_available(void);

// The part of 0 … total-1 that falls to `worker`: whole ranges in order, sizes differing by at most
// one `grain`.
void threads_range(size_t total, size_t grain, size_t worker, size_t workers, size_t *begin,
                   size_t *end);

#endif
