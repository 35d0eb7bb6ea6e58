/* A fixed team of worker threads. Work is divided by sentences or by ranges, never inside a matrix
 * product. Every worker has a number that decides what it does, so results do not depend on timing.
 */
#pragma once

#include "base/status.h"

typedef struct Threads Threads;

/* Starts a team of `count` ≥ 1; the caller's thread is number 0, so `count - 1` threads are made.
 * Freed by threads_free. */
Status threads_new(Threads **threads, size_t count, Error *error);

// Ends the team; NULL is allowed. No work may be running.
void threads_free(Threads *threads);
FREES_POINTER(Threads, threads_free)

size_t threads_count(const Threads *threads);

// Calls work(context, worker) for each worker 0 … count-1 at the same time; returns when all are
// done.
void threads_run(Threads *threads, void (*work)(void *context, size_t worker), void *context);

/* Calls here(context) in this thread and beside(context) in a new one at the same time; returns
 * when both are done. If no thread can be started, calls one after the other. */
void threads_both(void (*here)(void *context), void (*beside)(void *context), void *context);

// Processors this process may run on, at least 1.
size_t threads_available(void);

// One worker's share of 0 … total-1: contiguous ranges that differ by at most one `grain`.
void threads_range(size_t total, size_t grain, size_t worker, size_t workers, size_t *begin,
                   size_t *end);
