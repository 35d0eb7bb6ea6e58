#define _POSIX_C_SOURCE 200809L
#include "cli/train/train.h"

#include <signal.h>
#include <unistd.h>

// The number of the signal that came, and what the handler removes before it ends the program.
static volatile sig_atomic_t came;
static const char *volatile removed_at_once;

static void request_stop(int signal_number)
{
    static const char line[] = "regard train: stopped while reading the corpus: nothing is saved, "
                               "and an existing model is kept\n";
    signal(signal_number, SIG_DFL);
    came = signal_number;
    if (!removed_at_once) return;
    if (*removed_at_once) unlink(removed_at_once);
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0)
        came = signal_number; // it ends all the same
    raise(signal_number);
}

void stop_signal_install(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;
        // nohup and shells that start a job in the background have chosen to ignore it
        bool ignored = !sigaction(signals[i], NULL, &before) && before.sa_handler == SIG_IGN;
        if (!ignored) signal(signals[i], request_stop);
    }
}

void stop_signal_at_once(const char *removed)
{
    removed_at_once = removed;
    if (removed && came) request_stop((int)came);
}

bool stop_signal_came(void)
{
    return came;
}
