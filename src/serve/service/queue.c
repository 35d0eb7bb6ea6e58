#define _GNU_SOURCE
#include "serve/service/queue.h"

#include "base/clock.h"

#include <time.h>

// queue_take waits at most so often for more jobs, each time for so long.
enum { COLLECTING_TIMES = 10, COLLECTING_NANOSECONDS = 1000000, SECOND = 1000000000 };

bool queue_put(Queue *queue, Job *job)
{
    pthread_mutex_lock(&queue->lock);
    bool room = !queue->closed && queue->length < queue->limit;
    if (room) {
        job->since = clock_seconds();
        job->next = NULL;
        *(queue->last ? &queue->last->next : &queue->first) = job;
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
    Job *batch = NULL, **end = &batch, **at = &queue->first;
    size_t taken = 0;
    queue->last = NULL;
    for (Job *job = *at; job; job = *at) {
        if (job->model != model || (batch && taken + job->cost > cost)) {
            queue->last = job;
            at = &job->next;
            continue;
        }
        *at = job->next;
        *end = job;
        end = &job->next;
        taken += job->cost;
        queue->length--;
        queue->cost -= job->cost;
    }
    *end = NULL;
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
