// `regard align`: its values, and what it does by a model beside showing attention.
#pragma once

#include "align/links.h"
#include "cli/alignment_writer.h"
#include "cli/model_options.h"
#include "cli/unit_choice.h"
#include "translate/explanation_json.h"

typedef struct AlignValues {
    ModelOptions model;
    PairOptions pairs;
    AlignmentFormat format;
    UnitChoice units;
    double threshold;
    Symmetrization symmetrization;
    const char *gold; // NULL: write alignments
    bool json;        // with gold, explain or suspicious: JSON objects, one a line
    // with a model
    const char *explain; // the number of a target subword, or a word
    size_t head;         // from 1; 0 is all
    LinkSource from;
    const char *reverse; // a model of the opposite direction, or NULL
    // without a model (cli/wordalign/wordalign.h); NULL if not given
    const char *train;   // more pairs to learn from
    const char *prior;   // links of the pairs, to learn from
    const char *save;    // where what was learned is kept
    const char *aligner; // what was kept, instead of learning
    bool overwrite;      // of `save`
    bool probabilities;  // of links
    size_t suspicious;   // how many of the pairs least likely to be translations; 0: links instead
} AlignValues;

/* `--gold`, `--reverse`: links of the pairs of a corpus (corpus/pair_reader.h) by one model, or by
 * two of opposite directions. Without gold, texts are used as they are and units are the model's,
 * or those chosen.
 *
 * With gold, UNIT_CHOICE_AUTO means that the first pairs decide for each side (unit_choice_judge).
 * Words are then taken as tokens: the models read the text that align/detokenise.h makes of them. */
Status align_links(const Arguments *arguments, const LinkReading *reading, const OpenModel *model,
                   Output *output, Error *error);

// How links are read by a model, as the options say; reads the model's aligner if that is used.
Status align_reading(LinkReading *reading, const Arguments *arguments, OpenModel *model,
                     Error *error);

/* `--explain`: writes a page of numbers, each with its formula, for one target subword; where there are
 * several heads, a table for each.
 *
 *     pair 1, target subword 2: ▁sleeps    log p = -0.1053
 *     s = s_{t-1}               [ 0.1870 -0.0411  0.3025  0.0956 …]  D = 64
 *     q_t = W_a s + b_a         [-0.2212  1.0433  0.5170 -0.3391 …]  A = 64
 *
 *     source subword  e_tj = vᵀ tanh(q_t + U_a h_j)  α_tj = softmax(e_t)
 *     0 ▁le                                0.6073  0.2315 ██▊
 *     …
 *     c_t = Σ_j α_tj h_j        [ 0.4523  0.4660 -0.0702  0.1187 …]  C = 128
 *     gate r of s_t             [ 0.7310  0.0224  0.9415  0.5523 …]  D = 64
 *     …
 *     p = softmax(E_out r_t + b) ▁sleeps 0.9001  ▁sleep 0.0312  … */
void align_explain_write(Writer *out, const ExplainedStep *step);
