#include "translate/confidence.h"

#include "base/array.h"

#include <math.h>

static const double LEAST_LOG_P = -10;
// What of a subword is typical, where there are no other hypotheses.
static const double TYPICAL_AGREEMENT = 0.75;
enum { FEWEST_FEATURES = 5 }; // of models that were fitted before the others had a say

static bool read_list(double weights[CONFIDENCE_FEATURES], const json_t *list)
{
    for (size_t i = 0; i < CONFIDENCE_FEATURES; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_number(value) && i < FEWEST_FEATURES) return false;
        weights[i] = json_number_value(value);
    }
    return true;
}

bool confidence_read(ConfidenceWeights *weights, const json_t *training)
{
    const json_t *kept = json_object_get(training, "confidence");
    if (read_list(weights->text, json_object_get(kept, "text")) &&
        read_list(weights->word, json_object_get(kept, "word")))
        return true;
    *weights = (ConfidenceWeights){0};
    return false;
}

static json_t *list_to_json(const double weights[CONFIDENCE_FEATURES])
{
    json_t *list = json_array();
    for (size_t i = 0; i < CONFIDENCE_FEATURES; i++)
        json_array_append_new(list, json_number(weights[i]));
    return list;
}

json_t *confidence_to_json(const ConfidenceWeights *weights)
{
    return json_pack("{s:o, s:o}", "text", list_to_json(weights->text), "word",
                     list_to_json(weights->word));
}

double confidence_probability(const double weights[CONFIDENCE_FEATURES],
                              const double features[CONFIDENCE_FEATURES])
{
    double sum = 0;
    for (size_t i = 0; i < CONFIDENCE_FEATURES; i++) sum += weights[i] * features[i];
    return 1 / (1 + exp(-sum));
}

static double bounded(double log_p)
{
    return log_p > LEAST_LOG_P ? log_p : LEAST_LOG_P;
}

static double agreement_of(const Rendering *rendering, size_t t)
{
    return rendering->agreements ? (double)rendering->agreements[t] : TYPICAL_AGREEMENT;
}

static void set_text_features(double features[CONFIDENCE_FEATURES], const Rendering *rendering)
{
    size_t count = rendering->subwords.count + 1;
    double sum = 0, lowest = 0, doubtful = 0, agreement = 0;
    for (size_t t = 0; t < count; t++) {
        double log_p = bounded((double)rendering->log_ps[t]);
        sum += log_p;
        if (log_p < lowest) lowest = log_p;
        doubtful += log_p < log(0.5);
        agreement += t + 1 < count ? agreement_of(rendering, t) : 1;
    }
    const double x[CONFIDENCE_FEATURES] = {1,
                                           sum / (double)count,
                                           lowest,
                                           log((double)count),
                                           doubtful / (double)count,
                                           agreement / (double)count};
    memcpy(features, x, sizeof x);
}

// Adds what a subword says of a word that it is of; `next` is log p of the subword after it.
static void add_subword(double features[CONFIDENCE_FEATURES], double log_p, double next,
                        double agreement)
{
    features[1] *= exp(log_p);
    if (log_p < features[2]) features[2] = log_p;
    features[3] = exp(next);
    features[5] = fmin(features[5], agreement);
}

// Appends the words of a rendering that is part of a text from `begin` on, with their features.
static Status append_words(Confidence *confidence, const Rendering *rendering, UnitKind kind,
                           size_t begin, Error *error)
{
    const Subwords *subwords = &rendering->subwords;
    size_t before = confidence->words.count, first = 0;
    FREED_BY(spans_free) Spans words = {0};
    TRY(units_split(&words, kind, bytes_text(&rendering->text), rendering->text.length, error));
    TRY(array_reserve(&confidence->of_words, &confidence->capacity, before + words.count,
                      "confidence", error));
    for (size_t i = 0; i < words.count; i++) {
        confidence->of_words[before + i] =
            (Judged){0, {1, 1, 0, 1, confidence->text_features[1], 1}};
        const Span word = words.items[i];
        TRY(spans_append(&confidence->words, (Span){begin + word.begin, begin + word.end}, error));
    }
    for (size_t t = 0; t < subwords->count && rendering->log_ps; t++) {
        const Span subword = {subwords_begin(subwords, t), subwords->ends[t]};
        const Span units = units_of_subword(&words, subword, &first);
        for (size_t i = units.begin; i < units.end; i++)
            add_subword(confidence->of_words[before + i].features,
                        bounded((double)rendering->log_ps[t]),
                        bounded((double)rendering->log_ps[t + 1]), agreement_of(rendering, t));
    }
    return STATUS_OK;
}

// Appends a rendering that was not split.
static Status append(Confidence *confidence, const ConfidenceWeights *weights,
                     const Rendering *rendering, UnitKind kind, size_t begin, Error *error)
{
    size_t before = confidence->words.count;
    bool found = rendering->log_ps, left = !found && rendering->subwords.count == 0;
    const double known = rendering->known > 0 ? rendering->known : left ? 0 : 1;
    const bool weighed = found && rendering->known <= 0;
    memset(confidence->text_features, 0, sizeof confidence->text_features);
    if (found) set_text_features(confidence->text_features, rendering);
    confidence->text *=
        weighed ? confidence_probability(weights->text, confidence->text_features) : known;
    TRY(append_words(confidence, rendering, kind, begin, error));
    for (size_t i = before; i < confidence->words.count; i++) {
        Judged *word = &confidence->of_words[i];
        word->right = weighed ? confidence_probability(weights->word, word->features) : known;
    }
    return STATUS_OK;
}

Status confidence_set(Confidence *confidence, const ConfidenceWeights *weights,
                      const Translation *translation, const Rendering *rendering, UnitKind kind,
                      Error *error)
{
    confidence->words.count = 0;
    confidence->text = 1;
    if (translation->sentence_count == 0)
        return append(confidence, weights, rendering, kind, 0, error);
    for (size_t i = 0; i < translation->sentence_count; i++) {
        const SentencePlace *place = &rendering->places[i];
        TRY(append(confidence, weights, &translation->sentences[i].renderings[place->rendering],
                   kind, place->begin, error));
    }
    return STATUS_OK;
}

void confidence_free(Confidence *confidence)
{
    spans_free(&confidence->words);
    memory_free(confidence->of_words);
    *confidence = (Confidence){0};
}
