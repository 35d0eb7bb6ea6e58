#define _GNU_SOURCE
#include "serve/service/service.h"

#include "base/array.h"
#include "base/clock.h"

#include <time.h>

// Why a job need not be worked on: it has waited too long, or nobody waits for it; else 0.
static unsigned refusal(const Service *service, const Job *job)
{
    if (clock_seconds() - job->since > service->options.timeout) return HTTP_TOO_MANY_REQUESTS;
    return job->gone && job->gone(job->context) ? HTTP_CLIENT_GONE : 0;
}

static void refuse(Job *job, unsigned status)
{
    if (status == HTTP_CLIENT_GONE)
        response_error(&job->response, status, "the client has closed the connection");
    else
        response_busy(&job->response);
}

// Takes those out of a batch that need not be worked on, and answers them.
static Job *refuse_some(const Service *service, Job *jobs)
{
    unsigned status;
    for (Job **at = &jobs, *job = jobs; job; job = *at) {
        if (!(status = refusal(service, job))) {
            at = &job->next;
            continue;
        }
        *at = job->next;
        refuse(job, status);
        job->answered(job->context);
    }
    return jobs;
}

// What the long lane does while the other is busy: a little work, then a pause.
static const double WORK_SECONDS = 0.005, PAUSE_SECONDS = 0.05;

static void give_way(Service *service)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    double begin = clock_seconds();
    if (begin - atomic_load(&service->resumed) < WORK_SECONDS) return;
    while (atomic_load(&service->busy) && clock_seconds() - begin < PAUSE_SECONDS)
        nanosleep(&moment, NULL);
    atomic_store(&service->resumed, clock_seconds());
}

// Asked between the steps of search, by any thread of the session.
static bool is_given_up(void *context)
{
    const struct Worker *worker = context;
    Service *service = worker->service;
    if (worker == &service->workers[LANE_LONG]) give_way(service);
    const Job *job = worker->jobs;
    while (job && refusal(service, job)) job = job->next;
    return worker->jobs && !job;
}

enum { LONG_BATCH = 16 }; // of sentences, so that a step of search does not take long

// Works on a batch and answers it; returns how many jobs it had.
static size_t run_batch(struct Worker *worker, Job *jobs)
{
    Service *service = worker->service;
    TranslateOptions options = service->options.translate;
    double begin = clock_seconds();
    size_t count = 0, pieces = 0;
    bool is_long = worker == &service->workers[LANE_LONG];
    if (is_long && options.search.batch > LONG_BATCH) options.search.batch = LONG_BATCH;
    worker->jobs = jobs;
    batch_run(jobs, &options);
    worker->jobs = NULL;
    for (Job *job = jobs, *next; job; job = next) {
        next = job->next; // once answered, a job is no longer ours
        count++;
        pieces += job->pieces;
        if (job->response.status == HTTP_UNAVAILABLE) refuse(job, refusal(service, job));
        job->answered(job->context);
    }
    metrics_add_batch(&service->metrics, count, pieces, clock_seconds() - begin);
    return count;
}

static void *work(void *context)
{
    struct Worker *worker = context;
    Service *service = worker->service;
    bool is_short = worker == &service->workers[LANE_SHORT];
    Job *jobs;
    size_t count = 0;
    while ((jobs = queue_take(&worker->queue, MAX_BATCH_COST, count)) != NULL) {
        jobs = refuse_some(service, jobs);
        if (is_short) atomic_store(&service->busy, true);
        count = jobs ? run_batch(worker, jobs) : 0;
        if (is_short) atomic_store(&service->busy, queue_length(&worker->queue) > 0);
    }
    return NULL;
}

bool service_put(Service *service, Job *job)
{
    return queue_put(&service->workers[job_lane(job)].queue, job);
}

size_t service_waiting(Service *service)
{
    size_t waiting = 0;
    for (size_t lane = 0; lane < LANES; lane++)
        waiting += queue_length(&service->workers[lane].queue);
    return waiting;
}

