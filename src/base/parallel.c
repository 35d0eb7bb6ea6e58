#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Loop {
    ParallelWork *work;
    void *context;
    atomic_size_t next; // the first item not yet taken
    size_t step;        // from one item to the next
    atomic_size_t end;  // no item from here on is started: the count, or the lowest that failed
    pthread_mutex_t lock;
    Status status; // of item `end`, once one has failed
    Error *error;
} Loop;

/* Items are taken in order, so every item below a failed one has been taken, too, and will still
 * report: the lowest failure wins. */
static void keep_lowest(Loop *loop, size_t item, Status status, const Error *error)
{
    pthread_mutex_lock(&loop->lock);
    if (item < atomic_load(&loop->end)) {
        atomic_store(&loop->end, item);
        loop->status = status;
        if (loop->error) *loop->error = *error;
    }
    pthread_mutex_unlock(&loop->lock);
}

static void take_items(void *context, size_t worker)
{
    Loop *loop = context;
    for (;;) {
        size_t item = atomic_fetch_add(&loop->next, loop->step);
        if (item >= atomic_load(&loop->end)) return;
        Error error;
        Status status = loop->work(loop->context, worker, item, &error);
        if (status) keep_lowest(loop, item, status, &error);
    }
}

Status parallel_for_share(Threads *threads, LoopShare share, size_t count, ParallelWork *work,
                          void *context, Error *error)
{
    Loop loop = {.work = work,
                 .context = context,
                 .next = share.part,
                 .step = share.parts ? share.parts : 1,
                 .end = count,
                 .lock = PTHREAD_MUTEX_INITIALIZER,
                 .error = error};
    threads_run(threads, take_items, &loop);
    pthread_mutex_destroy(&loop.lock);
    return loop.status;
}

Status parallel_for(Threads *threads, size_t count, ParallelWork *work, void *context, Error *error)
{
    return parallel_for_share(threads, (LoopShare){0}, count, work, context, error);
}
