/* A model's initial parameters: embeddings N(0, 1/√E), everything else uniform in ±1/√fan as in
 * PyTorch's nn.Linear and nn.GRU, where fan is the input's width for a linear layer and its bias, H
 * for a GRU. Layer norms start with weights of 1 and biases of 0, cosine attention's temperature at
 * 10. */
#ifndef REGARD_MODEL_INITIALISE_H
#define REGARD_MODEL_INITIALISE_H

#include "model/seq2seq.h"

// Draws every tensor of the list from `seed`, each from a stream of its own, so that they are
// independent of one another.
void seq2seq_initialise(Seq2SeqParams *params, const ModelConfig *config, uint64_t seed);

#endif
