// The sub-words of a pair as labels: their spellings, with </s> behind the last.
#ifndef REGARD_CLI_PIECE_LABELS_H
#define REGARD_CLI_PIECE_LABELS_H

#include "api/rendering.h"
#include "api/translator.h"

// Start from {0}, end with piece_labels_free.
typedef struct PieceLabels {
    Bytes spellings[2]; // of the pieces of source and target, one after another
    Units pieces[2];    // where each stands there
} PieceLabels;

// Replaces what is in `labels` by the pieces of a source and a rendering of it.
Status piece_labels_set(PieceLabels *labels, const Translator *translator, const Pieces *source,
                        const Pieces *target, Error *error);

// Those of the source (0) or the target (1); valid until they are set anew.
Labels piece_labels(const PieceLabels *labels, int side);

void piece_labels_free(PieceLabels *labels);

#endif
