// What the parts of the library share: models, the texts of callers, results, errors.
#pragma once

#include "regard.h"

#include "base/cancel.h"
#include "io/json.h"
#include "translate/alignment.h"
#include "translate/session.h"

struct RegardModel {
    Translator translator;
};

// Copies an internal error to the caller's, unless `status` is STATUS_OK.
RegardStatus error_tell(RegardError *error, Status status, const Error *inner);

// What a call is given: texts, or pairs of them, and options.
typedef struct Given {
    TextView *views[2]; // (count) sources, targets; owned
    size_t count;
    RegardOptions options; // all members of this version
    Cancel cancel;         // that the options ask for
} Given;

// Reads the caller's options, which may be NULL, older or newer.
Status given_options(Given *given, const RegardOptions *options, Error *error);

// Reads the texts of so many sides, and options; given_free is due even after a failure.
Status given_read(Given *given, const RegardText *const texts[2], int sides,
                  const RegardOptions *options, Error *error);

void given_free(Given *given);

// At most one thread for each text.
size_t given_threads(const Given *given);

// A view of a text of the caller's, of which messages say that it is "name[i].member".
Status text_read(TextView *view, const RegardText *text, const char *name, size_t i,
                 const char *member, Error *error);

/* Sets *views (count), freed by memory_free even after a failure, from the caller's texts; `name` is
 * the parameter's. */
Status texts_read(TextView **views, const RegardText *texts, size_t count, const char *name,
                  Error *error);

// Sets *out, which may be NULL by the caller's mistake, to no text.
Status text_begin(RegardText *out, Error *error);

// Views a text of the caller's for a function that sets *out, to none at first.
Status text_check(TextView *view, const RegardText *text, const char *name, RegardText *out,
                  Error *error);

// Moves `bytes` to a text that regard_text_free frees.
Status text_give(RegardText *text, Bytes *bytes, Error *error);

static inline UnitKind unit_kind(RegardUnits units, UnitKind of_model)
{
    if (units == REGARD_UNITS_MODEL) return of_model;
    return units == REGARD_UNITS_WORDS ? UNITS_WORDS : UNITS_CHARACTERS;
}

// How results show alignments.
typedef struct ResultForm {
    bool alignments;              // whether they are shown, with weights unless they are links only
    UnitKind units[2];            // of source and target, that alignments count
    LinkReading reading;          // how links are read
    const Translator *translator; // whose words have examples; NULL: there are no senses
    const Cancel *cancel;         // asked before each text; NULL: never
} ResultForm;

struct RegardResult {
    size_t count;
    Translation *translations; // (count)
    struct ShownSource *shown; // (count)
};

FREES_POINTER(RegardResult, regard_result_free)

Status result_new(RegardResult **result, size_t count, Error *error);

/* Makes the texts and alignments that a caller sees of result->translations, and moves the result to
 * *out. */
Status result_give(RegardResult **out, RegardResult **result, const ResultForm *form, Error *error);

/* A training as regard_train makes it, but a step at a time: for a page, which does something else in
 * between (browser/learning.c). */
typedef struct TrainingRun TrainingRun;

/* The path and the texts of `training` must outlive the run, the pairs need not. Freed by
 * training_run_free. */
Status training_run_new(TrainingRun **run, const char *path, const RegardText *const sides[2],
                        size_t count, const RegardTraining *training, Error *error);

// The next step; when *more is false, the model has been saved, with all that it gets last.
Status training_run_step(TrainingRun *run, bool *more, Error *error);

/* What the model makes of the sentence that is watched, so far: watched_json (translate/watched.h) and its
 * "text"; a new reference. */
Status training_run_watch(json_t **json, const TrainingRun *run, Error *error);

void training_run_free(TrainingRun *run); // NULL is allowed
FREES_POINTER(TrainingRun, training_run_free)
