#define _GNU_SOURCE
#include "serve/service/service.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/memory.h"
#include "serve/api/routes.h"
#include "serve/service/api_keys.h"
#include "serve/service/batch.h"

#include <math.h>
#include <time.h>

// Takes those out of a batch that have waited too long or that nobody waits for, and answers them.
static Job *refuse(Job *jobs, double timeout)
{
    for (Job **at = &jobs, *job = jobs; job; job = *at) {
        bool late = clock_seconds() - job->since > timeout;
        if (!late && !(job->gone && job->gone(job->context))) {
            at = &job->next;
            continue;
        }
        *at = job->next;
        if (late)
            response_busy(&job->response);
        else
            response_error(&job->response, HTTP_CLIENT_GONE,
                           "the client has closed the connection");
        job->answered(job->context);
    }
    return jobs;
}

static void *work(void *context)
{
    Service *service = context;
    Job *jobs;
    size_t count = 0;
    while ((jobs = queue_take(&service->queue, MAX_BATCH_COST, count)) != NULL) {
        size_t pieces = 0;
        count = 0;
        jobs = refuse(jobs, service->options.timeout);
        if (!jobs) continue;
        double begin = clock_seconds();
        batch_run(jobs, &service->options.translate);
        for (Job *job = jobs, *next; job; job = next) {
            next = job->next; // once answered, a job is no longer ours
            count++;
            pieces += job->pieces;
            job->answered(job->context);
        }
        metrics_add_batch(&service->metrics, count, pieces, clock_seconds() - begin);
    }
    return NULL;
}

static bool is_cancelled(void *context)
{
    return atomic_load(&((Service *)context)->cancelled);
}

static Status read_files(const ServiceOptions *options, ServedModels **models, ApiKeys *keys,
                         Error *error)
{
    *keys = (ApiKeys){0};
    if (options->api_keys) TRY(api_keys_read(keys, options->api_keys, error));
    Status status = served_models_open(models, &options->models, error);
    if (status) api_keys_free(keys);
    return status;
}

Status service_new(Service **out, const ServiceOptions *options, Error *error)
{
    Service *service;
    TRY(array_new(&service, 1, "the server", error));
    service->options = *options;
    service->cancel = (Cancel){is_cancelled, service};
    service->options.models.cancel = &service->cancel;
    service->queue = (Queue){.limit = options->max_queue,
                             .lock = PTHREAD_MUTEX_INITIALIZER,
                             .changed = PTHREAD_COND_INITIALIZER};
    service->metrics =
        (Metrics){.lock = PTHREAD_MUTEX_INITIALIZER, .routes = route_paths, .route_count = ROUTES};
    service->rate.per_minute = (double)options->per_minute;
    atomic_init(&service->cancelled, false);
    atomic_init(&service->closing, false);
    pthread_mutex_init(&service->lock, NULL);
    Status status = read_files(&service->options, &service->models, &service->keys, error);
    if (!status && pthread_create(&service->worker, NULL, work, service))
        status = error_set(error, STATUS_MEMORY, "a thread could not be started");
    service->working = !status;
    if (status)
        service_free(service);
    else
        *out = service;
    return status;
}

Status service_reload(Service *service, Error *error)
{
    ServedModels *models;
    ApiKeys keys;
    TRY(read_files(&service->options, &models, &keys, error));
    pthread_mutex_lock(&service->lock);
    ServedModels *old = service->models;
    ApiKeys old_keys = service->keys;
    service->models = models;
    service->keys = keys;
    pthread_mutex_unlock(&service->lock);
    served_models_release(old);
    api_keys_free(&old_keys);
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

bool thread_join_within(pthread_t thread, double seconds, void **result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    double end = (double)now.tv_sec + (double)now.tv_nsec / 1e9 + seconds;
    const struct timespec limit = {(time_t)end, (long)(1e9 * (end - floor(end)))};
    return pthread_timedjoin_np(thread, result, &limit) == 0;
}

void service_close(Service *service)
{
    atomic_store(&service->closing, true);
    if (!service->working) return;
    queue_close(&service->queue);
    if (!thread_join_within(service->worker, service->options.timeout, NULL)) {
        atomic_store(&service->cancelled, true);
        pthread_join(service->worker, NULL);
    }
    service->working = false;
}

void service_free(Service *service)
{
    if (!service) return;
    service_close(service);
    served_models_release(service->models);
    api_keys_free(&service->keys);
    language_evidence_free(&service->detection.evidence);
    pthread_mutex_destroy(&service->lock);
    memory_free(service);
}
