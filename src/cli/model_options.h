/* What the verbs that use a model have in common. */
#ifndef REGARD_CLI_MODEL_OPTIONS_H
#define REGARD_CLI_MODEL_OPTIONS_H

#include "cli/output.h"
#include "cli/precision.h"
#include "translate/session.h"

// units of a side's alignment: what the model says, or one kind
typedef enum UnitChoice { UNIT_CHOICE_MODEL, UNIT_CHOICE_WORDS, UNIT_CHOICE_CHARACTERS } UnitChoice;
extern const char *const unit_choices[]; // "model", "words", "characters", NULL

// The kind that a choice comes to.
UnitKind unit_choice_kind(UnitChoice choice, UnitKind of_model);

// A model open and at work.
typedef struct OpenModel {
    Translator translator;
    Session *session;
} OpenModel;

/* Opens a model for `threads` threads, 0 for all processors, that search in that precision. */
Status open_model(OpenModel *model, const char *path, size_t threads, Precision precision,
                  Error *error);

// STATUS_FORMAT if a shortlist is `wanted` and the model, which was opened from `path`, has none.
Status check_shortlist(const OpenModel *model, bool wanted, const char *path, Error *error);

// What --shortlist means, for the tables of options.
#define SHORTLIST_HELP                                                                             \
    "faster: restrict output to words aligned with a source word in training, plus frequent ones"

void close_model(OpenModel *model);

#endif
