// Options and actions that the verbs using a model share.
#ifndef REGARD_CLI_MODEL_OPTIONS_H
#define REGARD_CLI_MODEL_OPTIONS_H

#include "cli/output.h"
#include "cli/precision.h"
#include "translate/session.h"

// units of a side's alignment: the model's, or one kind
typedef enum UnitChoice { UNIT_CHOICE_MODEL, UNIT_CHOICE_WORDS, UNIT_CHOICE_CHARACTERS } UnitChoice;
extern const char *const unit_choices[]; // "model", "words", "characters", NULL

// The kind that a choice means for a model whose own kind is `of_model`.
UnitKind unit_choice_kind(UnitChoice choice, UnitKind of_model);

// An open model with its threads.
typedef struct OpenModel {
    Translator translator;
    Session *session;
} OpenModel;

// Opens a model for decoding in that precision by `threads` threads, 0 for one per processor.
Status open_model(OpenModel *model, const char *path, size_t threads, Precision precision,
                  Error *error);

// STATUS_FORMAT if a shortlist is `wanted` and the model, which was opened from `path`, has none.
Status check_shortlist(const OpenModel *model, bool wanted, const char *path, Error *error);

// The help text of --shortlist.
#define SHORTLIST_HELP                                                                             \
    "faster: restrict output to words aligned with a source word in training, plus frequent ones"

void close_model(OpenModel *model);

#endif
