#define _GNU_SOURCE
#include "simulation/simulation.h"

#include "support/failing_malloc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 256, MAX_STEPS = 5000000 };

typedef struct Thread {
    char name[24];
    void *(*work)(void *context);
    void *context, *result;
    pthread_t handle;
    sem_t turn;
    Awaited awaited; // whose `ready` is NULL if it can run
    double until;    // or this time
    unsigned share;  // how often it is chosen, compared with others
    double pauses;   // how often it is kept from running
    unsigned held;
    bool tested, paused, ended, joined, cancellable, cancelled;
} Thread;

static struct {
    Thread threads[MAX_THREADS];
    size_t count;
    double now, worked;
    double day; // what the time of day is ahead of `now`
    uint64_t seed, state, hash;
    size_t steps;
    Pace pace;
    bool shown;
} machine;

static _Thread_local Thread *self;

// SplitMix64, whose numbers depend on nothing but the seed.
static uint64_t next_number(void)
{
    uint64_t z = machine.state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static double fraction(void)
{
    return (double)(next_number() >> 11) * 0x1p-53;
}

size_t simulation_draw(size_t below)
{
    return (size_t)(next_number() % below);
}

bool simulation_chance(double probability)
{
    return fraction() < probability;
}

bool simulation_is_short(void)
{
    return self && self->tested && machine.pace.short_memory && simulation_chance(0.03);
}

// FNV-1a
static void hash_bytes(const void *data, size_t size)
{
    for (const unsigned char *at = data, *end = at + size; at < end; at++)
        machine.hash = (machine.hash ^ *at) * 0x100000001b3;
}

void simulation_note(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hash_bytes(text, strlen(text));
    hash_bytes(&machine.now, sizeof machine.now);
    if (machine.shown) (void)fprintf(stderr, "%12.6f  %-14s %s\n", machine.now, self->name, text);
}

// What each thread waits for.
static void list_threads(void)
{
    for (size_t i = 0; i < machine.count; i++) {
        const Thread *thread = &machine.threads[i];
        if (!thread->ended && thread->awaited.ready)
            dprintf(STDOUT_FILENO, "  %s waits for %s until %g s\n", thread->name,
                    thread->awaited.name, thread->until);
    }
}

void simulation_fail(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dprintf(STDOUT_FILENO, "seed %" PRIu64 ", after %.6f s: %s\n", machine.seed, machine.now, text);
    if (machine.shown) list_threads();
    _exit(1);
}

static bool can_run(const Thread *thread)
{
    return !thread->ended && (!thread->awaited.ready || thread->until <= machine.now ||
                              (thread->cancelled && thread->cancellable) ||
                              thread->awaited.ready(thread->awaited.context));
}

// Lets time pass to the next moment at which somebody can run.
static void skip_time(void)
{
    double next = INFINITY;
    bool paused = false;
    for (size_t i = 0; i < machine.count; i++) {
        const Thread *thread = &machine.threads[i];
        if (!thread->ended) next = fmin(next, thread->until);
        paused = paused || thread->paused;
    }
    if (next == INFINITY) simulation_fail("nobody can go on");
    if (paused) machine.worked += next - machine.now;
    machine.now = next;
}

static Thread *choose(void)
{
    Thread *able[MAX_THREADS];
    for (;; skip_time()) {
        size_t count = 0, shares = 0;
        for (size_t i = 0; i < machine.count; i++)
            if (can_run(&machine.threads[i]))
                shares += (able[count++] = &machine.threads[i])->share;
        if (count == 0) continue;
        size_t drawn = simulation_draw(shares);
        for (size_t i = 0;; i++) {
            if (drawn < able[i]->share) return able[i];
            drawn -= able[i]->share;
        }
    }
}

static void wait_for_turn(Thread *thread)
{
    while (sem_wait(&thread->turn)) continue;
    thread->awaited.ready = NULL;
    thread->until = INFINITY;
}

static void pass_turn(void)
{
    Thread *next = choose();
    size_t place = (size_t)(next - machine.threads);
    hash_bytes(&place, sizeof place);
    if (next == self) return;
    Thread *me = self;
    bool ended = me->ended;
    sem_post(&next->turn);
    if (!ended) wait_for_turn(me);
}

// Something is done by a thread that runs: it takes time, and may meet with misfortune.
static void pass_time(void)
{
    const Pace *pace = &machine.pace;
    double taken = pace->step * fraction();
    machine.now += taken;
    machine.worked += taken;
    if (pace->day_moves && simulation_chance(0.001)) machine.day += 7200 * (fraction() - 0.5);
    if (self->tested && pace->short_memory && simulation_draw(pace->short_memory) == 0)
        failing_malloc_at(1 + simulation_draw(20));
    if (++machine.steps > MAX_STEPS) simulation_fail("it does not end");
}

static void end_if_cancelled(void)
{
    if (!self->cancelled || !self->cancellable) return;
    self->ended = true;
    self->result = PTHREAD_CANCELED;
    pass_turn();
    pthread_exit(PTHREAD_CANCELED);
}

static bool never(void *context)
{
    (void)context;
    return false;
}

// Now and then the system lets only others run for a while.
static void pause_sometimes(void)
{
    if (machine.pace.pause == 0 || !simulation_chance(self->pauses)) return;
    self->paused = true;
    self->awaited = (Awaited){"its turn", never, NULL};
    self->until = machine.now + machine.pace.pause * fraction();
    pass_turn();
    self->awaited.ready = NULL;
    self->until = INFINITY;
    self->paused = false;
}

void simulation_switch(void)
{
    if (self->held) return;
    pass_time();
    pause_sometimes();
    if (!simulation_chance(machine.pace.stays)) pass_turn();
    end_if_cancelled();
}

bool simulation_await(Awaited awaited, double seconds)
{
    if (self->held) return awaited.ready(awaited.context);
    pass_time();
    self->awaited = awaited;
    self->until = machine.now + seconds;
    if (!awaited.ready(awaited.context) || !simulation_chance(machine.pace.stays)) pass_turn();
    self->awaited.ready = NULL;
    self->until = INFINITY;
    end_if_cancelled();
    return awaited.ready(awaited.context);
}

void simulation_sleep(double seconds)
{
    (void)simulation_await((Awaited){"time", never, NULL}, seconds);
}

bool simulation_runs(void)
{
    return self != NULL;
}

double simulation_now(void)
{
    return machine.now;
}

double simulation_worked(void)
{
    return machine.worked;
}

static Thread *add_thread(const char *name, bool tested)
{
    if (machine.count == MAX_THREADS) simulation_fail("too many threads");
    static const double pauses[] = {0.0002, 0.0002, 0.002, 0.03};
    Thread *thread = &machine.threads[machine.count++];
    *thread = (Thread){.until = INFINITY,
                       .share = 1u << (2 * simulation_draw(4)),
                       .pauses = pauses[simulation_draw(4)],
                       .tested = tested,
                       .cancellable = true};
    (void)snprintf(thread->name, sizeof thread->name, "%s", name);
    sem_init(&thread->turn, 0, 0);
    return thread;
}

void simulation_begin(uint64_t seed, bool shown)
{
    memset(&machine, 0, sizeof machine);
    machine.seed = machine.state = seed;
    machine.hash = 0xcbf29ce484222325;
    machine.day = 1.7e9;
    machine.shown = shown;
    self = add_thread("main", true);
}

void simulation_set_pace(const Pace *pace)
{
    machine.pace = *pace;
}

static bool all_ended(void *context)
{
    (void)context;
    for (size_t i = 1; i < machine.count; i++)
        if (!machine.threads[i].ended) return false;
    return true;
}

uint64_t simulation_end(void)
{
    (void)simulation_await((Awaited){"the others", all_ended, NULL}, INFINITY);
    for (size_t i = 0; i < machine.count; i++) {
        Thread *thread = &machine.threads[i];
        if (i > 0 && !thread->joined && thread->tested)
            simulation_fail("the thread %s was not waited for", thread->name);
        if (i > 0 && !thread->joined) pthread_join(thread->handle, NULL);
        sem_destroy(&thread->turn);
    }
    (void)failing_malloc_stop();
    self = NULL;
    return machine.hash;
}

static void *thread_main(void *context)
{
    Thread *thread = context;
    wait_for_turn(thread);
    self = thread;
    thread->result = thread->work(thread->context);
    (void)failing_malloc_stop();
    thread->ended = true;
    pass_turn();
    return thread->result;
}

extern int __real_pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                                 void *(*work)(void *context), void *context);
extern int __real_pthread_join(pthread_t handle, void **result);

