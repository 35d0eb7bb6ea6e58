/* The requests that wait for a model. They are taken in batches: what has come while one batch ran
 * is the next, as far as it is for the same model. */
#pragma once

#include "serve/service/job.h"

#include <pthread.h>

// Start from {.limit = …, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER}.
typedef struct Queue {
    size_t limit;         // of jobs
    pthread_mutex_t lock; // of the rest
    pthread_cond_t changed;
    Job *first, *last;
    size_t length;
    size_t cost;   // of all jobs
    size_t wanted; // the length at which queue_take is to be woken
    bool closed;
} Queue;

// Appends a job, which is not owned; false if the queue is full or closed.
bool queue_put(Queue *queue, Job *job);

/* Waits for jobs and takes the first, and behind it all those for the same model whose cost
 * together is at most `cost`; a list by `next`. NULL when the queue is closed and empty.
 *
 * `answered` is how many jobs were answered just now: their clients often have others, one after
 * another. As long as these keep coming, it waits for them, some milliseconds at most: else the
 * first would be a batch by itself, and the others would wait until that ends. */
Job *queue_take(Queue *queue, size_t cost, size_t answered);

// From now on nothing is put; what is there can still be taken.
void queue_close(Queue *queue);

// Jobs that wait.
size_t queue_length(Queue *queue);
