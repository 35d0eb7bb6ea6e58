#include "base/parallel.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ITEMS = 300 };

typedef struct Trace {
    atomic_uint calls[MAX_ITEMS];
    atomic_size_t worker_calls[8]; // by worker
    size_t workers;
    size_t fail_every; // 0: none fails
    size_t fail_from;
} Trace;

static Status count_item(void *context, size_t worker, size_t item, Error *error)
{
    Trace *trace = context;
    if (worker >= trace->workers) return error_set(error, STATUS_ARGUMENT, "worker %zu", worker);
    atomic_fetch_add(&trace->calls[item], 1);
    atomic_fetch_add(&trace->worker_calls[worker], 1);
    // the lowest failing item is the slowest, so that later ones fail before it
    for (volatile size_t i = 200 * item; i < 200 * (trace->fail_from + 10); i++) continue;
    if (trace->fail_every && item >= trace->fail_from &&
        (item - trace->fail_from) % trace->fail_every == 0)
        return error_set(error, item % 2 ? STATUS_IO : STATUS_FORMAT, "item %zu", item);
    return STATUS_OK;
}

static Status run(Trace *trace, size_t workers, size_t items, Error *error)
{
    Threads *threads = NULL;
    trace->workers = workers;
    assert_ok(threads_new(&threads, workers, NULL));
    Status status = parallel_for(threads, items, count_item, trace, error);
    threads_free(threads);
    return status;
}

// No item, fewer items than workers, as many, more.
TEST(each_item_once)
{
    static const size_t ITEMS[] = {0, 1, 3, 8, MAX_ITEMS};
    for (size_t workers = 1; workers <= 8; workers++) {
        for (size_t k = 0; k < sizeof ITEMS / sizeof ITEMS[0]; k++) {
            Trace trace = {0};
            Error error = {STATUS_OK, "untouched"};
            assert_ok(run(&trace, workers, ITEMS[k], &error));
            ck_assert_str_eq(error.text, "untouched");
            size_t calls = 0;
            for (size_t i = 0; i < 8; i++) calls += trace.worker_calls[i];
            ck_assert_uint_eq(calls, ITEMS[k]);
            for (size_t i = 0; i < MAX_ITEMS; i++) ck_assert_uint_eq(trace.calls[i], i < ITEMS[k]);
        }
    }
}

TEST(lowest_failure, .seconds = 60)
{
    for (size_t round = 0; round < 50; round++) {
        for (size_t workers = 1; workers <= 8; workers++) {
            Trace trace = {.fail_every = 1 + round % 3, .fail_from = round};
            Error error = {0};
            char expected[32];
            snprintf(expected, sizeof expected, "item %zu", round);
            Status status = run(&trace, workers, MAX_ITEMS, &error);
            ck_assert_int_eq(status, round % 2 ? STATUS_IO : STATUS_FORMAT);
            ck_assert_int_eq(error.status, status);
            ck_assert_str_eq(error.text, expected);
            for (size_t i = 0; i <= round; i++) ck_assert_uint_eq(trace.calls[i], 1);
            if (workers == 1)
                for (size_t i = round + 1; i < MAX_ITEMS; i++) ck_assert_uint_eq(trace.calls[i], 0);
        }
    }
}

TEST(without_error)
{
    Trace trace = {.fail_every = 1, .fail_from = 5};
    ck_assert_int_eq(run(&trace, 4, MAX_ITEMS, NULL), STATUS_IO);
}

TEST(allocates_nothing)
{
    Threads *threads = NULL;
    Trace trace = {.workers = 4, .fail_every = 1, .fail_from = 5};
    assert_ok(threads_new(&threads, 4, NULL));
    failing_malloc_at(1);
    Status status = parallel_for(threads, MAX_ITEMS, count_item, &trace, NULL);
    bool failed = failing_malloc_stop();
    ck_assert(!failed);
    ck_assert_int_eq(status, STATUS_IO);
    threads_free(threads);
}
