/* A block of parameters divided into slices, one for each rank. A rank receives the gradients of its
 * slice from all others, updates it, and gives it to all, so Adam's moments and its work exist once
 * over all ranks.
 *
 * The slice of a rank is that of its workers (its threads), whose ranges depend on the number of all
 * workers alone: 2 ranks of 1 thread divide a block as 1 rank of 2. */
#pragma once

#include "base/threads.h"
#include "math/real.h"
#include "train/cluster/ranks.h"

enum { SLICE_GRAIN = 4096 }; // values: whole pages, so that two threads never share a cache line

// Freed by slices_free.
typedef struct Slices {
    Ranks *ranks;                    // not owned; NULL: alone
    size_t size;                     // values of the block
    size_t per_rank, first, workers; // workers of each rank; the first of this one; of all
    size_t begin, end;               // this rank's slice
    RankMessage *messages;           // (2 · ranks) room for slices_gather
} Slices;

Status slices_new(Slices *slices, size_t size, const Threads *threads, Ranks *ranks, Error *error);

void slices_free(Slices *slices);

// The slice of a rank, and the range of a worker (0 … workers − 1) within its rank's.
void slices_of_rank(const Slices *slices, size_t rank, size_t *begin, size_t *end);
void slices_of_worker(const Slices *slices, size_t worker, size_t *begin, size_t *end);

/* Puts all ranks' slices together in `whole` (size), on every rank or on rank 0 alone; elsewhere it
 * may be NULL. `mine` (end − begin) is this rank's slice, perhaps already in its place. */
void slices_gather(const Slices *slices, const real *mine, real *whole, bool everywhere);
