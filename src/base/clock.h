// A monotonic clock, for progress and time limits; nothing computed depends on it.
#pragma once

// Seconds since an arbitrary moment.
double clock_seconds(void);
