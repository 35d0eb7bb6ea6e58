/* A model file with real, small vocabularies and random weights: what translates texts, badly. Any
 * failure fails the test. */
#pragma once

#include "support/small_model.h"
#include "translate/translator.h"

typedef struct SmallTranslator {
    SmallModel model; // its parameters may be changed before saving
    Vocabulary *source_vocabulary, *target_vocabulary;
} SmallTranslator;

/* Vocabularies learned from a few German and English sentences, and weights as small_model_new's.
 * Freed by small_translator_free. */
void small_translator_new(SmallTranslator *translator, double scale, uint64_t seed);

// A sentence from which a vocabulary learns the placeholders (reading/placeholders.h).
#define PLACEHOLDER_SENTENCE                                                                       \
    "\ue000 \ue001. \ue002 \ue003 \ue000 (\ue001) \ue002. \ue003 \ue000 \ue001. (\ue002) \ue003"

// The same, with another sentence of source and target in the vocabularies.
void small_translator_new_with(SmallTranslator *translator, const char *const more[2], double scale,
                               uint64_t seed);

// Writes it as a model whose "training" is this JSON text.
void small_translator_save(const SmallTranslator *translator, const char *path,
                           const char *training);

void small_translator_free(SmallTranslator *translator);
