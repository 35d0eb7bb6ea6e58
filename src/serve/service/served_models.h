/* The models that the server translates with, one for each pair of languages, as they are between
 * two reloads. The set is counted: a request keeps the one that it began with, and the last to
 * release it closes the models. */
#pragma once

#include "language/spelling.h"
#include "linalg/backend/backend.h"
#include "serve/service/language_code.h"
#include "translate/alignment.h"
#include "translate/session.h"

#include <stdatomic.h>

// Short jobs and long ones are worked on at the same time, each by a thread (service.h).
typedef enum Lane { LANE_SHORT, LANE_LONG, LANES } Lane;

typedef struct ServedModel {
    Translator translator;
    Session *sessions[LANES];  // each its lane's
    LanguageCode languages[2]; // source, target
    LinkReading reading;
    TranslationMemory *memory; // owned; NULL: none
} ServedModel;

typedef struct ServedModels {
    ServedModel *items; // (count)
    size_t count;
    LanguageCode *languages; // (language_count) each once, the sources first
    size_t language_count;
    Spelling **spellings; // (language_count) of those told by it; made by the first detection
    atomic_size_t references;
} ServedModels;

// Which models, and how they compute.
typedef struct ModelChoice {
    const char *const *paths; // (count)
    size_t count;
    size_t threads;
    Precision precision;
    bool shortlist;        // each must have one
    const Cancel *cancels; // (LANES) asked by each session while it works; NULL: never
} ModelChoice;

/* Opens the models; the caller has the first reference. STATUS_FORMAT also if one does not say its
 * languages, two have the same, or a shortlist is missing. */
Status served_models_open(ServedModels **models, const ModelChoice *choice, Error *error);

// Gives back a reference, such as those of service_models; NULL is allowed.
void served_models_release(ServedModels *models);
FREES_POINTER(ServedModels, served_models_release)

// The model of a pair of languages, else one whose source is the same language in another script;
// NULL if there is none.
ServedModel *served_models_find(ServedModels *models, const LanguageCode *source,
                                const LanguageCode *target);

/* Sets the way from a language to another: the model of the pair, and NULL; or where there is none,
 * those from and to a third language. False if there is no way. */
bool served_models_route(ServedModel *route[2], ServedModels *models, const LanguageCode *source,
                         const LanguageCode *target);

// Whether any model translates from it, or to it.
bool served_models_have(const ServedModels *models, const LanguageCode *language);

// Translation memories of the models (translate/translation_memory.h), and what users correct.
typedef struct MemoryChoice {
    const char *const *files; // (count) FILE, or en-fr=FILE where several models are served
    size_t count;
    const char *corrections; // a file; NULL: there are none
} MemoryChoice;

// Reads the files.
Status memories_read(ServedModels *models, const MemoryChoice *choice, Error *error);

/* Reads what users have corrected: lines of source, tab, target, tab and en-fr. Those of pairs that
 * are not served are passed over, and a file that is not there is made. */
Status corrections_read(ServedModels *models, const char *path, Error *error);

/* Appends a correction to the file and adds it to the memory of the model, which has one. Nobody else
 * may read or correct meanwhile. */
Status correction_add(const char *file, const ServedModel *model, TextView source, TextView target,
                      Error *error);
