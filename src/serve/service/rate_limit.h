/* How many requests each client may send: a bucket of as many as a minute allows, which fills
 * evenly (the token bucket). Belongs to one thread. */
#ifndef REGARD_SERVE_SERVICE_RATE_LIMIT_H
#define REGARD_SERVE_SERVICE_RATE_LIMIT_H

#include "base/status.h"

#include <stdbool.h>

typedef struct RateLimit RateLimit;

/* Of so many requests a minute. It remembers some thousand clients; where there are more, one that
 * has not come for longest begins anew. Freed by rate_limit_free. */
Status rate_limit_new(RateLimit **limit, double per_minute, Error *error);

// Whether a client, an address or a key, may send a request at this time, in seconds; it is then
// counted.
bool rate_limit_allows(RateLimit *limit, const char *client, double seconds);

void rate_limit_free(RateLimit *limit); // NULL is allowed

#endif
