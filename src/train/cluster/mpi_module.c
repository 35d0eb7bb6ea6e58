#define _POSIX_C_SOURCE 200809L
// The one file that knows MPI: `regard-mpi.so`, loaded by ranks.c.

#include "base/version.h"
#include "train/cluster/ranks.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#ifdef OPEN_MPI
static const char LIBRARY[] = "Open MPI";
#elif defined MPICH
static const char LIBRARY[] = "MPICH";
#else
static const char LIBRARY[] = "MPI";
#endif

/* MPI's own waiting takes a whole processor. Messages of a step come soon; while rank 0 saves a
 * file, the others wait long, and sleep. */
static const double SPIN_SECONDS = 0.002;
static const long SLEEP_NANOSECONDS = 50 * 1000;

enum { CHUNK = 1 << 30 }; // bytes of a message at most: MPI counts in int

static bool start(size_t *rank, size_t *count)
{
    int provided, mine, all;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided)) return false;
    MPI_Comm_rank(MPI_COMM_WORLD, &mine);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    *rank = (size_t)mine;
    *count = (size_t)all;
    return provided >= MPI_THREAD_FUNNELED;
}

static void wait_for(MPI_Request *requests, int count)
{
    double began = MPI_Wtime();
    for (;;) {
        int done;
        MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (done) return;
        if (MPI_Wtime() - began < SPIN_SECONDS)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = SLEEP_NANOSECONDS}, NULL);
    }
}

static void end(void)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_for(&request, 1);
    MPI_Finalize();
}

static void end_all(int exit_status)
{
    MPI_Abort(MPI_COMM_WORLD, exit_status);
}

static void reduce(double *values, size_t count, MPI_Op operation)
{
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, values, (int)count, MPI_DOUBLE, operation, MPI_COMM_WORLD,
                   &request);
    wait_for(&request, 1);
}

static void sum(double *values, size_t count)
{
    reduce(values, count, MPI_SUM);
}

static void max(double *values, size_t count)
{
    reduce(values, count, MPI_MAX);
}

static void broadcast(void *data, size_t bytes, size_t from)
{
    for (size_t at = 0; at < bytes; at += CHUNK) {
        MPI_Request request;
        int chunk = bytes - at < CHUNK ? (int)(bytes - at) : CHUNK;
        MPI_Ibcast((char *)data + at, chunk, MPI_BYTE, (int)from, MPI_COMM_WORLD, &request);
        wait_for(&request, 1);
    }
}

// The chunks of a message.
static size_t chunks_of(const RankMessage *message)
{
    return (message->bytes + CHUNK - 1) / CHUNK;
}

static MPI_Request begin(const RankMessage *message, size_t chunk)
{
    MPI_Request request;
    size_t at = chunk * CHUNK, left = message->bytes - at;
    int bytes = left < CHUNK ? (int)left : CHUNK;
    char *data = (char *)message->data + at;
    if (message->incoming)
        MPI_Irecv(data, bytes, MPI_BYTE, (int)message->rank, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Isend(data, bytes, MPI_BYTE, (int)message->rank, 0, MPI_COMM_WORLD, &request);
    return request;
}

static void exchange(const RankMessage *messages, size_t count)
{
    size_t total = 0, begun = 0;
    for (size_t i = 0; i < count; i++) total += chunks_of(&messages[i]);
    MPI_Request *requests = calloc(total + 1, sizeof(MPI_Request));
    if (!requests) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int incoming = 1; incoming >= 0; incoming--) // receivers are ready before data come
        for (size_t i = 0; i < count; i++)
            for (size_t chunk = 0; chunk < chunks_of(&messages[i]); chunk++)
                if (messages[i].incoming == incoming)
                    requests[begun++] = begin(&messages[i], chunk);
    wait_for(requests, (int)begun);
    free(requests);
}

__attribute__((visibility("default"))) extern const MpiModule regard_mpi_module;

const MpiModule regard_mpi_module = {
    .program = REGARD_VERSION,
    .library = LIBRARY,
    .start = start,
    .end = end,
    .end_all = end_all,
    .sum = sum,
    .max = max,
    .broadcast = broadcast,
    .exchange = exchange,
};
