#define _GNU_SOURCE
#include "base/threads.h"
#include "support/suite.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST = 17 };

typedef struct Round {
    pthread_barrier_t barrier; // passed only if all run at the same time
    pthread_t callers[MOST];
    unsigned calls[MOST]; // each worker writes its own
} Round;

static void count_call(void *context, size_t worker)
{
    Round *round = context;
    round->callers[worker] = pthread_self();
    round->calls[worker]++;
    pthread_barrier_wait(&round->barrier);
}

TEST(all_run_at_once)
{
    static const size_t COUNTS[] = {1, 2, 3, MOST};
    for (size_t k = 0; k < sizeof COUNTS / sizeof COUNTS[0]; k++) {
        size_t count = COUNTS[k];
        Threads *threads = NULL;
        Round round = {0};
        assert_ok(threads_new(&threads, count, NULL));
        ck_assert_uint_eq(threads_count(threads), count);
        pthread_barrier_init(&round.barrier, NULL, (unsigned)count);
        threads_run(threads, count_call, &round);
        pthread_barrier_destroy(&round.barrier);
        for (size_t i = 0; i < MOST; i++) ck_assert_uint_eq(round.calls[i], i < count);
        ck_assert(pthread_equal(round.callers[0], pthread_self())); // the caller is worker 0
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < i; j++)
                ck_assert(!pthread_equal(round.callers[i], round.callers[j]));
        threads_free(threads);
    }
}

static void call_here(void *context)
{
    count_call(context, 0);
}

static void call_beside(void *context)
{
    count_call(context, 1);
}

TEST(both)
{
    Round round = {0};
    pthread_barrier_init(&round.barrier, NULL, 2);
    threads_both(call_here, call_beside, &round);
    pthread_barrier_destroy(&round.barrier);
    ck_assert_uint_eq(round.calls[0], 1);
    ck_assert_uint_eq(round.calls[1], 1);
    ck_assert(pthread_equal(round.callers[0], pthread_self()));
    ck_assert(!pthread_equal(round.callers[1], pthread_self()));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(both_without_a_thread)
{
    struct rlimit before, none = {1, 1};
    Round round = {0};
    Threads *others = NULL; // have the stacks that were used before
    assert_ok(threads_new(&others, MOST, NULL));
    getrlimit(RLIMIT_AS, &before);
    none.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_AS, &none); // no room for a thread's stack
    pthread_barrier_init(&round.barrier, NULL, 1);
    threads_both(call_here, call_beside, &round);
    setrlimit(RLIMIT_AS, &before);
    threads_free(others);
    pthread_barrier_destroy(&round.barrier);
    ck_assert_uint_eq(round.calls[0], 1);
    ck_assert_uint_eq(round.calls[1], 1);
    ck_assert(pthread_equal(round.callers[1], pthread_self()));
}
#endif

typedef struct Sum {
    size_t count;
    unsigned long numbers[1000];
    unsigned long parts[MOST];
} Sum;

static void add_range(void *context, size_t worker)
{
    Sum *sum = context;
    size_t begin, end;
    threads_range(1000, 16, worker, sum->count, &begin, &end);
    sum->parts[worker] = 0;
    for (size_t i = begin; i < end; i++) sum->parts[worker] += sum->numbers[i];
}

// What the caller wrote before a round is seen in it, and what the workers wrote is seen after it,
// every time.
TEST(many_rounds)
{
    Threads *threads = NULL;
    Sum sum = {.count = 4};
    assert_ok(threads_new(&threads, sum.count, NULL));
    for (unsigned long round = 0; round < 3000; round++) {
        unsigned long expected = 0, total = 0;
        for (size_t i = 0; i < 1000; i++) expected += sum.numbers[i] = round * i;
        threads_run(threads, add_range, &sum);
        for (size_t i = 0; i < sum.count; i++) total += sum.parts[i];
        ck_assert_uint_eq(total, expected);
    }
    threads_free(threads);
}

TEST(unused_team_ends)
{
    for (int i = 0; i < 100; i++) { // freed before the threads may even have begun to wait
        Threads *threads = NULL;
        assert_ok(threads_new(&threads, 3, NULL));
        threads_free(threads);
    }
    threads_free(NULL);
}

TEST(ranges_partition)
{
    static const size_t TOTALS[] = {0, 1, 2, 15, 16, 17, 31, 100, 1000003};
    static const size_t GRAINS[] = {1, 2, 16, 64};
    for (size_t t = 0; t < sizeof TOTALS / sizeof TOTALS[0]; t++) {
        for (size_t g = 0; g < sizeof GRAINS / sizeof GRAINS[0]; g++) {
            for (size_t workers = 1; workers <= MOST; workers++) {
                size_t total = TOTALS[t], grain = GRAINS[g], expected = 0;
                size_t least = (size_t)-1, most = 0;
                for (size_t worker = 0; worker < workers; worker++) {
                    size_t begin, end;
                    threads_range(total, grain, worker, workers, &begin, &end);
                    ck_assert_uint_eq(begin, expected); // no gap, no overlap
                    ck_assert_uint_le(begin, end);
                    ck_assert(begin % grain == 0 || begin == total);
                    size_t grains = (end - begin + grain - 1) / grain;
                    if (grains < least) least = grains;
                    if (grains > most) most = grains;
                    expected = end;
                }
                ck_assert_uint_eq(expected, total);
                ck_assert_uint_le(most - least, 1);
            }
        }
    }
}

TEST(available)
{
    cpu_set_t one;
    ck_assert_uint_ge(threads_available(), 1);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_uint_eq(threads_available(), 1); // bound to one processor, as in a container
}

TEST(too_many_are_refused)
{
    Threads *threads = NULL;
    Error error = {0};
    ck_assert_int_eq(threads_new(&threads, (size_t)-1, &error), STATUS_MEMORY);
    assert_contains(error.text, "threads");
    ck_assert_ptr_null(threads);
}
