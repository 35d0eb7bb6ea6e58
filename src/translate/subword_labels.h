// The subwords of a text and of a rendering of it, as people are shown them.
#pragma once

#include "render/pictures.h"
#include "translate/explanation.h"
#include "translate/translator.h"

enum { LABELS_SOURCE, LABELS_TARGET, LABELS_LIKELIEST, LABEL_LISTS };

/* The subwords of a pair as labels: their spellings, what a placeholder stands for in its place, and
 * </s> at the end. Start from {0}, reuse freely, end with subword_labels_free. */
typedef struct SubwordLabels {
    Bytes spellings[LABEL_LISTS]; // concatenated
    Spans subwords[LABEL_LISTS];  // the place of each
} SubwordLabels;

// Replaces what is in `labels` by the subwords of a source and a rendering of it.
Status subword_labels_set(SubwordLabels *labels, const Translator *translator,
                          const Translation *translation, const Rendering *rendering, Error *error);

// Likewise by the likeliest tokens of a step.
Status subword_labels_set_likeliest(SubwordLabels *labels, const Translator *translator,
                                    const Explanation *explanation, Error *error);

// Those of LABELS_SOURCE …; valid until they are replaced.
Labels subword_labels(const SubwordLabels *labels, int list);

void subword_labels_free(SubwordLabels *labels);
