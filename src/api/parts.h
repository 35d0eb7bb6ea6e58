// What the parts of the library share: models, the texts of callers, results, errors.
#pragma once

#include "regard.h"

#include "base/cancel.h"
#include "translate/alignment.h"
#include "translate/session.h"

struct RegardModel {
    Translator translator;
};

// Copies an internal error to the caller's, unless `status` is STATUS_OK.
RegardStatus error_tell(RegardError *error, Status status, const Error *inner);

/* Sets `options`, all members of this version, from the caller's, which may be NULL, older or newer. */
Status options_read(RegardOptions *options, const RegardOptions *given, Error *error);

// At most one thread for each of `count` texts.
size_t options_threads(const RegardOptions *options, size_t count);

// What `options` say of cancelling; `wanted` NULL: nothing.
static inline Cancel options_cancel(const RegardOptions *options)
{
    return (Cancel){options->cancelled, options->context};
}

// A view of a text of the caller's, of which messages say that it is "name[i].member".
Status text_read(TextView *view, const RegardText *text, const char *name, size_t i,
                 const char *member, Error *error);

/* Sets *views (count), freed by memory_free even after a failure, from the caller's texts; `name` is
 * the parameter's. */
Status texts_read(TextView **views, const RegardText *texts, size_t count, const char *name,
                  Error *error);

// Views a text of the caller's for a function that sets *out, to none at first.
Status text_check(TextView *view, const RegardText *text, const char *name, RegardText *out,
                  Error *error);

/* Ends what made `bytes` with that status: moves them to a text that regard_text_free frees, or frees
 * them after a failure. */
Status text_give(RegardText *text, Bytes *bytes, Status status, Error *error);

static inline UnitKind unit_kind(RegardUnits units, UnitKind of_model)
{
    if (units == REGARD_UNITS_MODEL) return of_model;
    return units == REGARD_UNITS_WORDS ? UNITS_WORDS : UNITS_CHARACTERS;
}

// How results show alignments.
typedef struct ResultForm {
    bool alignments;     // whether they are shown, with weights unless they are links only
    UnitKind units[2];   // of source and target, that alignments count
    LinkReading reading; // how links are read
} ResultForm;

struct RegardResult {
    size_t count;
    Translation *translations; // (count)
    struct ShownSource *shown; // (count)
};

Status result_new(RegardResult **result, size_t count, Error *error);

// Makes the texts and alignments that a caller sees of result->translations; `cancel` may be NULL.
Status result_show(RegardResult *result, const ResultForm *form, const Cancel *cancel,
                   Error *error);
