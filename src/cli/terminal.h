// What is shown for people: terminals, heat-maps on them, and progress of long work.
#pragma once

#include "base/parallel.h"
#include "render/pictures.h"

#include <pthread.h>
#include <stdio.h>

bool terminal_is(int descriptor);

// The program as it was called, such as "./regard": for commands that are to be typed.
const char *terminal_program(void);

/* Where `path` is "-" and standard input a terminal, says on standard error what is to be typed:
 *
 *     regard VERB: type WHAT and press Enter; Ctrl-D ends */
void terminal_invite(const char *verb, const char *path, const char *what);

// Columns: COLUMNS of the environment, else the terminal's, else 80.
size_t terminal_width(int descriptor);

// Lines: LINES of the environment, else the terminal's, else 24.
size_t terminal_height(int descriptor);

/* Writes a picture that suits the descriptor: on a terminal in its width and in the style that
 * COLORTERM, TERM and NO_COLOR (https://no-color.org) say, elsewhere in plain shades without escape
 * sequences. */
void terminal_heatmap(Writer *out, const Picture *picture, int descriptor);

// How many bytes of a line take at most `columns`.
size_t terminal_fitting(const char *line, size_t columns);

// Writes a time as "3:05" or "1:02:03".
void terminal_duration(char *text, size_t size, double seconds);

/* Progress on standard error: on a terminal one line that is rewritten, elsewhere (a file, a pipe)
 * an occasional plain line. */
typedef struct Progress {
    FILE *stream;    // not owned; NULL: nothing is shown
    bool terminal;   // whether lines may be rewritten
    double interval; // seconds from one showing to the next
    double shown_at; // seconds of the monotonic clock; 0 before the first
    bool standing;   // the terminal shows a line, with the cursor behind it
} Progress;

/* On a terminal a line is shown at most ten times a second, else at most once in `plain_interval`
 * seconds. */
Progress progress_start(FILE *stream, double plain_interval);

// Whether enough time has passed, so that a line need not be made in vain.
bool progress_due(const Progress *progress);

/* Shows a line, due or not; it is cut to the terminal's width as that is now. What would steer the
 * terminal becomes '?', here and in progress_say. */
void progress_show(Progress *progress, const char *line);

// Prints a line that stays, above the progress; formatted as by printf.
void progress_say(Progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Takes the line away, so that whatever follows begins on a clean line.
void progress_end(Progress *progress);

/* How far a verb has come with a file, on a terminal's standard error:
 *
 *     1200 lines  34 %  0:12 left
 *
 * Nothing is shown elsewhere than on a terminal, nor of what comes from a pipe or is typed, whose
 * length is not known. The line stands only between work_progress_begin and work_progress_end, so
 * that nothing is printed beside it, even if results go to the same terminal. It starts from
 * work_progress_start. */
typedef struct WorkProgress {
    Progress line;
    const char *items; // what is counted: "lines"
    size_t passes;     // how often each of them is worked on
    double began;      // seconds of the monotonic clock
    double share[2];   // of the file: before these items, and with them; less than 0: not known
    size_t before;     // items done before
    size_t count;      // those worked on
    size_t finished;   // of them, in all passes
    pthread_mutex_t lock;
} WorkProgress;

WorkProgress work_progress_start(const char *items, size_t passes);

// What a team of threads is to tell (base/parallel.h); {0} if nothing would be shown.
WorkListener work_progress_listener(WorkProgress *progress);

// The items up to this share of the file have been read, and will be worked on next.
static inline void work_progress_reach(WorkProgress *progress, double share)
{
    progress->share[1] = share;
}

// Work on `count` items begins.
void work_progress_begin(WorkProgress *progress, size_t count);

// The work has ended, and the line is taken away. Nobody may work any more.
void work_progress_end(WorkProgress *progress);
