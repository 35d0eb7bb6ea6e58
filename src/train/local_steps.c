#include "train/local_steps.h"

Status local_steps_new(LocalSteps *local, size_t size, Ranks *ranks, Error *error)
{
    *local = (LocalSteps){.ranks = ranks};
    Status status = threads_new(&local->threads, 1, error);
    if (!status) status = slices_new(&local->slices, size, local->threads, ranks, error);
    if (!status)
        status =
            gradient_sum_new(&local->sum, &local->slices, GRADIENT_FLOAT32, local->threads, error);
    if (status) local_steps_free(local);
    return status;
}

void local_steps_free(LocalSteps *local)
{
    gradient_sum_free(&local->sum);
    slices_free(&local->slices);
    threads_free(local->threads);
    *local = (LocalSteps){0};
}

// A block becomes the mean of all ranks'.
static void take_mean(LocalSteps *local, real *block)
{
    const Slices *slices = &local->slices;
    real *slice;
    (void)gradient_sum_run(&local->sum, slices, &block, 1, &slice);
    for (size_t i = 0; i < slices->end - slices->begin; i++)
        slice[i] /= (real)ranks_count(local->ranks);
    slices_gather(slices, slice, block, true);
}

void local_steps_synchronise(LocalSteps *local, Optimiser *optimiser, real *values)
{
    take_mean(local, values);
    take_mean(local, optimiser->first);
    take_mean(local, optimiser->second);
    optimiser_average(optimiser, values);
}