// Takes the models and the keys, and gives those from before in exchange.
static void replace(Service *service, ServedModels **models, ApiKeys *keys)
{
    pthread_mutex_lock(&service->lock);
    ServedModels *old = service->models;
    ApiKeys old_keys = service->keys;
    service->models = *models;
    service->keys = *keys;
    pthread_mutex_unlock(&service->lock);
    *models = old;
    *keys = old_keys;
}

Status service_reload(Service *service, Error *error)
{
    const ServiceOptions *options = &service->options;
    const char *corrections = options->memories.corrections;
    FREED_BY(served_models_release_at) ServedModels *models = NULL;
    FREED_BY(api_keys_free) ApiKeys keys = {0};
    if (options->api_keys) TRY(api_keys_read(&keys, options->api_keys, error));
    TRY(served_models_open(&models, &options->models, error));
    TRY(memories_read(models, &options->memories, error));
    // one that is taken from now on is taken by these models
    pthread_mutex_lock(&service->correcting);
    Status status = corrections ? corrections_read(models, corrections, error) : STATUS_OK;
    if (!status) replace(service, &models, &keys);
    pthread_mutex_unlock(&service->correcting);
    return status;
}

Status service_new(Service **out, const ServiceOptions *options, Error *error)
{
    FREED_BY(service_free_at) Service *service = NULL;
    TRY(array_new(&service, 1, "the server", error));
    service->options = *options;
    service->options.models.cancels = service->cancels;
    for (size_t lane = 0; lane < LANES; lane++) {
        service->workers[lane] = (struct Worker){.service = service,
                                                 .queue = {.limit = options->max_queue,
                                                           .lock = PTHREAD_MUTEX_INITIALIZER,
                                                           .changed = PTHREAD_COND_INITIALIZER}};
        service->cancels[lane] = (Cancel){is_given_up, &service->workers[lane]};
    }
    service->metrics = (Metrics){.lock = PTHREAD_MUTEX_INITIALIZER};
    service->rate.per_minute = (double)options->per_minute;
    atomic_init(&service->busy, false);
    atomic_init(&service->resumed, 0);
    atomic_init(&service->closing, false);
    pthread_mutex_init(&service->correcting, NULL);
    pthread_mutex_init(&service->lock, NULL);
    TRY(service_reload(service, error));
    for (size_t lane = 0; lane < LANES; lane++) {
        struct Worker *worker = &service->workers[lane];
        if (pthread_create(&worker->thread, NULL, work, worker))
            return error_set(error, STATUS_MEMORY, "a thread could not be started");
        worker->started = true;
    }
    *out = memory_take(&service);
    return STATUS_OK;
}

ServedModels *service_models(Service *service)
{
    pthread_mutex_lock(&service->lock);
    ServedModels *models = service->models;
    atomic_fetch_add(&models->references, 1);
    pthread_mutex_unlock(&service->lock);
    return models;
}

bool service_has_key(Service *service, const char *key)
{
    pthread_mutex_lock(&service->lock);
    bool allowed = !service->keys.count || (key && api_keys_have(&service->keys, key));
    pthread_mutex_unlock(&service->lock);
    return allowed;
}

void service_close(Service *service)
{
    atomic_store(&service->closing, true);
    for (size_t lane = 0; lane < LANES; lane++) queue_close(&service->workers[lane].queue);
    for (size_t lane = 0; lane < LANES; lane++) {
        struct Worker *worker = &service->workers[lane];
        if (worker->started) pthread_join(worker->thread, NULL);
        worker->started = false;
    }
}

void service_free(Service *service)
{
    if (!service) return;
    service_close(service);
    served_models_release(service->models);
    api_keys_free(&service->keys);
    language_evidence_free(&service->detection.evidence);
    pthread_mutex_destroy(&service->correcting);
    pthread_mutex_destroy(&service->lock);
    memory_free(service);
}
