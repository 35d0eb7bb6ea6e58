/* Inverted dropout (Srivastava et al. 2014): y = x ⊙ mask, mask = 0 with probability P, else
 * 1/(1−P).
 *
 * A mask is a function of (seed, step, place, sentence). It depends neither on how a batch is
 * cut into shards nor on earlier draws, so a resumed run draws the same. */
#pragma once

#include "linalg/matrix.h"

// Where in the model a mask is used.
typedef enum DropoutPlace {
    DROPOUT_SOURCE_EMBEDDING,
    DROPOUT_TARGET_EMBEDDING,
    DROPOUT_ANNOTATION,
    DROPOUT_READOUT,
} DropoutPlace;

typedef struct DropoutKey {
    uint64_t seed;
    uint32_t step;    // of training
    real probability; // P, 0 ≤ P < 1
} DropoutKey;

/* One row of a mask, (n): of `sentence` (its number in the whole batch) at its token `position`. */
void dropout_mask(real *mask, size_t n, const DropoutKey *key, DropoutPlace place,
                  uint32_t sentence, uint32_t position);

/* x ⊙= mask, both (n, ·): forward, and for gradients backward. A mask without values leaves x as it
 * is. */
void dropout_apply(Matrix x, Matrix mask);
