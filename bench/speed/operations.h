/* Floating-point operations of a training step, counted from the shapes: products alone, a
 * multiplication and an addition each; forward once and backward twice (the gradients of both
 * factors). Softmax, tanh, Adam count nothing. */
#pragma once

#include "corpus/token_corpus.h"
#include "model/config.h"

// Of one pair, forward and backward, with additive attention.
double operations_of_pair(const ModelConfig *config, const TokenPair *pair);
