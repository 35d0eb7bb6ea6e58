/* Time that only goes forward. Used for progress and limits, never for anything that is computed. */
#ifndef REGARD_BASE_CLOCK_H
#define REGARD_BASE_CLOCK_H

// Seconds since some fixed moment.
double clock_seconds(void);

#endif
