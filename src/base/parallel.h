/* A loop whose items a team of threads works on: batches of sentences, taken one at a time by
 * whichever worker is free. */
#pragma once

#include "base/status.h"
#include "base/threads.h"

/* Work on one item. `worker` (0 … threads_count - 1) names the thread, for scratch memory that no
 * other thread uses at the same time; a result must depend on `item` alone. */
typedef Status ParallelWork(void *context, size_t worker, size_t item, Error *error);

/* Calls work(context, worker, item, error) for each item 0 … count-1, started in this order, and
 * returns when all have returned. After a failure no later item is started; all earlier ones are
 * finished, and the status and error returned are those of the lowest item that fails, whatever the
 * timing. Allocates nothing. */
Status parallel_for(Threads *threads, size_t count, ParallelWork *work, void *context,
                    Error *error);

/* The items of a loop that this process works on where several processes divide them: part, part +
 * parts, part + 2·parts, … {0}: all items. */
typedef struct LoopShare {
    size_t part, parts;
} LoopShare;

// parallel_for over this process' items alone.
Status parallel_for_share(Threads *threads, LoopShare share, size_t count, ParallelWork *work,
                          void *context, Error *error);

/* Whoever wants to know how far a loop has come. `finished` is called by the threads that work, by
 * several at a time. {0}: nobody. */
typedef struct WorkListener {
    void (*finished)(void *context, size_t items); // so many more; NULL if nobody listens
    void *context;
} WorkListener;

static inline void work_listener_tell(const WorkListener *listener, size_t items)
{
    if (listener->finished) listener->finished(listener->context, items);
}
