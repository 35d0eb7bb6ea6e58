#include "train/state.h"

#include "base/memory.h"
#include "train/save.h"

#include <string.h>

// The blocks of a checkpoint, with memory for the moments where the optimiser has a slice only.
typedef struct WholeState {
    CheckpointBlocks blocks;
    real *first, *second; // owned; NULL where the optimiser's are whole
} WholeState;

static void whole_state_free(WholeState *whole)
{
    memory_free(whole->first);
    memory_free(whole->second);
}

static Status whole_state_new(WholeState *whole, const TrainingState *state, Error *error)
{
    const Optimiser *optimiser = state->optimiser;
    size_t size = optimiser->slices.size;
    *whole = (WholeState){.blocks = {&state->params->list,
                                     {state->params->block, state->average->block, optimiser->first,
                                      optimiser->second}}};
    if (ranks_count(optimiser->slices.ranks) == 1) return STATUS_OK;
    whole->blocks.values[2] = whole->first = memory_in_large_pages(size, sizeof(real));
    whole->blocks.values[3] = whole->second = memory_in_large_pages(size, sizeof(real));
    if (whole->first && whole->second) return STATUS_OK;
    whole_state_free(whole);
    return error_memory(error, 2 * size * sizeof(real), "a checkpoint");
}

Status state_save(const TrainSetup *setup, const TrainingState *state,
                  const TrainCounters *counters, Error *error)
{
    WholeState whole = {0};
    const Optimiser *optimiser = state->optimiser;
    const Slices *slices = &optimiser->slices;
    bool leads = ranks_rank(setup->ranks) == 0;
    Status status = STATUS_OK;
    if (leads) TRY(whole_state_new(&whole, state, error));
    optimiser_gather_average(optimiser, false);
    slices_gather(slices, optimiser->first, whole.blocks.values[2], false);
    slices_gather(slices, optimiser->second, whole.blocks.values[3], false);
    if (leads)
        status = save_checkpoint(setup, &state->params->config, &whole.blocks, counters, error);
    whole_state_free(&whole);
    return ranks_agree(setup->ranks, status, error);
}

Status state_read(const TrainingState *state, const Checkpoint *checkpoint, Error *error)
{
    WholeState whole;
    const Optimiser *optimiser = state->optimiser;
    size_t begin = optimiser->slices.begin;
    size_t bytes = (optimiser->slices.end - begin) * sizeof(real);
    TRY(whole_state_new(&whole, state, error));
    Status status = checkpoint_read_blocks(checkpoint, &whole.blocks, error);
    if (!status && whole.first) {
        memcpy(optimiser->first, whole.first + begin, bytes);
        memcpy(optimiser->second, whole.second + begin, bytes);
    }
    whole_state_free(&whole);
    return status;
}
