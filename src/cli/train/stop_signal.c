#define _POSIX_C_SOURCE 200809L
#include "cli/train/stop_signal.h"

#include <signal.h>
#include <unistd.h>

// The number of the signal that came, and whether the handler ends the program.
static volatile sig_atomic_t came, ends_at_once;

static void request_stop(int signal_number)
{
    static const char line[] = "regard train: stopped while reading the corpus: nothing is saved, "
                               "and an existing model is kept\n";
    signal(signal_number, SIG_DFL);
    came = signal_number;
    if (!ends_at_once) return;
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) ends_at_once = 0; // it ends all the same
    raise(signal_number);
}

void stop_signal_install(void)
{
    signal(SIGINT, request_stop);
    signal(SIGTERM, request_stop);
}

void stop_signal_at_once(bool at_once)
{
    ends_at_once = at_once;
    if (at_once && came) request_stop((int)came);
}

bool stop_signal_came(void)
{
    return came;
}
