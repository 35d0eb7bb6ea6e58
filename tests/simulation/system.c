// What the program calls of the system, in a simulation; outside of one it is the system's own.

#define _GNU_SOURCE
#include "simulation/simulation.h"

#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SEAM(result, name, ...)                                                                    \
    result __real_##name(__VA_ARGS__);                                                             \
    result __wrap_##name(__VA_ARGS__);                                                             \
    result __wrap_##name(__VA_ARGS__)

// Threads

SEAM(int, pthread_create, pthread_t *handle, const pthread_attr_t *attributes,
     void *(*work)(void *context), void *context)
{
    if (!simulation_runs()) return __real_pthread_create(handle, attributes, work, context);
    return simulation_thread_new(handle, work, context);
}

SEAM(int, pthread_join, pthread_t handle, void **result)
{
    if (!simulation_runs()) return __real_pthread_join(handle, result);
    simulation_thread_join(handle, result);
    return 0;
}

SEAM(int, pthread_cancel, pthread_t handle)
{
    if (!simulation_runs()) return __real_pthread_cancel(handle);
    simulation_thread_cancel(handle);
    return 0;
}

SEAM(int, pthread_setcancelstate, int state, int *before)
{
    if (!simulation_runs()) return __real_pthread_setcancelstate(state, before);
    bool could = simulation_set_cancellable(state == PTHREAD_CANCEL_ENABLE);
    *before = could ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE;
    return 0;
}

// A thread that is switched to while another initialises would really wait for it.
SEAM(int, pthread_once, pthread_once_t *once, void (*initialise)(void))
{
    if (!simulation_runs()) return __real_pthread_once(once, initialise);
    simulation_hold(true);
    int result = __real_pthread_once(once, initialise);
    simulation_hold(false);
    return result;
}

// Locks are the real ones, which nobody waits for, since a thread goes on only once it can have one.

int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);

static bool is_free(void *mutex)
{
    if (pthread_mutex_trylock(mutex)) return false;
    __real_pthread_mutex_unlock(mutex);
    return true;
}

SEAM(int, pthread_mutex_lock, pthread_mutex_t *mutex)
{
    if (simulation_runs()) {
        simulation_switch();
        (void)simulation_await((Awaited){"a lock", is_free, mutex}, INFINITY);
    }
    return __real_pthread_mutex_lock(mutex);
}

SEAM(int, pthread_mutex_unlock, pthread_mutex_t *mutex)
{
    int result = __real_pthread_mutex_unlock(mutex);
    if (simulation_runs()) simulation_switch();
    return result;
}

typedef struct Wait {
    pthread_cond_t *condition;
    bool woken;
} Wait;

static bool is_woken(void *wait)
{
    return ((Wait *)wait)->woken;
}

static bool wake(void *context, void *condition)
{
    Wait *wait = context;
    bool waits = wait->condition == condition && !wait->woken;
    if (waits) wait->woken = true;
    return waits;
}

// Now and then a thread wakes for no reason, as POSIX allows.
static int wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, double seconds)
{
    Wait wait = {condition, false};
    bool startled = simulation_chance(0.02);
    __real_pthread_mutex_unlock(mutex);
    bool woken = simulation_await((Awaited){"a condition", is_woken, &wait},
                                  startled ? fmin(seconds, 0.001) : seconds);
    (void)__wrap_pthread_mutex_lock(mutex);
    return woken || startled ? 0 : ETIMEDOUT;
}

SEAM(int, pthread_cond_wait, pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    if (!simulation_runs()) return __real_pthread_cond_wait(condition, mutex);
    return wait_on(condition, mutex, INFINITY);
}

SEAM(int, pthread_cond_clockwait, pthread_cond_t *condition, pthread_mutex_t *mutex,
     clockid_t clock, const struct timespec *end)
{
    if (!simulation_runs()) return __real_pthread_cond_clockwait(condition, mutex, clock, end);
    return wait_on(condition, mutex, fmax(simulation_since(end, clock), 0));
}

SEAM(int, pthread_cond_signal, pthread_cond_t *condition)
{
    if (!simulation_runs()) return __real_pthread_cond_signal(condition);
    simulation_wake(is_woken, wake, condition, false);
    return 0;
}

SEAM(int, pthread_cond_broadcast, pthread_cond_t *condition)
{
    if (!simulation_runs()) return __real_pthread_cond_broadcast(condition);
    simulation_wake(is_woken, wake, condition, true);
    return 0;
}

// Time

SEAM(int, clock_gettime, clockid_t clock, struct timespec *time)
{
    if (!simulation_runs()) return __real_clock_gettime(clock, time);
    simulation_switch();
    *time = simulation_time_of(clock);
    return 0;
}

