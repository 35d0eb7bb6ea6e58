/* The decoder's first state from the annotations of a sentence (Bahdanau et al. 2014, A.2.2, with their mean
 * instead of the first backward state):
 *
 *     s_0 = tanh(W_b · mean_j h_j + b_b)
 *
 * the mean over all positions, </s> included. n sentences, in any order. */
#ifndef REGARD_MODEL_BRIDGE_H
#define REGARD_MODEL_BRIDGE_H

#include "layers/linear.h"

#include <stdint.h>

/* s (n, D) from means (n, 2H). The product is over product_rows ≥ n rows, for which both have memory. */
void bridge_forward(Matrix s, Matrix means, size_t product_rows, const LinearParams *bridge);

// From ds (n, D), which it overwrites: sets dmeans (n, 2H) and adds to dbridge.
void bridge_backward(Matrix dmeans, LinearGrads *dbridge, Matrix ds, Matrix s, Matrix means,
                     const LinearParams *bridge);

/* means (n, 2H): row i is the mean of the annotations (N, 2H) of sentence sentences[i], which are the rows
 * from begin[sentence] to begin[sentence + 1]. */
void annotation_means(Matrix means, Matrix annotations, const size_t *begin,
                      const uint32_t *sentences);

// dannotations += dmeans spread evenly over each sentence's positions
void annotation_means_backward(Matrix dannotations, Matrix dmeans, const size_t *begin,
                               const uint32_t *sentences);

#endif
