// A monotonic clock, for progress and time limits; nothing computed depends on it.
#ifndef REGARD_BASE_CLOCK_H
#define REGARD_BASE_CLOCK_H

// Seconds since an arbitrary moment.
double clock_seconds(void);

#endif