int simulation_thread_new(pthread_t *handle, void *(*work)(void *context), void *context)
{
    char name[24];
    (void)snprintf(name, sizeof name, "server-%zu", machine.count);
    simulation_switch();
    if (simulation_is_short()) return EAGAIN;
    Thread *thread = add_thread(name, self->tested);
    thread->work = work;
    thread->context = context;
    int failure = __real_pthread_create(&thread->handle, NULL, thread_main, thread);
    if (failure) simulation_fail("no thread: %s", strerror(failure));
    *handle = thread->handle;
    return 0;
}

// What simulation_start gets, kept as long as the process.
static struct Started {
    void (*run)(void *context);
    void *context;
} started[MAX_THREADS];

static void *run_started(void *context)
{
    const struct Started *start = context;
    start->run(start->context);
    return NULL;
}

void simulation_start(const char *name, void (*run)(void *context), void *context)
{
    struct Started *start = &started[machine.count];
    *start = (struct Started){run, context};
    Thread *thread = add_thread(name, false);
    thread->work = run_started;
    thread->context = start;
    int failure = __real_pthread_create(&thread->handle, NULL, thread_main, thread);
    if (failure) simulation_fail("no thread: %s", strerror(failure));
}

static Thread *find_thread(pthread_t handle)
{
    for (size_t i = 1; i < machine.count; i++) {
        Thread *thread = &machine.threads[i];
        if (!thread->joined && pthread_equal(thread->handle, handle)) return thread;
    }
    simulation_fail("a thread that is not there is waited for");
}

