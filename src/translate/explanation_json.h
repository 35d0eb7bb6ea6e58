/* A step of attention as JSON, described in docs/formats.md: what `align --explain --json` prints and
 * the server's /inspect answers. */
#pragma once

#include "align/units.h"
#include "translate/explanation.h"

#include <jansson.h>

typedef struct ExplainedStep {
    const Explanation *explanation;
    const AttentionScorer *scorer; // whose formulas are shown
    Labels source, target;         // the subwords' spellings, </s> among them
    Labels likeliest;              // the spellings of the likeliest tokens
    size_t pair;                   // the number of the pair, from 1
    size_t target_subword;         // which one is explained
    size_t head;                   // the only one to show, from 1; 0: all
} ExplainedStep;

// A new reference; NULL if out of memory. Nine digits give each float32 back.
json_t *explanation_json(const ExplainedStep *step);

// Numbers (count), none for NULL.
json_t *numbers_json(const float *values, size_t count);
