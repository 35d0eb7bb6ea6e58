/* A whole model, its batch and its expected numbers from one of the model_*.safetensors fixtures,
 * and what it takes to run a pass over a batch. Any failure fails the test. */
#pragma once

#include "model/pass.h"
#include "support/fixture.h"

enum { MAX_MODEL_FIXTURE_PAIRS = 8, MAX_MODEL_FIXTURE_TOKENS = 64 };

typedef struct ModelFixture {
    Fixture *file;
    ModelConfig config;
    Seq2SeqParams params; // the fixture's
    Seq2SeqGrads grads;   // zeros
    TokenPair pairs[MAX_MODEL_FIXTURE_PAIRS];
    size_t count;                             // pairs
    size_t tokens;                            // of all targets
    real smoothing;                           // of the labels
    int32_t source[MAX_MODEL_FIXTURE_TOKENS]; // what the pairs point to
    int32_t target[MAX_MODEL_FIXTURE_TOKENS];
} ModelFixture;

// The fixtures of every kind of model: joint or not, tied or not, with self-attention, with the
// conditional GRU.
enum {
    MODEL_JOINT,
    MODEL_SEPARATE,
    MODEL_UNTIED,
    MODEL_SELF_ATTENTION,
    MODEL_CONDITIONAL,
    MODEL_EMBEDDING_IN_ANNOTATIONS,
    MODEL_KINDS
};
extern const char *const model_fixture_names[MODEL_KINDS];

/* Opens tests/fixtures/NAME.safetensors, whose tensors tell what kind of model it holds. The pairs
 * are those of the fixture, in its order and so numbered. Pairs point into `model`, which must
 * stay where it is. */
void model_fixture_open(ModelFixture *model, const char *name);

void model_fixture_close(ModelFixture *model);

// Sets every tensor of grads to 0.
void model_fixture_clear_grads(ModelFixture *model);

// A batch, and the memory of a pass over it.
typedef struct ModelRun {
    Arena batch_arena;
    Arena arena;
    Batch batch;
    PassActs acts;
} ModelRun;

typedef struct ModelRunOptions {
    size_t row_multiple; // 0 is 1
    bool backward;
    bool masks;
} ModelRunOptions;

/* Fills the batch and lays out the pass; ended by model_run_end. */
void model_run_begin(ModelRun *run, const Seq2SeqParams *params, const TokenPair *pairs,
                     size_t count, ModelRunOptions options);

/* Adds the gradients of the run's batch and compares `most` elements of each with what the loss
 * says. That is of the same pass, with gradients that nobody reads: forward alone knows no masks.
 * */
void model_run_gradcheck(ModelRun *run, Seq2SeqParams *params, Seq2SeqGrads *grads, real smoothing,
                         size_t most);

void model_run_end(ModelRun *run);
