/* `regard align --explain`: one step of attention as a page of numbers, each with its formula. */
#ifndef REGARD_CLI_ALIGN_EXPLAIN_H
#define REGARD_CLI_ALIGN_EXPLAIN_H

#include "align/units.h"
#include "translate/explanation.h"

/* Appends the page for target subword `step`:
 *
 *     target subword 2: ▁sleeps    log p = -0.1053
 *     s_{t-1}                   [ 0.1870 -0.0411  0.3025  0.0956 …]  D = 64
 *     q_t = W_a s_{t-1} + b_a   [-0.2212  1.0433  0.5170 -0.3391 …]  A = 64
 *
 *     source subword  e_tj = vᵀ tanh(q_t + U_a h_j)  α_tj = softmax(e_t)
 *     0 ▁le                                0.6073  0.2315 ██▊
 *     …
 *     c_t = Σ_j α_tj h_j        [ 0.4523  0.4660 -0.0702  0.1187 …]  2H = 128
 *
 * Labels are the subwords' spellings, </s> among them; formulas are those of `scorer`. Where
 * there are several heads, a table for each follows, or for `head` alone, from 1, unless that is 0. */
Status align_explain_write(const Explanation *explanation, const AttentionScorer *scorer,
                           Labels source, Labels target, size_t step, size_t head, Bytes *out,
                           Error *error);

#endif
