/* A shortlist (lexical candidates: Jean et al. 2015, section 3.2; Schwenk's cslm): which target
 * tokens may translate which source tokens. Search then computes the output layer for a few hundred
 * tokens instead of all.
 *
 * A sentence's candidates are the tokens that are always candidates, those of each of its source
 * tokens, and, with a joint vocabulary, its source tokens themselves, so that names can be copied.
 * They depend on the sentence alone.
 *
 * In a model file, three tensors of kind I32, all or none: "shortlist.always" (at most V_t),
 * "shortlist.begin" (V_s + 1) and "shortlist.ids" (begin[V_s]). */
#ifndef REGARD_MODEL_SHORTLIST_H
#define REGARD_MODEL_SHORTLIST_H

#include "io/safetensors.h"
#include "model/config.h"

#include <stdint.h>

typedef struct Shortlist {
    const int32_t *always; // (always_count) ascending; the four special tokens come first
    size_t always_count;   // 0: the model has no shortlist
    const int32_t *begin;  // (V_s + 1) where the candidates of each source token begin
    const int32_t *ids;    // (begin[V_s]) ascending within each
} Shortlist;

#define SHORTLIST_PREFIX "shortlist."

// The names of its tensors, and NULL.
extern const char *const shortlist_tensors[];

/* Reads and checks the shortlist of an open file, whose memory it points to: STATUS_FORMAT if
 * something is missing, out of order or out of range. It is empty if the file has none. */
Status shortlist_read(Shortlist *shortlist, const SafetensorsFile *file, const char *path,
                      const ModelConfig *config, Error *error);

// Adds its tensors, if it has any, to a writer, which refers to them until it has saved.
Status shortlist_write(const Shortlist *shortlist, SafetensorsWriter *writer,
                       const ModelConfig *config, Error *error);

#endif
