#include "align/aer.h"

void aer_add(AerCounts *counts, const Links *links, const Links *sure, const Links *possible)
{
    counts->links += links->count;
    counts->sure += sure->count;
    for (size_t i = 0; i < links->count; i++) {
        bool is_sure = links_contain(sure, links->items[i]);
        counts->sure_hits += is_sure;
        counts->possible_hits += is_sure || links_contain(possible, links->items[i]);
    }
}

// 1 where there is nothing to divide by: nothing was wrong.
static double ratio(size_t right, size_t all)
{
    return all ? (double)right / (double)all : 1;
}

double aer_precision(const AerCounts *counts)
{
    return ratio(counts->possible_hits, counts->links);
}

double aer_recall(const AerCounts *counts)
{
    return ratio(counts->sure_hits, counts->sure);
}

double aer(const AerCounts *counts)
{
    return 1 - ratio(counts->sure_hits + counts->possible_hits, counts->links + counts->sure);
}
