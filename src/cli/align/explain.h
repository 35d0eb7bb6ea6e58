/* `regard align --explain`: one step of attention as a page of numbers, each with its formula. */
#ifndef REGARD_CLI_ALIGN_EXPLAIN_H
#define REGARD_CLI_ALIGN_EXPLAIN_H

#include "align/units.h"
#include "base/writer.h"
#include "translate/explanation.h"

typedef struct ExplainedStep {
    const Explanation *explanation;
    const AttentionScorer *scorer; // whose formulas are shown
    Labels source, target;         // the subwords' spellings, </s> among them
    size_t target_subword;         // which one is explained
    size_t head;                   // the only one to show, from 1; 0: all
} ExplainedStep;

/* Writes the page for one target subword; where there are several heads, a table for each.
 *
 *     target subword 2: ▁sleeps    log p = -0.1053
 *     s_{t-1}                   [ 0.1870 -0.0411  0.3025  0.0956 …]  D = 64
 *     q_t = W_a s_{t-1} + b_a   [-0.2212  1.0433  0.5170 -0.3391 …]  A = 64
 *
 *     source subword  e_tj = vᵀ tanh(q_t + U_a h_j)  α_tj = softmax(e_t)
 *     0 ▁le                                0.6073  0.2315 ██▊
 *     …
 *     c_t = Σ_j α_tj h_j        [ 0.4523  0.4660 -0.0702  0.1187 …]  2H = 128 */
void align_explain_write(Writer *out, const ExplainedStep *step);

#endif
