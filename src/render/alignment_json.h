/* One pair with its whole matrix as one line of JSON, for other programs:
 *
 *     {"source": ["▁the", "▁c", "at", "</s>"], "target": ["▁chat", "</s>"],
 *      "weights": [[0.1, 0.5, 0.4, 0], [0, 0, 0, 1]],
 *      "source_words": ["the", "cat"], "target_words": ["chat"], "links": "1-0"}
 *
 * weights[t][s] is the attention of target subword t to source subword s, to five decimals, </s>
 * included; so a row sums to 1 but for rounding. "links" counts the units in "source_words" and
 * "target_words". Where attention was compared with an aligner, "only_attention" and "only_aligner"
 * have the links that one of them has and the other has not. */
#ifndef REGARD_RENDER_ALIGNMENT_JSON_H
#define REGARD_RENDER_ALIGNMENT_JSON_H

#include "align/links.h"

typedef struct AlignmentJson {
    const float *weights;   // (target_subwords, source_subwords), row-major, each in 0 … 1
    Labels source_subwords; // spellings, with </s>
    Labels target_subwords;
    Labels source_words;
    Labels target_words;
    const Links *links;
    const Links *only_attention, *only_aligner; // where these differ; NULL if not compared
} AlignmentJson;

/* Writes the line, with its newline. Fails with STATUS_ARGUMENT for a weight that is not in 0 … 1
 * (a damaged model) and for a label that is not UTF-8. */
void alignment_json_write(Writer *out, const AlignmentJson *pair);

#endif
