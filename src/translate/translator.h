/* An open model with its vocabularies: with translate/session.h the engine that the program and the
 * library (include/regard.h) share.
 *
 * A Translator is logically immutable (its packed parameters, made on demand, have a lock): any
 * number of threads may use one. What changes while it works is in a Session. */
#pragma once

#include "align/aligner.h"
#include "align/units.h"
#include "base/threads.h"
#include "metrics/bleu.h"
#include "model/model_file.h"
#include "text/vocabulary.h"
#include "translate/confidence.h"
#include "translate/example_file.h"

typedef struct Translator {
    Model model;
    Vocabulary *source_vocabulary;
    Vocabulary *target_vocabulary; // the same pointer if joint
    json_t *training;              // how the model was trained, an object
    UnitKind source_units;         // default units of its alignments
    UnitKind target_units;
    const char *languages[2];     // tags of source and target in `training`; NULL if not known
    BleuTokenizer bleu_tokenizer; // default tokens of its BLEU
    double length_normalization;  // α of its searches
    ConfidenceWeights confidence; // how sure it is of what it says
    bool has_confidence;          // and was fitted
    Aligner *aligner;             // of its training pairs, owned; NULL: the file has none
    ExampleFile *examples;        // of what its words stand for, then; owned
    struct PackedParams *packed;  // owned
} Translator;

// Opens a model and checks all of it, including its vocabularies and the aligner that it may carry.
// On failure there is nothing to close.
Status translator_open(Translator *translator, const char *path, Error *error);

void translator_close(Translator *translator);

/* The model's parameters as decoding multiplies them, always the same ones, for products of that
 * type. Where the backend does not pack (linalg/weight.h), they are the model's own; else all of
 * `threads` pack them when they are first needed. May be called by several threads, each with a
 * team of its own. STATUS_ARGUMENT if this program or processor does not have the type. */
Status translator_params(const Translator *translator, ComputeType type, Threads *threads,
                         const Seq2SeqParams **params, Error *error);

/* Reads the vocabularies of source and target, the same one twice if joint, from the texts of the
 * file `path`. On failure nothing is set. */
Status translator_read_vocabularies(Vocabulary *vocabularies[2], const ModelConfig *config,
                                    const ModelTexts *texts, const char *path, Error *error);
