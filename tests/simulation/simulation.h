/* A machine whose time, threads, sockets and signals follow from a seed, for programs that run in it
 * unchanged: the linker turns what they call of the system (`seam` in the Makefile) into the
 * functions of system.c.
 *
 * Of all threads one runs at a time. Wherever it locks, waits, reads the clock, sends or receives,
 * the seed decides which goes on, and how long that took; time that nobody needs is skipped. So a
 * seed replays whatever happened, in a fraction of the time. Where nobody can go on, it fails. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// How a machine behaves.
typedef struct Pace {
    double stays;        // the probability that a thread that can go on does
    double step;         // seconds that it takes from one switch to the next, at most
    double pause;        // seconds that it may be kept from running now and then, at most
    bool day_moves;      // the time of day is set forward and back
    size_t short_memory; // one of so many switches makes an allocation fail; 0: none
} Pace;

/* Begins; the thread that calls it is the first. `shown`: what happens is printed. */
void simulation_begin(uint64_t seed, bool shown);

void simulation_set_pace(const Pace *pace);

// Ends, when all other threads have. Returns a hash of all that happened.
uint64_t simulation_end(void);

// Starts a thread that is not part of what is tested: no allocation of it fails.
void simulation_start(const char *name, void (*run)(void *context), void *context);

// Whether the thread that asks is in a simulation.
bool simulation_runs(void);

// Seconds since it began.
double simulation_now(void);

// How many of these were taken by threads that ran.
double simulation_worked(void);

// A number below a limit, by the seed.
size_t simulation_draw(size_t below);

// Whether an event of this probability happens.
bool simulation_chance(double probability);

// Whether something that the program asks of the system fails, for lack of what it takes.
bool simulation_is_short(void);

// Another thread may run now.
void simulation_switch(void);

// What a thread waits for.
typedef struct Awaited {
    const char *name;             // for messages
    bool (*ready)(void *context); // whether it is there; asked by any thread, changes nothing
    void *context;
} Awaited;

// Waits for it, for so many seconds at most, INFINITY: for ever; false when they were over before.
bool simulation_await(Awaited awaited, double seconds);

void simulation_sleep(double seconds);

/* Takes part in the hash, and is printed if the simulation is shown. */
void simulation_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Ends the process with a message that names the seed.
void simulation_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

// What system.c needs: threads that the program makes, waits for and cancels.
int simulation_thread_new(pthread_t *handle, void *(*work)(void *context), void *context);
void simulation_thread_join(pthread_t handle, void **result);
void simulation_thread_cancel(pthread_t handle);
int simulation_set_cancellable(bool cancellable); // returns whether it was
void simulation_hold(bool held);                  // no other thread runs meanwhile
void simulation_wake(bool (*ready)(void *context), bool (*wake)(void *context, void *key),
                     void *key, bool all);
struct timespec simulation_time_of(clockid_t clock);
double simulation_since(const struct timespec *time, clockid_t clock);

// What clients do: connect to the socket that the program listens at (-1: it does not), wait for it.
int simulation_connect(void);
bool simulation_poll(int descriptor, short events, double seconds);

// Sends a signal to the process, which takes it by sigwait, and whether it has taken and handled all.
void simulation_signal(int number);
bool simulation_signals_handled(void);
