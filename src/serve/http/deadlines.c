#define _GNU_SOURCE
#include "serve/http/deadlines.h"

#include "base/clock.h"

#include <math.h>
#include <stddef.h>
#include <sys/socket.h>

void deadline_stop(Deadlines *deadlines, Deadline *deadline)
{
    if (!deadline->running) return;
    *(deadline->before ? &deadline->before->after : &deadlines->first) = deadline->after;
    *(deadline->after ? &deadline->after->before : &deadlines->last) = deadline->before;
    deadline->running = false;
}

// All have the same time, so that one started now is the last to be over.
void deadline_start(Deadlines *deadlines, Deadline *deadline)
{
    deadline_stop(deadlines, deadline);
    deadline->running = true;
    deadline->end = clock_seconds() + deadlines->seconds;
    deadline->before = deadlines->last;
    deadline->after = NULL;
    *(deadlines->last ? &deadlines->last->after : &deadlines->first) = deadline;
    deadlines->last = deadline;
}

double deadlines_enforce(Deadlines *deadlines, double now)
{
    while (deadlines->first && deadlines->first->end <= now) {
        Deadline *over = deadlines->first;
        deadline_stop(deadlines, over);
        (void)shutdown(over->socket, SHUT_RDWR);
    }
    return deadlines->first ? deadlines->first->end - now : INFINITY;
}
