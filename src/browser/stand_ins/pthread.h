/* Stands in for POSIX threads where there is one thread (wasm32): nothing waits, and none can be started. */
#pragma once

#include <errno.h>
#include <stddef.h>

typedef int pthread_t, pthread_mutex_t, pthread_cond_t, pthread_once_t;
typedef void *pthread_key_t; // points to the only thread's value

#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0
#define PTHREAD_ONCE_INIT 0

#define pthread_mutex_init(mutex, attributes) ((void)(mutex))
#define pthread_mutex_destroy(mutex) ((void)(mutex))
#define pthread_mutex_lock(mutex) ((void)(mutex))
#define pthread_mutex_unlock(mutex) ((void)(mutex))
#define pthread_cond_init(condition, attributes) ((void)(condition))
#define pthread_cond_destroy(condition) ((void)(condition))
#define pthread_cond_wait(condition, mutex) ((void)(condition), (void)(mutex))
#define pthread_cond_signal(condition) ((void)(condition))
#define pthread_cond_broadcast(condition) ((void)(condition))
#define pthread_join(thread, result) ((void)(thread))

static inline int pthread_create(pthread_t *thread, const void *attributes,
                                 void *(*work)(void *context), void *context)
{
    (void)thread, (void)attributes, (void)work, (void)context;
    return EAGAIN;
}

static inline int pthread_once(pthread_once_t *once, void (*work)(void))
{
    if (!*once) work();
    *once = 1;
    return 0;
}

static inline int pthread_key_create(pthread_key_t *key, void (*release)(void *value))
{
    (void)release;
    *key = NULL;
    return 0;
}

#define pthread_getspecific(key) (key)
#define pthread_setspecific(key, value) ((key) = (value), 0)
