/* A shortlist (lexical candidates: Jean et al. 2015, section 3.2; Schwenk's cslm): which target
 * tokens may translate which source tokens. Search then computes the output layer for a few hundred
 * tokens instead of all.
 *
 * A sentence's candidates are the tokens that are always candidates, those of each of its source
 * tokens, and, with a joint vocabulary, its source tokens themselves, so that names can be copied.
 * They depend on the sentence alone. What the translation must begin with, given as the sentence's
 * target, is among them too.
 *
 * In a model file, three tensors, all or none: "shortlist.always" (at most V_t), U16,
 * "shortlist.begin" (V_s + 1), I32, and "shortlist.ids" (begin[V_s]), U16; so there is none for more than
 * 65,536 target tokens. Older files have I32 everywhere. */
#pragma once

#include "io/safetensors.h"
#include "model/batch.h"
#include "model/config.h"

typedef struct Shortlist {
    const uint16_t *always; // (always_count) ascending; the four special tokens come first
    size_t always_count;    // 0: the model has no shortlist
    const int32_t *begin;   // (V_s + 1) where the candidates of each source token begin
    const uint16_t *ids;    // (begin[V_s]) ascending within each
    void *owned[2];         // memory of these, where they are not in an open file
} Shortlist;

enum { MAX_SHORTLIST_VOCABULARY = 1 << 16 };

#define SHORTLIST_PREFIX "shortlist."

// The names of its tensors, and NULL.
extern const char *const shortlist_tensors[];

/* Reads and checks the shortlist of an open file, whose memory it points to: STATUS_FORMAT if
 * something is missing, out of order or out of range. It is empty if the file has none, or if there are
 * more target tokens than MAX_SHORTLIST_VOCABULARY. Ends with shortlist_free, after a failure too. */
Status shortlist_read(Shortlist *shortlist, const SafetensorsFile *file, const char *path,
                      const ModelConfig *config, Error *error);

// Adds its tensors, if it has any, to a writer, which refers to them until it has saved.
Status shortlist_write(const Shortlist *shortlist, SafetensorsWriter *writer,
                       const ModelConfig *config, Error *error);

void shortlist_free(Shortlist *shortlist);

/* The candidates of a batch's sentences. Each sentence has its own, so that its logits do not
 * depend on the batch. Start from {0}, refill freely, end with batch_shortlist_free. Sentences are in the
 * encoder's order. */
typedef struct BatchShortlist {
    Arena arena;          // of the rest
    size_t *begin;        // (B + 1) where each sentence's candidates begin
    int32_t *ids;         // (begin[B]) ascending within each
    real *bias;           // (begin[B]) of the output layer
    size_t longest;       // the most candidates of a sentence
    unsigned char *marks; // (V) scratch
} BatchShortlist;

/* Finds the candidates of a batch's sentences; bias (V) is the output layer's. On STATUS_MEMORY it
 * can still be freed or filled again. */
Status batch_shortlist_fill(BatchShortlist *candidates, const Shortlist *shortlist,
                            const ModelConfig *config, const Batch *batch, const real *bias,
                            Error *error);

// The candidates of one sentence, and their biases in the output layer.
typedef struct Candidates {
    size_t count;
    const int32_t *ids; // (count)
    const real *bias;   // (count)
} Candidates;

// Those of the sentence at a place.
static inline Candidates batch_shortlist_of(const BatchShortlist *candidates, size_t place)
{
    size_t begin = candidates->begin[place];
    return (Candidates){candidates->begin[place + 1] - begin, candidates->ids + begin,
                        candidates->bias + begin};
}

static inline void batch_shortlist_free(BatchShortlist *candidates)
{
    arena_free(&candidates->arena);
    *candidates = (BatchShortlist){0};
}
