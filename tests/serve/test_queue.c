// Which jobs a batch gets.

#include "base/clock.h"
#include "serve/service/queue.h"

#include "support/suite.h"

#include <pthread.h>

static Queue queue;
static ServedModel one, other;

static void begin(size_t limit)
{
    queue = (Queue){
        .limit = limit, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
}

// Takes a batch and expects these jobs (NULL behind the last).
static void expect_batch(size_t cost, Job *const *jobs)
{
    Job *job = queue_take(&queue, cost, 0);
    for (; *jobs; jobs++, job = job->next) ck_assert_ptr_eq(job, *jobs);
    ck_assert_ptr_null(job);
}
#define EXPECT_BATCH(cost, ...) expect_batch(cost, (Job *const[]){__VA_ARGS__, NULL})

// What waits for one model is one batch; the others keep their order.
TEST(models)
{
    Job a = {.model = &one}, b = {.model = &other}, c = {.model = &one}, d = {.model = &other};
    begin(10);
    ck_assert(queue_put(&queue, &a) && queue_put(&queue, &b) && queue_put(&queue, &c));
    ck_assert_uint_eq(queue_length(&queue), 3);
    EXPECT_BATCH(9, &a, &c);
    ck_assert(queue_put(&queue, &d));
    EXPECT_BATCH(9, &b, &d);
    ck_assert_uint_eq(queue_length(&queue), 0);
}

TEST(cost)
{
    Job a = {.model = &one, .cost = 20}, b = {.model = &one, .cost = 6},
        c = {.model = &one, .cost = 5}, d = {.model = &one, .cost = 4};
    begin(10);
    ck_assert(queue_put(&queue, &a) && queue_put(&queue, &b));
    ck_assert(queue_put(&queue, &c) && queue_put(&queue, &d));
    EXPECT_BATCH(10, &a); // the first is taken whatever it costs
    EXPECT_BATCH(10, &b, &d);
    EXPECT_BATCH(10, &c);
}

TEST(limit)
{
    Job a = {.model = &one}, b = {.model = &one}, c = {.model = &one};
    begin(2);
    ck_assert(queue_put(&queue, &a) && queue_put(&queue, &b));
    ck_assert(!queue_put(&queue, &c));
    EXPECT_BATCH(9, &a, &b);
    ck_assert(queue_put(&queue, &c));
    queue_close(&queue);
    ck_assert(!queue_put(&queue, &a));
    ck_assert_ptr_eq(queue_take(&queue, 9, 3), &c); // and others will not come
    ck_assert_ptr_null(queue_take(&queue, 9, 0));
}

static void *put_late(void *context)
{
    Job *jobs = context;
    for (size_t i = 0; i < 3; i++) ck_assert(queue_put(&queue, &jobs[i]));
    return NULL;
}

// Those that come while it waits are of the same batch; if none come, it does not wait for long.
TEST(expected, .seconds = 90)
{
    enum { ALONE = 5, SECONDS = 60 };
    Job jobs[4] = {{.model = &one}, {.model = &one}, {.model = &one}, {.model = &one}};
    pthread_t thread;
    size_t whole = 0;
    begin(10);
    // on a busy machine another thread may be kept from running for longer than is waited
    for (double start = clock_seconds(); !whole && clock_seconds() - start < SECONDS;) {
        size_t taken = 0;
        ck_assert(queue_put(&queue, &jobs[3]));
        pthread_create(&thread, NULL, put_late, jobs);
        for (const Job *job = queue_take(&queue, 9, 3); job; job = job->next) taken++;
        whole += taken == 4;
        pthread_join(thread, NULL);
        while (queue_length(&queue) > 0) queue_take(&queue, 9, 0);
    }
    ck_assert_uint_eq(whole, 1);
    double start = clock_seconds();
    for (size_t i = 0; i < ALONE; i++) {
        ck_assert(queue_put(&queue, &jobs[0]));
        ck_assert_ptr_eq(queue_take(&queue, 9, 4), &jobs[0]);
    }
    ck_assert(clock_seconds() - start < 2);
}

enum { PRODUCERS = 4, EACH = 500 };
static Job many[PRODUCERS][EACH];

static void *produce(void *context)
{
    Job *jobs = context;
    for (size_t i = 0; i < EACH; i++) {
        jobs[i].model = i % 3 ? &one : &other;
        while (!queue_put(&queue, &jobs[i])) sched_yield();
    }
    return NULL;
}

// Jobs of several threads all come out, each once.
TEST(threads)
{
    pthread_t threads[PRODUCERS];
    size_t taken = 0;
    begin(7);
    for (size_t i = 0; i < PRODUCERS; i++) pthread_create(&threads[i], NULL, produce, many[i]);
    while (taken < (size_t)PRODUCERS * EACH)
        for (Job *job = queue_take(&queue, 5, 0); job; job = job->next) {
            ck_assert_uint_eq(job->count++, 0);
            taken++;
        }
    for (size_t i = 0; i < PRODUCERS; i++) pthread_join(threads[i], NULL);
    ck_assert_uint_eq(queue_length(&queue), 0);
}
