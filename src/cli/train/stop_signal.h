/* Ctrl-C (SIGINT), SIGTERM, SIGHUP, which comes when a connection is lost, and SIGUSR1, which
 * mpirun passes on to all ranks, during training: a request to stop after the current step. A
 * second signal of the same kind ends the program as if there were no handler; one that was ignored
 * when the program started stays ignored. */
#ifndef REGARD_CLI_TRAIN_STOP_SIGNAL_H
#define REGARD_CLI_TRAIN_STOP_SIGNAL_H

#include <stdbool.h>

// From here on signals are requests, so that no half-written file is left behind.
void stop_signal_install(void);

/* Until it is called with NULL, a signal removes this file ("": none) and ends the program with a
 * message and the exit status of a signal: for long work during which there is nothing to save. The
 * call itself answers an earlier request. */
void stop_signal_at_once(const char *removed);

// Whether a signal has come.
bool stop_signal_came(void);

#endif
