/* `regard align --gold`, `--reverse`: links by one model, or by two of opposite directions, written
 * or compared with manual links. */
#ifndef REGARD_CLI_ALIGN_LINKS_H
#define REGARD_CLI_ALIGN_LINKS_H

#include "align/symmetrize.h"
#include "cli/model_options.h"

typedef struct AlignLinks {
    const char *model;   // its path, for messages
    const char *pairs;   // as corpus/pair_reader.h reads them
    const char *gold;    // NULL: write links in the Pharaoh form, a line for each pair
    bool json;           // with gold: the result as a JSON object on one line
    const char *reverse; // a model of the opposite direction, or NULL
    Symmetrization symmetrization;
    UnitChoice units[2]; // source, target
    Linking linking;
    size_t threads; // 0: all processors
    Precision precision;
} AlignLinks;

/* Without gold, texts are used as they are and units are the model's, or those chosen.
 *
 * With gold, UNIT_CHOICE_MODEL means that the first pairs decide for each side: characters if most
 * letters are Han and there are more than three characters per blank-separated word; otherwise
 * words. Words are then taken as tokens: the models read the text that align/detokenise.h makes of
 * them. Writes one line:
 *
 *     AER 21.43 %  precision 75.21 %  recall 84.02 %  (150 pairs: 1204 links; gold: 980 sure, 1410 possible; words, words)
 *
 * or {"alignment_error_rate": 0.2143, "precision": …, "recall": …, "pairs": …, "links": …, "sure": …, "possible": …,
 * "source_units": "words", "target_units": "words"}. The possible include the sure ones, as P does. */
Status align_links(const AlignLinks *job, const OpenModel *model, Output *output, Error *error);

#endif
