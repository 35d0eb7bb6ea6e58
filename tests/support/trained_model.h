/* A corpus of made-up sentences and what the built program learns from it in a second: for tests
 * that need a model but not a good one. Any failure of these helpers fails the test. */
#pragma once

#include "support/run.h"
#include "support/scratch.h"

// Flags of a model that trains 2,400 subwords in some milliseconds.
#define TRAINED_FLAGS                                                                              \
    "--embedding", "16", "--hidden", "16", "--vocab-size", "320", "--batch-tokens", "400",         \
        "--warmup", "40", "--learning-rate", "0.01", "--dropout", "0.1", "--threads", "2"

typedef struct TrainedModel {
    const char *corpus; // 300 pairs, TSV
    const char *model;
} TrainedModel;

/* Writes `pairs` pairs, no two alike, like "the red cat sees the old dog .": every number gives
 * the same ones. */
void trained_corpus_write(const char *path, size_t pairs);

// The path of what training keeps beside a model, to go on from.
const char *trained_checkpoint(const char *model);

// Two models hold the same bytes, and so do their checkpoints.
void trained_expect_equal(const char *a, const char *b);

// Trains, in the test's scratch folder; best once, in what TESTS_SHARE calls.
TrainedModel trained_model_make(void);
