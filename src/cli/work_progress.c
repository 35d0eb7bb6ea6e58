#include "cli/work_progress.h"

#include "base/clock.h"

WorkProgress work_progress_start(const char *items, size_t passes)
{
    return (WorkProgress){.line = progress_start(stderr, 0),
                          .items = items,
                          .passes = passes,
                          .began = clock_seconds(),
                          .lock = PTHREAD_MUTEX_INITIALIZER};
}

// The share of the file that is done.
static double share_done(const WorkProgress *progress)
{
    double from = progress->share[0], to = progress->share[1];
    if (to < 0 || progress->count == 0) return to;
    size_t work = progress->count * progress->passes;
    return from + (to - from) * (double)progress->finished / (double)work;
}

static void show(WorkProgress *progress)
{
    double share = share_done(progress);
    size_t done = progress->before + progress->finished / progress->passes;
    if (done == 0 || share <= 0 || share >= 1 || !progress_due(&progress->line)) return;
    char text[128], left[32];
    double seconds = clock_seconds() - progress->began;
    terminal_duration(left, sizeof left, seconds / share * (1 - share));
    snprintf(text, sizeof text, "%zu %s  %.0f %%  %s left", done, progress->items, 100 * share,
             left);
    progress_show(&progress->line, text);
}

static void finished(void *context, size_t items)
{
    WorkProgress *progress = context;
    pthread_mutex_lock(&progress->lock);
    size_t most = progress->count * progress->passes; // less than what is heard if lines are split
    progress->finished = progress->finished + items < most ? progress->finished + items : most;
    show(progress);
    pthread_mutex_unlock(&progress->lock);
}

WorkListener work_progress_listener(WorkProgress *progress)
{
    if (!progress->line.terminal) return (WorkListener){0};
    return (WorkListener){finished, progress};
}

void work_progress_reach(WorkProgress *progress, double share)
{
    progress->share[1] = share;
}

void work_progress_begin(WorkProgress *progress, size_t count)
{
    if (!progress->line.terminal) return;
    progress->count = count;
    progress->finished = 0;
    progress->line.shown_at = 0; // it was taken away, and comes back at once
    show(progress);
}

void work_progress_end(WorkProgress *progress)
{
    progress_end(&progress->line);
    progress->before += progress->count;
    progress->share[0] = progress->share[1];
    progress->count = progress->finished = 0;
}
