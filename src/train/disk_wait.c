#define _POSIX_C_SOURCE 200809L
#include "train/disk_wait.h"

#include "base/clock.h"

#include <time.h>

bool disk_wait_again(DiskWait *wait, Status status, const Error *error)
{
    const TrainObserver *observer = wait->setup->observer;
    if (status != STATUS_FULL) return false;
    double now = clock_seconds(), longest = 60 * wait->setup->options->disk_wait;
    if (wait->began == 0) {
        wait->began = now;
        if (longest > 0)
            observer->report(observer->context, &(TrainReport){.event = TRAIN_WAITING,
                                                               .counters = wait->counters,
                                                               .reason = error ? error->text : ""});
    }
    if (now - wait->began >= longest) return false;
    if (observer->decide(observer->context) != TRAIN_CONTINUE) return false;
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    return true;
}
