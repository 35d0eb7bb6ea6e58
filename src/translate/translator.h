/* An open model with its vocabularies, and what it makes of texts. The program and the library (include/regard.h) are both
 * clients of this header.
 *
 * A Translator is immutable but for its packed parameters, which have a lock: any number of threads may use one. What changes
 * while it works is in a Session. */
#ifndef REGARD_TRANSLATE_TRANSLATOR_H
#define REGARD_TRANSLATE_TRANSLATOR_H

#include "align/units.h"
#include "metrics/bleu.h"
#include "model/model_file.h"
#include "text/vocabulary.h"
#include "translate/parameters.h"

typedef struct Translator {
    Model model;
    Vocabulary *source_vocabulary;
    Vocabulary *target_vocabulary; // the same pointer if joint
    json_t *training;              // how the model was trained, an object
    UnitKind source_units;         // what its alignments count unless told otherwise
    UnitKind target_units;
    BleuTokenizer bleu_tokenizer; // what its BLEU counts unless told otherwise
    Parameters *parameters;       // owned: the model's, as they are multiplied
} Translator;

/* Opens a model and checks all of it, its vocabularies included. On failure nothing is left. */
Status translator_open(Translator *translator, const char *path, Error *error);

void translator_close(Translator *translator);

#endif
