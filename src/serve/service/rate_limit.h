/* How many requests each client may send: a bucket of as many as a minute allows, which fills
 * evenly (the token bucket). Belongs to one thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

// A client has its bucket in one of the places that begin where its hash says. Where there are more
// clients than buckets, one that has not come for longest begins anew.
enum { RATE_BUCKETS = 4096, RATE_PLACES = 8 };

// Start from {.per_minute = …}; 0 allows any number.
typedef struct RateLimit {
    double per_minute;
    struct RateBucket {
        uint64_t client; // the hash; 0: none yet
        double allowed;  // requests, at the time `since`
        double since;
    } buckets[RATE_BUCKETS];
} RateLimit;

// Whether a client, an address or a key, may send a request at this time, in seconds; it is then
// counted.
bool rate_limit_allows(RateLimit *limit, const char *client, double seconds);
