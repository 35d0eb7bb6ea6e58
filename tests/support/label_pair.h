// Two texts cut into labels, as pictures of alignments want them. Any failure fails the test.
#pragma once

#include "align/units.h"

typedef struct LabelPair {
    Spans units[2];
    Labels source, target;
} LabelPair;

// Words, or characters where they are Han. The texts must outlive it. Freed by label_pair_free.
void label_pair_set(LabelPair *pair, const char *source, const char *target);

void label_pair_free(LabelPair *pair);
