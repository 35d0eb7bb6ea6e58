#define _POSIX_C_SOURCE 200809L
#include "support/rank_threads.h"

#include "base/version.h"
#include "support/suite.h"

#include <pthread.h>
#include <string.h>

static struct {
    pthread_barrier_t barrier;
    size_t count;
    void (*work)(void *context, Ranks *ranks);
    void *context;
    const void *given[MAX_RANK_THREADS]; // by each rank to the operation that all are in
    size_t lengths[MAX_RANK_THREADS];
} run;

static _Thread_local size_t own;

// Shows the others what this rank gives, and waits until all have.
static void give(const void *data, size_t length)
{
    run.given[own] = data;
    run.lengths[own] = length;
    pthread_barrier_wait(&run.barrier);
}

// Nobody reads any more what was given.
static void done(void)
{
    pthread_barrier_wait(&run.barrier);
}

static void reduce(double *values, size_t count, bool adds)
{
    double result[1024];
    ck_assert_uint_le(count, sizeof result / sizeof *result);
    give(values, count);
    for (size_t i = 0; i < count; i++) {
        result[i] = ((const double *)run.given[0])[i];
        for (size_t rank = 1; rank < run.count; rank++) {
            double other = ((const double *)run.given[rank])[i];
            if (adds)
                result[i] += other;
            else if (other > result[i])
                result[i] = other;
        }
    }
    done();
    memcpy(values, result, count * sizeof *values);
}

static void sum(double *values, size_t count)
{
    reduce(values, count, true);
}

static void max(double *values, size_t count)
{
    reduce(values, count, false);
}

static void broadcast(void *data, size_t bytes, size_t from)
{
    give(data, bytes);
    ck_assert_uint_eq(run.lengths[from], bytes);
    if (own != from) memcpy(data, run.given[from], bytes);
    done();
}

// The n-th message that a rank sends to this one.
static const RankMessage *sent_by(size_t rank, size_t n)
{
    const RankMessage *messages = run.given[rank];
    for (size_t i = 0; i < run.lengths[rank]; i++)
        if (!messages[i].incoming && messages[i].rank == own && n-- == 0) return &messages[i];
    ck_abort_msg("rank %zu sends rank %zu too little", rank, own);
}

static void exchange(const RankMessage *messages, size_t count)
{
    size_t received[MAX_RANK_THREADS] = {0};
    give(messages, count);
    for (size_t i = 0; i < count; i++) {
        if (!messages[i].incoming) continue;
        const RankMessage *message = sent_by(messages[i].rank, received[messages[i].rank]++);
        ck_assert_uint_eq(message->bytes, messages[i].bytes);
        if (message->bytes) memcpy(messages[i].data, message->data, message->bytes);
    }
    done();
}

static void end(void)
{
}

static const MpiModule module = {.program = REGARD_VERSION,
                                 .library = "threads",
                                 .end = end,
                                 .sum = sum,
                                 .max = max,
                                 .broadcast = broadcast,
                                 .exchange = exchange};

static void *run_rank(void *number)
{
    own = *(const size_t *)number;
    Ranks ranks = {.rank = own, .count = run.count, .module = run.count > 1 ? &module : NULL};
    run.work(run.context, &ranks);
    return NULL;
}

void rank_threads_run(size_t count, void (*work)(void *context, Ranks *ranks), void *context)
{
    pthread_t handles[MAX_RANK_THREADS];
    size_t numbers[MAX_RANK_THREADS];
    ck_assert_uint_le(count, MAX_RANK_THREADS);
    run.count = count;
    run.work = work;
    run.context = context;
    pthread_barrier_init(&run.barrier, NULL, (unsigned)count);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = i;
        ck_assert_int_eq(pthread_create(&handles[i], NULL, run_rank, &numbers[i]), 0);
    }
    for (size_t i = 0; i < count; i++) pthread_join(handles[i], NULL);
    pthread_barrier_destroy(&run.barrier);
}
