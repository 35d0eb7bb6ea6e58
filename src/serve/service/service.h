/* Everything that answers requests, but the socket: the models, the queues with the threads that
 * work through them, keys, limits and counts.
 *
 * Long jobs have a queue and a thread of their own, so that short ones never wait behind them; and
 * as long as short ones are worked on, they get but a small part of the machine's time. */
#pragma once

#include "serve/service/api_keys.h"
#include "serve/service/metrics.h"
#include "serve/service/queue.h"
#include "serve/service/rate_limit.h"

#include <stdatomic.h>

typedef struct ServiceOptions {
    ModelChoice models; // its texts must outlive the service; its cancel is the service's
    TranslateOptions translate;
    MemoryChoice memories; // its texts must, too
    const char *api_keys;  // file; NULL: none are needed
    size_t max_body;       // bytes
    size_t max_characters; // of a request's texts together
    size_t max_texts;      // of a request
    size_t max_queue;      // requests that wait
    size_t per_minute;     // requests of a client; 0: any number
    double timeout;        // seconds that a request may take
} ServiceOptions;

// With alignment a request may have this part of max_characters: attention takes memory by the
// square.
enum { ALIGNED_PART = 10 };

typedef struct Service {
    ServiceOptions options;
    pthread_mutex_t correcting; // held while corrections are read or one is taken
    pthread_mutex_t lock;       // of models and keys
    ServedModels *models;
    ApiKeys keys; // none: none are needed
    struct Worker {
        struct Service *service;
        Queue queue;
        pthread_t thread;
        bool started;
        Job *jobs; // that it works on
    } workers[LANES];
    Cancel cancels[LANES];  // of their sessions
    atomic_bool busy;       // short jobs are worked on
    _Atomic double resumed; // seconds of the monotonic clock when long ones last gave way no more
    Metrics metrics;
    RateLimit rate; // like `detection`, used by the thread that handles requests
    Detection detection;
    atomic_bool closing;
} Service;

// Opens the models, reads the keys and starts the queues' threads. Freed by service_free.
Status service_new(Service **service, const ServiceOptions *options, Error *error);

/* Opens models and keys again, from the same files. Requests that have come keep the old models. On
 * failure nothing changes. May be called by any thread. */
Status service_reload(Service *service, Error *error);

/* Appends a job to the queue of its lane; false if that is full, or the service closes. A job is
 * given up, also while it is worked on, if it has waited too long or nobody waits for it; in a batch
 * once that is so of all. */
bool service_put(Service *service, Job *job);

// Jobs that wait.
size_t service_waiting(Service *service);

// The models as they are now; released by served_models_release.
ServedModels *service_models(Service *service);

// Whether a request may do with this key (NULL: none) what needs one.
bool service_has_key(Service *service, const char *key);

// From now on no job is taken. Waits until all have been answered, which takes none longer than ever.
void service_close(Service *service);

void service_free(Service *service); // closes it first; NULL is allowed
FREES_POINTER(Service, service_free)
