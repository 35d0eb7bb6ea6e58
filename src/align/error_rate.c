#include "align/error_rate.h"

void error_rate_add(ErrorRateCounts *counts, const Links *links, const Links *sure,
                    const Links *possible)
{
    counts->links += links->count;
    counts->sure += sure->count;
    for (size_t i = 0; i < links->count; i++) {
        bool is_sure = links_contain(sure, links->items[i]);
        counts->sure_hits += is_sure;
        counts->possible_hits += is_sure || links_contain(possible, links->items[i]);
    }
}

// The part that was right; all of it where there was nothing.
static double part(size_t right, size_t all)
{
    return all ? (double)right / (double)all : 1;
}

double error_rate_precision(const ErrorRateCounts *counts)
{
    return part(counts->possible_hits, counts->links);
}

double error_rate_recall(const ErrorRateCounts *counts)
{
    return part(counts->sure_hits, counts->sure);
}

double error_rate(const ErrorRateCounts *counts)
{
    return 1 - part(counts->sure_hits + counts->possible_hits, counts->links + counts->sure);
}
