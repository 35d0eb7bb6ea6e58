#define _GNU_SOURCE
#include "base/threads.h"

#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

typedef struct Worker {
    Threads *threads;
    size_t number;
    pthread_t handle;
} Worker;

struct Threads {
    size_t count;    // with the caller
    size_t started;  // threads made: count - 1 unless starting failed
    Worker *workers; // (count) the first is the caller, who has no thread of the team
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    size_t round;   // counts the calls of threads_run; a worker waits for it to change
    size_t running; // workers that have not finished this round
    bool ending;
    void (*work)(void *context, size_t worker);
    void *context;
};

static void *worker_main(void *argument)
{
    const Worker *worker = argument;
    Threads *threads = worker->threads;
    size_t round = 0;
    pthread_mutex_lock(&threads->lock);
    for (;;) {
        while (threads->round == round && !threads->ending)
            pthread_cond_wait(&threads->begin, &threads->lock);
        if (threads->ending) break;
        round = threads->round;
        pthread_mutex_unlock(&threads->lock);
        threads->work(threads->context, worker->number);
        pthread_mutex_lock(&threads->lock);
        if (--threads->running == 0) pthread_cond_signal(&threads->done);
    }
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

Status threads_new(Threads **out, size_t count, Error *error)
{
    Threads *threads = memory_new(1, sizeof *threads);
    Worker *workers = memory_new(count, sizeof *workers);
    if (!threads || !workers) {
        memory_free(threads);
        memory_free(workers);
        return error_memory(error, count * sizeof *workers, "threads");
    }
    *threads = (Threads){.count = count, .workers = workers};
    pthread_mutex_init(&threads->lock, NULL);
    pthread_cond_init(&threads->begin, NULL);
    pthread_cond_init(&threads->done, NULL);
    for (size_t i = 1; i < count; i++) {
        workers[i] = (Worker){.threads = threads, .number = i};
        if (pthread_create(&workers[i].handle, NULL, worker_main, &workers[i])) {
            threads_free(threads);
            return error_set(error, STATUS_MEMORY,
                             "thread %zu of %zu could not be started; use fewer threads", i + 1,
                             count);
        }
        threads->started++;
    }
    *out = threads;
    return STATUS_OK;
}

void threads_free(Threads *threads)
{
    if (!threads) return;
    pthread_mutex_lock(&threads->lock);
    threads->ending = true;
    pthread_cond_broadcast(&threads->begin);
    pthread_mutex_unlock(&threads->lock);
    for (size_t i = 1; i <= threads->started; i++) pthread_join(threads->workers[i].handle, NULL);
    pthread_cond_destroy(&threads->done);
    pthread_cond_destroy(&threads->begin);
    pthread_mutex_destroy(&threads->lock);
    memory_free(threads->workers);
    memory_free(threads);
}

size_t threads_count(const Threads *threads)
{
    return threads->count;
}

void threads_run(Threads *threads, void (*work)(void *context, size_t worker), void *context)
{
    if (threads->count > 1) {
        pthread_mutex_lock(&threads->lock);
        threads->work = work;
        threads->context = context;
        threads->running = threads->count - 1;
        threads->round++;
        pthread_cond_broadcast(&threads->begin);
        pthread_mutex_unlock(&threads->lock);
    }
    work(context, 0);
    if (threads->count > 1) {
        pthread_mutex_lock(&threads->lock);
        while (threads->running > 0) pthread_cond_wait(&threads->done, &threads->lock);
        pthread_mutex_unlock(&threads->lock);
    }
}

typedef struct Errand {
    void (*work)(void *context);
    void *context;
} Errand;

static void *errand_main(void *argument)
{
    const Errand *errand = argument;
    errand->work(errand->context);
    return NULL;
}

void threads_both(void (*here)(void *context), void (*beside)(void *context), void *context)
{
    pthread_t handle;
    Errand errand = {beside, context};
    bool started = !pthread_create(&handle, NULL, errand_main, &errand);
    here(context);
    if (started)
        pthread_join(handle, NULL);
    else
        beside(context);
}

size_t threads_available(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        int count = CPU_COUNT(&set);
        if (count > 0) return (size_t)count;
    }
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}

void threads_range(size_t total, size_t grain, size_t worker, size_t workers, size_t *begin,
                   size_t *end)
{
    size_t grains = (total + grain - 1) / grain;
    size_t first = grains * worker / workers * grain;
    size_t last = grains * (worker + 1) / workers * grain;
    *begin = first < total ? first : total;
    *end = last < total ? last : total;
}
