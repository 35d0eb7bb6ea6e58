/* Runs the built program as a user would, with pipes for its three streams.
 *
 *     Run run = RUN("input\n", "evaluate", "--hypothesis", "-", "--reference", path);
 *     ck_assert_int_eq(run.status, 0);
 *
 * The program is the one the environment variable REGARD_PROGRAM names, else build/release/regard.
 * What a run wrote is not freed: it is there until the test ends. Any failure of these helpers fails
 * the test. */
#pragma once

#include "base/bytes.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct Run {
    int status;  // exit status; 128 + the signal's number if a signal ended it, as in a shell
    Bytes out;   // standard output
    Bytes error; // standard error
} Run;

// Where standard output goes instead of into `out`.
typedef enum RunOutput {
    RUN_CAPTURED,
    RUN_CLOSED_BY_READER, // a pipe whose reader takes nothing and leaves
    RUN_FULL_DISK,        // /dev/full
    RUN_CLOSED,           // no descriptor 1 at all
} RunOutput;

/* Gives the program the words (NULL behind the last; its own name is put before them) and `length`
 * bytes of input, and waits for its end. Whether it reads all of the input does not matter. */
Run run_program(const char *const *words, const void *input, size_t length, RunOutput output);

/* A program that is still running, for conversations and signals:
 *
 *     Running running = run_start((const char *const[]){"train", …, NULL});
 *     kill(running.child, SIGINT);
 *     Run run = run_finish(&running);
 */
typedef struct Running {
    pid_t child;
    int in, out, error; // our ends of its three streams
} Running;

Running run_start(const char *const *words);

// Writes to its standard input, which stays open.
void run_say(const Running *running, const char *text);

/* The next `lines` lines of what it writes to `end` (running.out or running.error), waited for
 * 10 seconds at most; freed by bytes_free. */
Bytes run_hear(int end, size_t lines);

// Hears lines of running.error up to one that holds this text.
void run_wait_for(const Running *running, const char *text);

// Ends its input, takes what it still writes, and waits for its end.
Run run_finish(Running *running);

#define RUN(input, ...) RUN_INTO(RUN_CAPTURED, input, __VA_ARGS__)
#define RUN_INTO(output, input, ...)                                                               \
    run_program((const char *const[]){__VA_ARGS__, NULL}, input, strlen(input), output)

/* It ended with this status and wrote nothing to standard output, and one line to standard error that
 * begins with "regard " and contains `message`. */
void run_expect_failure(Run run, int status, const char *message);

// It ended with this status, and standard error holds `message`. Returns the run.
Run run_expect_said(Run run, int status, const char *message);

// It ended well; shows what it said if not. Returns the run.
Run run_expect_done(Run run);

// It ended well and wrote exactly this to standard output.
void run_expect_output(Run run, const char *expected);

// Whether the program promises equal bits on this processor: `regard info` says so.
bool run_promises_bits(void);

// The lines of what a run wrote.
size_t run_lines(const Bytes *text);
