/* The processes that train one model together, on one machine or several, as `mpirun` or `srun`
 * start them. Each is a rank and computes a part of every batch. Rank 0 leads: it alone prints and
 * writes.
 *
 * MPI is used only by processes that were started so, through a module that is loaded then. Whoever
 * trains alone passes NULL for the ranks: it is rank 0 of 1, and every function here returns at once.
 * All ranks call the functions below in the same order. */
#pragma once

#include "base/parallel.h"
#include "base/status.h"

/* A message between this rank and another. Those between two ranks arrive in the order in which
 * both list them. */
typedef struct RankMessage {
    size_t rank; // the other
    bool incoming;
    void *data; // (bytes)
    size_t bytes;
} RankMessage;

/* What `regard-mpi.so` gives to the program that loads it: the few operations that training needs of
 * MPI. The module is compiled against one MPI library, whose types appear in mpi_module.c alone.
 *
 * Every operation but `end_all` is called by all ranks in the same order, from the main thread. None
 * returns a failure: where communication fails, MPI ends all ranks. */
typedef struct MpiModule {
    const char *program; // the REGARD_VERSION it was compiled for
    const char *library; // "Open MPI", "MPICH" or "MPI"
    bool (*start)(size_t *rank, size_t *count);
    void (*end)(void);
    void (*end_all)(int exit_status); // ends all ranks; does not return
    // Each number becomes the sum, or the largest, of all ranks'.
    void (*sum)(double *values, size_t count);
    void (*max)(double *values, size_t count);
    void (*broadcast)(void *data, size_t bytes, size_t from);
    void (*exchange)(const RankMessage *messages, size_t count); // returns when all have arrived
} MpiModule;

#define REGARD_MPI_MODULE "regard_mpi_module"

// Start from {0}, end with ranks_end.
typedef struct Ranks {
    size_t rank, count;
    const MpiModule *module; // NULL if alone
    bool agreed;             // all ranks know of a failure
    uint64_t sent;           // bytes, by ranks_exchange
} Ranks;

/* Joins the other ranks, if the environment says that there are any. STATUS_ARGUMENT if they cannot
 * be joined; `rank` is then still known, so that only rank 0 need say so. */
Status ranks_start(Ranks *ranks, Error *error);

/* Ends a rank that has no failure but those that all ranks agreed on; waits for the others to come
 * here, too. It is alone then, and keeps its number. */
void ranks_end(Ranks *ranks);

/* Ends all ranks at once, for a failure that the others do not know of and so cannot end for. Does
 * not return unless this process is alone. */
static inline void ranks_end_all(const Ranks *ranks, int exit_status)
{
    if (ranks->module) ranks->module->end_all(exit_status);
}

static inline size_t ranks_rank(const Ranks *ranks)
{
    return ranks ? ranks->rank : 0;
}

static inline size_t ranks_count(const Ranks *ranks)
{
    return ranks ? ranks->count : 1;
}

// This rank's share of a loop that all divide.
static inline LoopShare ranks_share(const Ranks *ranks)
{
    return (LoopShare){ranks_rank(ranks), ranks_count(ranks)};
}

/* Whether all ranks succeeded in something that each did by itself. If not, all return the failure
 * of the lowest rank that failed, which the message names unless all ranks failed alike. */
Status ranks_agree(Ranks *ranks, Status status, Error *error);

/* Whether a number, such as the hash of a corpus, is the same on all ranks. If not, all return
 * STATUS_ARGUMENT: "rank 2 (HOST): WHAT". */
Status ranks_compare(Ranks *ranks, uint64_t number, const char *what, Error *error);

// The same for the contents of the program's file.
Status ranks_compare_programs(Ranks *ranks, Error *error);

/* Adds up numbers (count) over all ranks. Exact, in whatever order they are added, where all but
 * one rank's are 0. */
void ranks_sum(const Ranks *ranks, double *values, size_t count);

// The largest of all ranks' numbers.
double ranks_max(const Ranks *ranks, double value);

// Rank 0's bytes become those of all.
void ranks_broadcast(const Ranks *ranks, void *data, size_t bytes);

// Sends and receives messages, and returns when all have arrived.
void ranks_exchange(Ranks *ranks, const RankMessage *messages, size_t count);
