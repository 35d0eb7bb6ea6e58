/* Guided alignment (Chen, Matusov, Khadivi & Peter 2016, "Guided Alignment Training for Topic-Aware
 * Neural Machine Translation", arXiv 1607.01628, section 3): the attention weights of a sentence
 * are trained towards given links by their cross-entropy,
 *
 *     L = Σ_t −Σ_j g_tj log max(ᾱ_tj, ε),    g_tj = w_tj / Σ_j w_tj, w_tj = 0 without a link
 *     dL/dα_tj = −g_tj / (heads · max(ᾱ_tj, ε))                                    for each head
 *
 * over the target tokens t that have links, of weights w; the others have no loss. ᾱ is α, or of several heads
 * the mean. Training's objective is (1/N) Σ (loss of the words + W · L), where N counts all target
 * tokens of the batch, linked or not, as the loss of the words does: shards of a batch share one
 * scale, and a sentence with few links has little weight.
 *
 * ε = MIN_ALIGNMENT keeps every number finite where a weight underflows: a token's loss is at
 * most −log ε = 69.1 and a gradient at most 1/ε. Before the softmax the energies' gradient for
 * one head is α − g, within ±1, while linked weights are above ε; below, it vanishes with α, and
 * a weight of exactly 0 gets none. NaN stays NaN. */
#pragma once

#include "corpus/token_corpus.h"
#include "linalg/matrix.h"

#define MIN_ALIGNMENT 1e-30

/* L of one sentence from its weights alpha and its links (by target). alpha (T, S) are the first
 * head's; in each row those of the other heads follow, S numbers each. Adds scale · dL/dα to
 * dalpha, laid out as alpha, unless its values are NULL. */
double alignment_loss(Matrix dalpha, Matrix alpha, size_t heads, const SubwordLink *links,
                      size_t count, real scale);
