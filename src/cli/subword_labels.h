// The subwords of a pair as labels: their spellings, and </s> at the end.
#ifndef REGARD_CLI_SUBWORD_LABELS_H
#define REGARD_CLI_SUBWORD_LABELS_H

#include "translate/rendering.h"
#include "translate/translator.h"

// Start from {0}, end with subword_labels_free.
typedef struct SubwordLabels {
    Bytes spellings[2]; // of the subwords of source and target, concatenated
    Units subwords[2];  // the place of each
} SubwordLabels;

// Replaces what is in `labels` by the subwords of a source and a rendering of it.
Status subword_labels_set(SubwordLabels *labels, const Translator *translator,
                          const Subwords *source, const Subwords *target, Error *error);

// Those of the source (0) or the target (1); valid until subword_labels_set is called again.
Labels subword_labels(const SubwordLabels *labels, int side);

void subword_labels_free(SubwordLabels *labels);

#endif
