#include "train/cluster/slices.h"

#include "base/array.h"

void slices_of_worker(const Slices *slices, size_t worker, size_t *begin, size_t *end)
{
    threads_range(slices->size, SLICE_GRAIN, worker, slices->workers, begin, end);
}

void slices_of_rank(const Slices *slices, size_t rank, size_t *begin, size_t *end)
{
    size_t ignored, first = rank * slices->per_rank;
    slices_of_worker(slices, first, begin, &ignored);
    slices_of_worker(slices, first + slices->per_rank - 1, &ignored, end);
}

Status slices_new(Slices *slices, size_t size, const Threads *threads, Ranks *ranks, Error *error)
{
    size_t count = ranks_count(ranks), per_rank = threads_count(threads);
    *slices = (Slices){.ranks = ranks,
                       .size = size,
                       .per_rank = per_rank,
                       .first = ranks_rank(ranks) * per_rank,
                       .workers = count * per_rank};
    slices_of_rank(slices, ranks_rank(ranks), &slices->begin, &slices->end);
    return array_new(&slices->messages, 2 * count, "training", error);
}

void slices_free(Slices *slices)
{
    memory_free(slices->messages);
    *slices = (Slices){0};
}

void slices_gather(const Slices *slices, const real *mine, real *whole, bool everywhere)
{
    size_t count = 0, own = ranks_rank(slices->ranks), values = slices->end - slices->begin;
    bool receives = everywhere || own == 0;
    for (size_t rank = 0; rank < ranks_count(slices->ranks); rank++) {
        size_t begin, end;
        slices_of_rank(slices, rank, &begin, &end);
        if (rank == own) continue;
        if (receives)
            slices->messages[count++] =
                (RankMessage){rank, true, whole + begin, (end - begin) * sizeof(real)};
        if (everywhere || rank == 0) // which reads `mine` alone
            slices->messages[count++] =
                (RankMessage){rank, false, (void *)(size_t)mine, values * sizeof(real)};
    }
    if (receives && values && mine != whole + slices->begin)
        memcpy(whole + slices->begin, mine, values * sizeof(real));
    ranks_exchange(slices->ranks, slices->messages, count);
}
