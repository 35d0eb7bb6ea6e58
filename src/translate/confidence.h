/* How probable it is that a translation is right, and each word of it: logistic regressions on what
 * the search knows anyway, fitted to the translations of the validation pairs when training ends
 * (confidence_learning.h) and kept in the model's description.
 *
 *     P(right) = σ(w · x)
 *
 * with x, logarithms being natural and no less than −10,
 *
 *     of a sentence   1, mean log p of its subwords and </s>, the lowest, log of their number, the
 *                     share of them with p < 1/2, how far the other hypotheses have them
 *     of a word       1, p of its subwords together, the lowest log p of them, p of what follows
 *                     it, the sentence's mean log p, how far others have it
 *
 * A sentence is right if it has a chrF2 of 50 with its reference, 30 where the units are
 * characters, a word if the reference has it,
 * as often. (Such features without a further model: Fomicheva et al. 2020, "Unsupervised Quality
 * Estimation for Neural Machine Translation".) How far others have a subword is the share of the
 * beam's other hypotheses that do, of a word the lowest of its subwords'; a model that was fitted
 * without has a weight of 0 for it. */
#ifndef REGARD_TRANSLATE_CONFIDENCE_H
#define REGARD_TRANSLATE_CONFIDENCE_H

#include "align/units.h"
#include "io/json.h"
#include "reading/translation.h"

enum { CONFIDENCE_FEATURES = 6 };

// w of both; all 0 where a model has none.
typedef struct ConfidenceWeights {
    double text[CONFIDENCE_FEATURES], word[CONFIDENCE_FEATURES];
} ConfidenceWeights;

// Of "confidence" in a model's description: {"text": […], "word": […]}; false if it is not there.
bool confidence_read(ConfidenceWeights *weights, const json_t *training);

// That member's value, a new reference; NULL if out of memory.
json_t *confidence_to_json(const ConfidenceWeights *weights);

// σ(w · x).
double confidence_probability(const double weights[CONFIDENCE_FEATURES],
                              const double features[CONFIDENCE_FEATURES]);

// What is right with a probability that follows from its features; or is right, 1, or wrong, 0.
typedef struct Judged {
    double right;
    double features[CONFIDENCE_FEATURES];
} Judged;

// Of one rendering. Start from {0}, reuse freely, end with confidence_free.
typedef struct Confidence {
    double text;      // P(right); of a text that was split the product of its sentences'
    Spans words;      // of the rendering's text
    Judged *of_words; // (words.count)
    size_t capacity;
    double text_features[CONFIDENCE_FEATURES]; // of a sentence
} Confidence;

/* Sets all of it, `kind` being that of the units. What stays as it is has probability 1, and a
 * source that is left since nothing was found 0. */
Status confidence_set(Confidence *confidence, const ConfidenceWeights *weights,
                      const Translation *translation, const Rendering *rendering, UnitKind kind,
                      Error *error);

void confidence_free(Confidence *confidence);

#endif
