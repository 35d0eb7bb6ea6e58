/* Ranks without MPI: threads of the test, each with Ranks of its own, whose messages are copied. */
#pragma once

#include "train/cluster/ranks.h"

enum { MAX_RANK_THREADS = 16 };

// Calls work(context, ranks) in `count` threads; returns when all have ended. One run at a time.
void rank_threads_run(size_t count, void (*work)(void *context, Ranks *ranks), void *context);
