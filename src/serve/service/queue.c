#define _GNU_SOURCE
#include "serve/service/queue.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/memory.h"

#include <pthread.h>
#include <time.h>

struct Queue {
    pthread_mutex_t lock; // of the rest
    pthread_cond_t changed;
    Job *first, *last;
    size_t length, limit;
    size_t cost;   // of all jobs
    size_t wanted; // the length at which queue_take is to be woken
    bool closed;
};

// queue_take waits at most so often for more jobs, each time for so long.
enum { COLLECTING_TIMES = 10, COLLECTING_NANOSECONDS = 1000000, SECOND = 1000000000 };

Status queue_new(Queue **out, size_t limit, Error *error)
{
    Queue *queue;
    TRY(array_new(&queue, 1, "a queue", error));
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    queue->limit = limit;
    *out = queue;
    return STATUS_OK;
}

void queue_free(Queue *queue)
{
    if (!queue) return;
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    memory_free(queue);
}

bool queue_put(Queue *queue, Job *job)
{
    pthread_mutex_lock(&queue->lock);
    bool room = !queue->closed && queue->length < queue->limit;
    if (room) {
        job->since = clock_seconds();
        job->next = NULL;
        if (queue->last)
            queue->last->next = job;
        else
            queue->first = job;
        queue->last = job;
        queue->length++;
        queue->cost += job->cost;
        if (queue->length >= queue->wanted) pthread_cond_signal(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    return room;
}

// Takes the jobs of the first one's model out of the list, in order.
static Job *take(Queue *queue, size_t cost)
{
    const ServedModel *model = queue->first->model;
    Job *batch = NULL, *kept = NULL, **batch_end = &batch, **kept_end = &kept;
    size_t taken = 0;
    queue->last = NULL;
    for (Job *job = queue->first, *next; job; job = next) {
        next = job->next;
        job->next = NULL;
        if (job->model == model && (!batch || taken + job->cost <= cost)) {
            taken += job->cost;
            *batch_end = job;
            batch_end = &job->next;
            queue->length--;
            queue->cost -= job->cost;
        } else {
            *kept_end = queue->last = job;
            kept_end = &job->next;
        }
    }
    queue->first = kept;
    return batch;
}

// Waits until there are as many jobs as expected, or no more are coming.
static void collect(Queue *queue, size_t expected)
{
    struct timespec end;
    size_t before = 0;
    clock_gettime(CLOCK_MONOTONIC, &end); // the time of day may be set back
    queue->wanted = expected;
    for (size_t i = 0; i < COLLECTING_TIMES && queue->length > before; i++) {
        before = queue->length;
        end.tv_nsec += COLLECTING_NANOSECONDS;
        end.tv_sec += end.tv_nsec / SECOND;
        end.tv_nsec %= SECOND;
        while (queue->length < expected && !queue->closed)
            if (pthread_cond_clockwait(&queue->changed, &queue->lock, CLOCK_MONOTONIC, &end)) break;
    }
    queue->wanted = 1;
}

Job *queue_take(Queue *queue, size_t cost, size_t answered)
{
    pthread_mutex_lock(&queue->lock);
    size_t expected = answered > 0 ? queue->length + answered : 0;
    while (!queue->first && !queue->closed) pthread_cond_wait(&queue->changed, &queue->lock);
    if (expected > 1 && queue->cost < cost) collect(queue, expected);
    Job *batch = queue->first ? take(queue, cost) : NULL;
    pthread_mutex_unlock(&queue->lock);
    return batch;
}

void queue_close(Queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

size_t queue_length(Queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    size_t length = queue->length;
    pthread_mutex_unlock(&queue->lock);
    return length;
}
