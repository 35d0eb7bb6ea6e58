/* Progress of long work on standard error: on a terminal one line that is rewritten, elsewhere
 * (a file, a pipe) an occasional plain line. */
#ifndef REGARD_CLI_PROGRESS_H
#define REGARD_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct Progress {
    FILE *stream;    // not owned
    bool terminal;   // whether lines may be rewritten
    double interval; // seconds from one showing to the next
    double shown_at; // seconds of the monotonic clock; 0 before the first
    bool standing;   // a line stands on the terminal, and the cursor behind it
} Progress;

/* On a terminal a line is shown at most ten times a second, else at most once in `plain_interval`
 * seconds. */
Progress progress_start(FILE *stream, double plain_interval);

// Whether enough time has passed, so that a line need not be made in vain.
bool progress_due(const Progress *progress);

/* Shows a line, due or not; it is cut to the terminal's width as that is now. Control characters in
 * it must not be. */
void progress_show(Progress *progress, const char *line);

// Prints a line that stays, above the progress; formatted as by printf.
void progress_say(Progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Takes the line away, so that whatever follows begins on a clean line.
void progress_end(Progress *progress);

#endif
