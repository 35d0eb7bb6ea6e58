#include "train/cluster/gradient_sum.h"

#include "base/memory.h"
#include "support/draw.h"
#include "support/rank_threads.h"
#include "support/suite.h"
#include "train/optimiser.h"

#include <math.h>
#include <string.h>

enum { SIZE = 5 * SLICE_GRAIN + 123, WORKERS = 12, STEPS = 2 };

/* What the ranks of a run end with: values and average are the same on all, the moments lie in
 * their slices. */
typedef struct Split {
    size_t ranks, threads;
    double norm;
    real *values, *average, *first; // (SIZE)
} Split;

/* Sums the gradients of so many workers and makes a step, several times, as one of the ranks. */
static void work_as_rank(void *context, Ranks *ranks)
{
    Split *split = context;
    Threads *threads = NULL;
    Optimiser optimiser;
    const OptimiserConstants options = {0.9, 0.98, 1e-9, 1, false};
    real *blocks[WORKERS], *slice, *values = memory_new(SIZE, sizeof(real));
    real *average = memory_new(SIZE, sizeof(real));
    assert_ok(threads_new(&threads, split->threads, NULL));
    assert_ok(optimiser_new(&optimiser, SIZE, &options, threads, ranks, NULL));
    optimiser.average = average;
    double norm = 0;
    for (size_t i = 0; i < split->threads; i++) blocks[i] = memory_new(SIZE, sizeof(real));
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < split->threads; i++)
            draw_reals(blocks[i], SIZE, 1, 100 * step + ranks->rank * split->threads + i);
        norm = optimiser_sum(&optimiser, blocks, &slice);
        optimiser_step(&optimiser, values, slice, norm, 0.1);
    }
    optimiser_gather_average(&optimiser, true);
    slices_gather(&optimiser.slices, optimiser.first, ranks->rank ? NULL : split->first, false);
    if (ranks->rank == ranks->count - 1) {
        split->norm = norm;
        memcpy(split->values, values, SIZE * sizeof *values);
        memcpy(split->average, average, SIZE * sizeof *average);
    }
    for (size_t i = 0; i < split->threads; i++) memory_free(blocks[i]);
    memory_free(values);
    memory_free(average);
    optimiser_free(&optimiser);
    threads_free(threads);
}

static Split run_split(size_t ranks, size_t threads)
{
    Split split = {.ranks = ranks,
                   .threads = threads,
                   .values = memory_new(SIZE, sizeof(real)),
                   .average = memory_new(SIZE, sizeof(real)),
                   .first = memory_new(SIZE, sizeof(real))};
    rank_threads_run(ranks, work_as_rank, &split);
    return split;
}

static void split_free(Split *split)
{
    memory_free(split->values);
    memory_free(split->average);
    memory_free(split->first);
}

TEST(splits_give_the_same_bits)
{
    // of workers that are powers of two and not; those of a rank may make several branches of the
    // tree
    static const size_t counts[] = {2, 3, 6, 8, WORKERS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t workers = counts[i];
        Split alone = run_split(1, workers);
        ck_assert(isfinite(alone.norm) && alone.norm > 0);
        for (size_t ranks = 2; ranks <= workers; ranks++) {
            if (workers % ranks) continue;
            Split split = run_split(ranks, workers / ranks);
            ck_assert(split.norm == alone.norm);
            ck_assert_mem_eq(split.values, alone.values, SIZE * sizeof(real));
            ck_assert_mem_eq(split.average, alone.average, SIZE * sizeof(real));
            ck_assert_mem_eq(split.first, alone.first, SIZE * sizeof(real));
            split_free(&split);
        }
        split_free(&alone);
    }
}

static void count_bytes(void *context, Ranks *ranks)
{
    const size_t *threads = context;
    Threads *team = NULL;
    Slices slices;
    GradientSum sum;
    real *blocks[4], *slice;
    assert_ok(threads_new(&team, *threads, NULL));
    assert_ok(slices_new(&slices, SIZE, team, ranks, NULL));
    assert_ok(gradient_sum_new(&sum, &slices, team, NULL));
    for (size_t i = 0; i < *threads; i++) blocks[i] = memory_new(SIZE, sizeof(real));
    (void)gradient_sum_run(&sum, &slices, blocks, &slice);
    // what is not its own, once, however many threads it has
    ck_assert_uint_eq(ranks->sent, (SIZE - (slices.end - slices.begin)) * sizeof(real));
    for (size_t i = 0; i < *threads; i++) memory_free(blocks[i]);
    gradient_sum_free(&sum);
    slices_free(&slices);
    threads_free(team);
}

TEST(a_rank_sends_one_sum)
{
    for (size_t threads = 1; threads <= 4; threads *= 2)
        for (size_t ranks = 2; ranks <= 4; ranks++) rank_threads_run(ranks, count_bytes, &threads);
}

static void find_bad(void *context, Ranks *ranks)
{
    const OptimiserConstants options = {0.9, 0.98, 1e-9, 1, false};
    ParamInfo tensors[] = {{.name = "first", .offset = 0, .count = SLICE_GRAIN},
                           {.name = "second", .offset = SLICE_GRAIN, .count = 3 * SLICE_GRAIN},
                           {.name = "third", .offset = 4 * SLICE_GRAIN, .count = SLICE_GRAIN}};
    const ParamList list = {tensors, 3, 3, 5 * SLICE_GRAIN};
    Threads *threads = NULL;
    Optimiser optimiser;
    real *block = memory_new(list.block_size, sizeof(real)), *slice;
    (void)context;
    assert_ok(threads_new(&threads, 1, NULL));
    assert_ok(optimiser_new(&optimiser, list.block_size, &options, threads, ranks, NULL));
    ck_assert(optimiser_sum(&optimiser, &block, &slice) == 0);
    ck_assert_ptr_null(optimiser_find_bad(&optimiser, &list, slice));
    memset(block, 0, list.block_size * sizeof *block);
    if (ranks->rank == 1) block[4 * SLICE_GRAIN + 5] = NAN;
    if (ranks->rank == 2) block[4 * SLICE_GRAIN - 1] = INFINITY;
    ck_assert(!isfinite(optimiser_sum(&optimiser, &block, &slice)));
    ck_assert_str_eq(optimiser_find_bad(&optimiser, &list, slice), "second");
    optimiser_free(&optimiser);
    threads_free(threads);
    memory_free(block);
}

TEST(what_is_not_finite_is_found_by_all)
{
    rank_threads_run(3, find_bad, NULL);
}
