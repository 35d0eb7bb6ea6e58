/* Ctrl-C (SIGINT) and SIGTERM while something is trained: a request to stop at the next step. A second signal of a kind ends
 * the program as if there were no handler. */
#ifndef REGARD_CLI_TRAIN_STOP_SIGNAL_H
#define REGARD_CLI_TRAIN_STOP_SIGNAL_H

#include <stdbool.h>

// Signals are requests from here on: a file that is half written is never left behind.
void stop_signal_install(void);

/* While `at_once`, a signal says so and ends the program, with the exit status of a signal: for work that may take long while
 * no file is half written and there is nothing to save. A request from before is answered by the call. */
void stop_signal_at_once(bool at_once);

// Whether a signal has come.
bool stop_signal_came(void);

#endif
