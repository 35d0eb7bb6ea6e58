/* What a training run is told: every number that changes its result, with the defaults that work for 10,000 to 200,000
 * pairs on a laptop. A checkpoint carries them, so that a resumed run is the same run. */
#ifndef REGARD_TRAIN_OPTIONS_H
#define REGARD_TRAIN_OPTIONS_H

#include "linalg/packed.h"
#include "model/config.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum VocabularyKind {
    VOCABULARY_AUTO,
    VOCABULARY_JOINT,
    VOCABULARY_SEPARATE
} VocabularyKind;

typedef struct TrainOptions {
    // the model
    size_t vocabulary_size;
    size_t vocabulary_kind; // a VocabularyKind
    size_t embedding;       // E
    size_t hidden;          // H
    size_t decoder_hidden;  // D; 0 means H
    size_t attention;       // the scorer's place in attention_scorer_names
    size_t attention_size;  // A; 0 means H
    size_t heads;           // of multi-head attention and of self-attention
    size_t self_attention;  // 1: over the annotations
    size_t untied;          // 1: an output matrix of its own instead of the target embedding
    // the run
    double dropout;
    double label_smoothing;
    size_t batch_tokens;  // by the longer side of each pair
    size_t max_length;    // pairs with more subwords on a side are left out
    size_t deduplicate;   // 1: pairs that repeat an earlier one are left out
    double learning_rate; // the highest
    size_t warmup;        // updates until it is reached
    double clip_norm;
    size_t seed;
    size_t threads;
    size_t precision;    // a GemmPrecision
    double guide_weight; // W of guided alignment (layers/alignment_loss.h); 0: nothing guides
    // when to stop; these alone may change when a run is resumed
    size_t max_epochs;
    size_t patience;    // validations without progress before stopping; 0 for never
    double max_minutes; // 0 for no limit
} TrainOptions;

// An initialiser. 0 threads: the caller decides.
#define TRAIN_OPTIONS_DEFAULT                                                                      \
    {                                                                                              \
        .vocabulary_size = 8000, .vocabulary_kind = VOCABULARY_AUTO, .embedding = 256,             \
        .hidden = 256, .heads = 4, .dropout = 0.3, .label_smoothing = 0.1, .batch_tokens = 2000,   \
        .max_length = 100, .learning_rate = 0.003, .warmup = 600, .clip_norm = 1, .seed = 1,       \
        .max_epochs = 30, .patience = 5,                                                           \
    }

/* The model that a run makes over vocabularies of these sizes; config_check says whether it can be. A
 * number of heads that nothing uses is not written down as if it were used: it is 1. */
ModelConfig train_options_config(const TrainOptions *options, size_t source_vocabulary,
                                 size_t target_vocabulary, bool joint);

// As a JSON object, the stopping rules left out; a new reference, NULL if out of memory.
json_t *train_options_to_json(const TrainOptions *options);

/* Sets the fields that the object holds; the stopping rules stay as they are. attention,
 * heads and self_attention, which older checkpoints lack, are then the defaults. */
Status train_options_from_json(TrainOptions *options, const json_t *json, Error *error);

// Whether the model is so wide that packed weights and bf16 gain anything.
bool train_options_wide(const TrainOptions *options);

// Whether products take packed weights: where they gain something, and where bf16 was asked for.
bool train_options_pack(const TrainOptions *options);

// What will multiply, for people: "bf16 by oneDNN 2.6.3 AMX".
void train_options_products(char *text, size_t size, const TrainOptions *options);

// Whether two runs agree in a field that a resumed run must share; asking for another name is a mistake.
bool train_options_same(const TrainOptions *a, const TrainOptions *b, const char *name);

#endif
