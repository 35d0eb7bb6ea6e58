// The subwords of a pair as labels: their spellings, with </s> behind the last.
#ifndef REGARD_CLI_SUBWORD_LABELS_H
#define REGARD_CLI_SUBWORD_LABELS_H

#include "translate/rendering.h"
#include "translate/translator.h"

// Start from {0}, end with subword_labels_free.
typedef struct SubwordLabels {
    Bytes spellings[2]; // of the subwords of source and target, one after another
    Units subwords[2];  // where each stands there
} SubwordLabels;

// Replaces what is in `labels` by the subwords of a source and a rendering of it.
Status subword_labels_set(SubwordLabels *labels, const Translator *translator,
                          const Subwords *source, const Subwords *target, Error *error);

// Those of the source (0) or the target (1); valid until they are set anew.
Labels subword_labels(const SubwordLabels *labels, int side);

void subword_labels_free(SubwordLabels *labels);

#endif
