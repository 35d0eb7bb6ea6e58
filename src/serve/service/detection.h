/* Which of the loaded languages a text is in (language/language_evidence.h). One detection belongs to one
 * thread. Start from {0}, end with detection_free. */
#ifndef REGARD_SERVE_SERVICE_DETECTION_H
#define REGARD_SERVE_SERVICE_DETECTION_H

#include "language/language_evidence.h"
#include "serve/service/served_models.h"

typedef struct DetectedLanguage {
    LanguageCode code;
    double confidence; // 0 … 100: the share of the evidence for any language that is for this one
} DetectedLanguage;

typedef struct Detection {
    DetectedLanguage found[MAX_LANGUAGES]; // (count) the most likely first
    size_t count;
    LanguageEvidence evidence; // scratch
} Detection;

/* Sets the loaded languages for which the texts, taken together, give evidence. Without any, that
 * is the source language of the first model, with confidence 0. */
Status detection_set(Detection *detection, const TextView *texts, size_t count,
                     const ServedModels *models, Error *error);

void detection_free(Detection *detection);

#endif
