/* Any bytes as a checkpoint: what is accepted is read wholly, and is no model.
 *
 * tests/fuzz/run builds and runs it. Its seeds are checkpoints with and without a checksum. */
#define _GNU_SOURCE
#include "fuzz_file.h"

#include "base/memory.h"
#include "regard.h"
#include "train/checkpoint.h"

#include <stdint.h>
#include <stdlib.h>

enum { MAX_BLOCK = 1 << 18 }; // what larger models need in memory is no fault

static void read_blocks(const Checkpoint *checkpoint)
{
    Seq2SeqParams params = {0};
    Error error = {0};
    require(seq2seq_params_list(&params, &checkpoint->config, &error) == STATUS_OK);
    if (params.list.block_size <= MAX_BLOCK) {
        real *blocks[4];
        for (size_t i = 0; i < 4; i++)
            require((blocks[i] = memory_new(params.list.block_size, sizeof(real))) != NULL);
        CheckpointBlocks all = {&params.list, {blocks[0], blocks[1], blocks[2], blocks[3]}};
        if (checkpoint_read_blocks(checkpoint, &all, &error)) require(error.text[0]);
        for (size_t i = 0; i < 4; i++) memory_free(blocks[i]);
    }
    seq2seq_params_free(&params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = file_of(data, size);
    Checkpoint checkpoint = {.options = TRAIN_OPTIONS_DEFAULT};
    Error error = {0};
    if (checkpoint_open(&checkpoint, path, &error)) {
        require(error.text[0]); // a refusal must say why
        return 0;
    }
    read_blocks(&checkpoint);
    checkpoint_close(&checkpoint);
    RegardModel *model;
    RegardError refused = {0};
    require(regard_open(&model, path, &refused) && !model && refused.text[0]);
    return 0;
}
