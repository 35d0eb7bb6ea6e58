#include "serve/service/rate_limit.h"

#include "base/string_map.h"

#include <math.h>

// The client's bucket, or the one of its places that has not been used for longest.
static struct RateBucket *find(RateLimit *limit, uint64_t client)
{
    struct RateBucket *oldest = NULL;
    for (size_t i = 0; i < RATE_PLACES; i++) {
        struct RateBucket *bucket = &limit->buckets[(client + i) % RATE_BUCKETS];
        if (bucket->client == client) return bucket;
        if (!oldest || bucket->since < oldest->since) oldest = bucket;
    }
    return oldest;
}

bool rate_limit_allows(RateLimit *limit, const char *client, double seconds)
{
    if (limit->per_minute <= 0) return true;
    uint64_t hash = string_hash(client, strlen(client)) | 1;
    struct RateBucket *bucket = find(limit, hash);
    if (bucket->client != hash) *bucket = (struct RateBucket){hash, limit->per_minute, seconds};
    double refilled = bucket->allowed + (seconds - bucket->since) * limit->per_minute / 60;
    bucket->allowed = fmin(refilled, limit->per_minute);
    bucket->since = seconds;
    if (bucket->allowed < 1) return false;
    bucket->allowed -= 1;
    return true;
}
