#include "serve/service/rate_limit.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/string_map.h"

#include <math.h>
#include <string.h>

// A client has its bucket in one of the places that begin where its hash says.
enum { BUCKETS = 4096, PLACES = 8 };

typedef struct Bucket {
    uint64_t client; // the hash; 0: none yet
    double allowed;  // requests, at the time `since`
    double since;
} Bucket;

struct RateLimit {
    double per_minute;
    Bucket buckets[BUCKETS];
};

Status rate_limit_new(RateLimit **out, double per_minute, Error *error)
{
    RateLimit *limit;
    TRY(array_new(&limit, 1, "the limit of requests", error));
    limit->per_minute = per_minute;
    *out = limit;
    return STATUS_OK;
}

// The client's bucket, or the one of its places that has not been used for longest.
static Bucket *find(RateLimit *limit, uint64_t client)
{
    Bucket *oldest = NULL;
    for (size_t i = 0; i < PLACES; i++) {
        Bucket *bucket = &limit->buckets[(client + i) % BUCKETS];
        if (bucket->client == client) return bucket;
        if (!oldest || bucket->since < oldest->since) oldest = bucket;
    }
    return oldest;
}

bool rate_limit_allows(RateLimit *limit, const char *client, double seconds)
{
    uint64_t hash = string_hash(client, strlen(client)) | 1;
    Bucket *bucket = find(limit, hash);
    if (bucket->client != hash) *bucket = (Bucket){hash, limit->per_minute, seconds};
    double refilled = bucket->allowed + (seconds - bucket->since) * limit->per_minute / 60;
    bucket->allowed = fmin(refilled, limit->per_minute);
    bucket->since = seconds;
    if (bucket->allowed < 1) return false;
    bucket->allowed -= 1;
    return true;
}

void rate_limit_free(RateLimit *limit)
{
    memory_free(limit);
}
