/* How far a verb has come with a file, on a terminal's standard error:
 *
 *     1200 lines  34 %  0:12 left
 *
 * Nothing is shown elsewhere than on a terminal, nor of what comes from a pipe or is typed, whose
 * length is not known. The line stands only between work_progress_begin and work_progress_end, so
 * that nothing is printed beside it, even if results go to the same terminal. */
#ifndef REGARD_CLI_WORK_PROGRESS_H
#define REGARD_CLI_WORK_PROGRESS_H

#include "base/parallel.h"
#include "cli/terminal.h"

#include <pthread.h>

// Start from work_progress_start.
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
void work_progress_reach(WorkProgress *progress, double share);

// Work on `count` items begins.
void work_progress_begin(WorkProgress *progress, size_t count);

// The work has ended, and the line is taken away. Nobody may work any more.
void work_progress_end(WorkProgress *progress);

#endif