SEAM(int, nanosleep, const struct timespec *time, struct timespec *left)
{
    if (!simulation_runs()) return __real_nanosleep(time, left);
    simulation_sleep((double)time->tv_sec + 1e-9 * (double)time->tv_nsec);
    return 0;
}

// Descriptors, which are real ones, of this process alone: what is done to them is done at once.

typedef struct Watched {
    struct pollfd *items;
    nfds_t count;
} Watched;

int __real_poll(struct pollfd *items, nfds_t count, int milliseconds);

static bool is_there(void *context)
{
    const Watched *watched = context;
    return __real_poll(watched->items, watched->count, 0) > 0;
}

SEAM(int, poll, struct pollfd *items, nfds_t count, int milliseconds)
{
    if (!simulation_runs()) return __real_poll(items, count, milliseconds);
    Watched watched = {items, count};
    if (milliseconds == 0)
        simulation_switch();
    else
        (void)simulation_await((Awaited){"descriptors", is_there, &watched},
                               milliseconds < 0 ? INFINITY : milliseconds / 1e3);
    return __real_poll(items, count, 0);
}

bool simulation_poll(int descriptor, short events, double seconds)
{
    struct pollfd item = {.fd = descriptor, .events = events};
    Watched watched = {&item, 1};
    return simulation_await((Awaited){"a descriptor", is_there, &watched}, seconds);
}

SEAM(FILE *, fopen, const char *path, const char *mode)
{
    if (simulation_runs()) simulation_switch();
    return __real_fopen(path, mode);
}

/* The network: sockets of the domain AF_UNIX, on which bytes and ends arrive at once. The program
 * takes them for those of TCP. */

static struct sockaddr_un listening;
static socklen_t listening_length;

SEAM(int, socket, int domain, int type, int protocol)
{
    errno = EMFILE;
    if (simulation_is_short()) return -1;
    return __real_socket(simulation_runs() ? AF_UNIX : domain, type, protocol);
}

SEAM(int, eventfd, unsigned first, int flags)
{
    errno = EMFILE;
    return simulation_is_short() ? -1 : __real_eventfd(first, flags);
}

SEAM(int, bind, int descriptor, const struct sockaddr *address, socklen_t length)
{
    if (!simulation_runs()) return __real_bind(descriptor, address, length);
    if (simulation_is_short()) return -1;
    const struct sockaddr_un any = {.sun_family = AF_UNIX}; // the system finds a name
    return __real_bind(descriptor, (const struct sockaddr *)&any, sizeof any.sun_family);
}

int __real_getsockname(int descriptor, struct sockaddr *address, socklen_t *length);

SEAM(int, listen, int descriptor, int waiting)
{
    if (simulation_runs()) {
        listening_length = sizeof listening;
        (void)__real_getsockname(descriptor, (struct sockaddr *)&listening, &listening_length);
    }
    return __real_listen(descriptor, waiting);
}

SEAM(int, getsockname, int descriptor, struct sockaddr *address, socklen_t *length)
{
    if (!simulation_runs()) return __real_getsockname(descriptor, address, length);
    if (simulation_is_short()) return -1;
    const struct sockaddr_in shown = {
        .sin_family = AF_INET, .sin_port = htons(5000), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    memcpy(address, &shown, sizeof shown);
    *length = sizeof shown;
    return 0;
}

int simulation_connect(void)
{
    int descriptor = __real_socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    simulation_switch();
    if (!connect(descriptor, (const struct sockaddr *)&listening, listening_length))
        return descriptor;
    close(descriptor);
    return -1;
}

// Signals

static sigset_t pending;
static bool handling;

static bool is_pending(void *set)
{
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&pending, number) == 1 && sigismember(set, number) == 1) return true;
    return false;
}

SEAM(int, sigwait, const sigset_t *set, int *number)
{
    sigset_t wanted = *set;
    if (!simulation_runs()) return __real_sigwait(set, number);
    handling = false;
    (void)simulation_await((Awaited){"a signal", is_pending, &wanted}, INFINITY);
    handling = true;
    for (*number = 1; sigismember(&pending, *number) != 1 || sigismember(set, *number) != 1;)
        ++*number;
    (void)sigdelset(&pending, *number);
    simulation_note("signal %d", *number);
    return 0;
}

void simulation_signal(int number)
{
    simulation_note("sends signal %d", number);
    (void)sigaddset(&pending, number);
}

bool simulation_signals_handled(void)
{
    return sigisemptyset(&pending) && !handling;
}
