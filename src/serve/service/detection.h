/* Which of the models' languages texts are in (language/language_evidence.h); another only where the
 * script is that of none of these. */
#pragma once

#include "language/language_evidence.h"
#include "serve/service/served_models.h"

typedef struct DetectedLanguage {
    LanguageCode code;
    double confidence; // 0 … 100: the share of the evidence for any language that is for this one
} DetectedLanguage;

/* Belongs to one thread. Start from {0}, end with language_evidence_free(&detection->evidence). */
typedef struct Detection {
    DetectedLanguage found[2 * MAX_LANGUAGES]; // (count) the most likely first; some in two scripts
    size_t count;
    LanguageEvidence evidence; // scratch
} Detection;

// Of texts with fewer words, how these are spelt decides between languages of an alphabet.
enum { FEW_WORDS = 6 };

// Bytes of the texts of a request that are looked at: reading more would keep other requests waiting.
enum { MAX_DETECTED = 1 << 14 };

/* Sets the languages for which the texts, taken together, give evidence. Few words of an alphabet are
 * judged by their spelling, which the models' aligners know. Where there is no evidence, or as
 * much for two, the models' own vocabularies decide: whose reads them as the fewest subwords. If
 * these do not either, that is the source language of the first model, with confidence 0. */
Status detection_set(Detection *detection, ServedModels *models, const TextView *texts,
                     size_t count, Error *error);
