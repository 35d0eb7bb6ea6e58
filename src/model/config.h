/* The sizes and kinds of a model: plain numbers, nothing else. */
#pragma once

#include "base/status.h"

#include <jansson.h>

enum { CONFIG_MAX_SIZE = 16384, CONFIG_ATTENTION_NAME = 16 };

typedef struct ModelConfig {
    size_t source_vocabulary; // tokens
    size_t target_vocabulary;
    size_t embedding;                      // E
    size_t hidden;                         // H, per direction of the encoder
    size_t decoder_hidden;                 // D
    size_t attention_size;                 // A
    bool joint;                            // one vocabulary and one embedding for both sides
    bool tied;                             // the output matrix is the target embedding
    char attention[CONFIG_ATTENTION_NAME]; // a scorer's name
    size_t heads;         // of multi-head attention and of self-attention; 1 if there is neither
    bool self_attention;  // over the annotations
    bool conditional_gru; // of the decoder
    bool embedding_in_annotations; // beside the encoder's states
} ModelConfig;

// C, the width of an annotation (encoder/encoder.h).
static inline size_t config_annotation_width(const ModelConfig *config)
{
    return 2 * config->hidden + (config->embedding_in_annotations ? config->embedding : 0);
}

/* Every size in 1 … CONFIG_MAX_SIZE (vocabularies 4 … 1,000,000), a scorer that exists, widths that
 * its heads and those of self-attention can share evenly, equal vocabularies if joint; else
 * STATUS_ARGUMENT and a line that names the value. Everything else relies on it: products of sizes
 * then fit. */
Status config_check(const ModelConfig *config, Error *error);

// As a JSON object; a new reference.
json_t *config_to_json(const ModelConfig *config);

// From such an object, every key required and checked; STATUS_FORMAT otherwise.
Status config_from_json(ModelConfig *config, const json_t *json, Error *error);

// The name of the first member that differs; NULL if none does.
const char *config_difference(const ModelConfig *a, const ModelConfig *b);
