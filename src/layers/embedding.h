/* x_i = table[token_i] */
#pragma once

#include "linalg/gradient.h"
#include "linalg/weight.h"

#include <stdint.h>

// x (n, E) from table (V, E) and tokens (n), each in 0 … V-1; rounded where its backend rounds
void embedding_forward(Matrix x, Weight table, const int32_t *tokens);

// dtable (V, E) += dx (n, E) at the tokens' rows, in order
void embedding_backward(Gradient dtable, Matrix dx, const int32_t *tokens);
