#include "serve/service/detection.h"

// Puts a language in its place: before those with less evidence.
static void insert(Detection *detection, const LanguageCode *code, double confidence)
{
    if (detection->count == MAX_LANGUAGES) return;
    size_t at = detection->count++;
    for (; at > 0 && detection->found[at - 1].confidence < confidence; at--)
        detection->found[at] = detection->found[at - 1];
    detection->found[at] = (DetectedLanguage){*code, confidence};
}

Status detection_set(Detection *detection, const TextView *texts, size_t count,
                     const ServedModels *models, Error *error)
{
    double total = 0;
    detection->count = 0;
    language_evidence_clear(&detection->evidence);
    for (size_t i = 0; i < count; i++)
        TRY(language_evidence_add(&detection->evidence, texts[i].data, texts[i].length, error));
    for (size_t i = 0; i < MAX_LANGUAGES; i++) total += detection->evidence.scores[i];
    for (size_t i = 0;; i++) {
        LanguageCode code = served_models_language(models, i);
        if (!*code.text) break;
        double score = language_evidence_for(&detection->evidence, language_of(code.text));
        if (score > 0) insert(detection, &code, 100 * score / total);
    }
    LanguageCode first = served_models_language(models, 0);
    if (detection->count == 0) insert(detection, &first, 0);
    return STATUS_OK;
}

void detection_free(Detection *detection)
{
    language_evidence_free(&detection->evidence);
}
