#include "train/cluster/gradient_sum.h"

#include "base/array.h"
#include "math/kernels.h"

#include <math.h>

// The level of the tree at which a worker > 0 is added to one before it: its lowest bit that is
// set.
static size_t level_of(size_t worker)
{
    return worker & (~worker + 1);
}

/* Whether a worker's branch is added within its rank's workers, first … last − 1, which then hold
 * all of that branch and of the one that it is added to. */
static bool is_added_within(size_t worker, size_t first, size_t last, size_t workers)
{
    size_t level = level_of(worker), end = worker + level < workers ? worker + level : workers;
    return worker >= first + level && end <= last;
}

// Whether another's part has this worker's when its rank has added up its own.
static bool is_added_before(const Slices *slices, size_t worker)
{
    size_t first = worker - worker % slices->per_rank;
    return worker > 0 && is_added_within(worker, first, first + slices->per_rank, slices->workers);
}

Status gradient_sum_new(GradientSum *sum, const Slices *slices, Threads *threads, Error *error)
{
    size_t ranks = ranks_count(slices->ranks), own = 0, foreign = 0; // parts to send, to receive
    *sum = (GradientSum){.threads = threads};
    for (size_t worker = 0; worker < slices->workers; worker++) {
        if (is_added_before(slices, worker)) continue;
        if (worker / slices->per_rank == ranks_rank(slices->ranks))
            own++;
        else
            foreign++;
    }
    size_t messages = own * (ranks - 1) + foreign;
    TRY(array_new(&sum->parts, slices->workers, "training", error));
    TRY(array_new(&sum->squares, slices->workers, "training", error));
    TRY(array_new(&sum->messages, messages, "training", error));
    if (!foreign) return STATUS_OK;
    size_t received = foreign * (slices->end - slices->begin);
    sum->received = memory_in_large_pages(received, sizeof(real));
    if (sum->received) return STATUS_OK;
    return error_memory(error, received * sizeof(real), "gradients of other ranks");
}

void gradient_sum_free(GradientSum *sum)
{
    memory_free(sum->parts);
    memory_free(sum->squares);
    memory_free(sum->messages);
    memory_free(sum->received);
    *sum = (GradientSum){0};
}

typedef struct Summation {
    GradientSum *sum;
    const Slices *slices;
    real *const *parts; // (count) of workers first …; NULL where another's part has it
    size_t first, count, workers;
} Summation;

/* Adds up n values from `at` of the parts, as far as the branches are theirs. */
static void add_parts(const Summation *all, size_t at, size_t n)
{
    size_t last = all->first + all->count;
    for (size_t level = 1; level < all->workers; level *= 2)
        for (size_t worker = level; worker < last; worker += 2 * level) {
            if (worker < all->first || !all->parts[worker - all->first]) continue;
            if (is_added_within(worker, all->first, last, all->workers))
                kernels()->add(all->parts[worker - level - all->first] + at,
                               all->parts[worker - all->first] + at, n);
        }
}

// A thread's share of this rank's branches, over the whole block.
static void add_own(void *context, size_t thread)
{
    const Summation *all = context;
    size_t begin, end;
    threads_range(all->slices->size, SLICE_GRAIN, thread, all->count, &begin, &end);
    for (size_t at = begin; at < end; at += SLICE_GRAIN) {
        size_t n = end - at < SLICE_GRAIN ? end - at : SLICE_GRAIN;
        add_parts(all, at, n);
    }
}

// A worker's range of the whole sum, and its squares.
static void add_all(void *context, size_t thread)
{
    const Summation *all = context;
    const Slices *slices = all->slices;
    size_t begin, end, worker = slices->first + thread;
    double squares = 0;
    slices_of_worker(slices, worker, &begin, &end);
    for (size_t at = begin; at < end; at += SLICE_GRAIN) { // stays in the cache while it is summed
        size_t n = end - at < SLICE_GRAIN ? end - at : SLICE_GRAIN;
        add_parts(all, at - slices->begin, n);
        squares += kernels()->sum_squares(all->parts[0] + at - slices->begin, n);
    }
    all->sum->squares[worker] = squares;
}

// The messages of one of this rank's parts to all others.
static size_t send_part(const Slices *slices, real *block, RankMessage *messages)
{
    size_t count = 0;
    for (size_t rank = 0; rank < ranks_count(slices->ranks); rank++) {
        size_t begin, end;
        slices_of_rank(slices, rank, &begin, &end);
        if (rank != ranks_rank(slices->ranks))
            messages[count++] =
                (RankMessage){rank, false, block + begin, (end - begin) * sizeof(real)};
    }
    return count;
}

// Sends the other ranks what this one has of their slices; receives what they have of its own.
static void exchange(GradientSum *sum, const Slices *slices, real *const *blocks)
{
    size_t values = slices->end - slices->begin, count = 0;
    real *received = sum->received;
    for (size_t worker = 0; worker < slices->workers; worker++) {
        size_t rank = worker / slices->per_rank;
        sum->parts[worker] = NULL;
        if (is_added_before(slices, worker)) continue;
        if (rank == ranks_rank(slices->ranks)) {
            real *block = blocks[worker - slices->first];
            sum->parts[worker] = block + slices->begin;
            count += send_part(slices, block, sum->messages + count);
        } else {
            sum->parts[worker] = received;
            sum->messages[count++] = (RankMessage){rank, true, received, values * sizeof(real)};
            received += values;
        }
    }
    ranks_exchange(slices->ranks, sum->messages, count);
}

double gradient_sum_run(GradientSum *sum, const Slices *slices, real *const *blocks, real **slice)
{
    Summation all = {sum, slices, blocks, slices->first, slices->per_rank, slices->workers};
    double squares = 0;
    if (ranks_count(slices->ranks) > 1) {
        threads_run(sum->threads, add_own, &all);
        exchange(sum, slices, blocks);
        all = (Summation){sum, slices, sum->parts, 0, slices->workers, slices->workers};
    }
    memset(sum->squares, 0, slices->workers * sizeof *sum->squares);
    threads_run(sum->threads, add_all, &all);
    ranks_sum(slices->ranks, sum->squares, slices->workers);
    for (size_t i = 0; i < slices->workers; i++) squares += sum->squares[i];
    *slice = all.parts[0];
    return sqrt(squares);
}