static bool has_ended(void *thread)
{
    return ((Thread *)thread)->ended;
}

void simulation_thread_join(pthread_t handle, void **result)
{
    Thread *thread = find_thread(handle);
    (void)simulation_await((Awaited){thread->name, has_ended, thread}, INFINITY);
    thread->joined = true;
    (void)__real_pthread_join(handle, NULL);
    if (result) *result = thread->result;
}

void simulation_thread_cancel(pthread_t handle)
{
    find_thread(handle)->cancelled = true;
}

int simulation_set_cancellable(bool cancellable)
{
    bool before = self->cancellable;
    self->cancellable = cancellable;
    return before;
}

void simulation_hold(bool held)
{
    if (held)
        self->held++;
    else
        self->held--;
}

void simulation_wake(bool (*ready)(void *context), bool (*wake)(void *context, void *key),
                     void *key, bool all)
{
    size_t first = simulation_draw(machine.count);
    for (size_t i = 0; i < machine.count; i++) {
        Thread *thread = &machine.threads[(first + i) % machine.count];
        if (!thread->ended && thread->awaited.ready == ready &&
            wake(thread->awaited.context, key) && !all)
            return;
    }
}

static double offset_of(clockid_t clock)
{
    return clock == CLOCK_REALTIME ? machine.day : 0;
}

struct timespec simulation_time_of(clockid_t clock)
{
    double seconds = machine.now + offset_of(clock);
    double whole = floor(seconds);
    return (struct timespec){(time_t)whole, (long)(1e9 * (seconds - whole))};
}

double simulation_since(const struct timespec *time, clockid_t clock)
{
    double at = (double)time->tv_sec + 1e-9 * (double)time->tv_nsec;
    return at - (machine.now + offset_of(clock));
}
