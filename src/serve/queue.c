#include "serve/queue.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/memory.h"

#include <pthread.h>

struct Queue {
    pthread_mutex_t lock; // of the rest
    pthread_cond_t changed;
    Job *first, *last;
    size_t length, limit;
    bool closed;
};

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
        pthread_cond_signal(&queue->changed);
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
        } else {
            *kept_end = queue->last = job;
            kept_end = &job->next;
        }
    }
    queue->first = kept;
    return batch;
}

Job *queue_take(Queue *queue, size_t cost)
{
    pthread_mutex_lock(&queue->lock);
    while (!queue->first && !queue->closed) pthread_cond_wait(&queue->changed, &queue->lock);
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
