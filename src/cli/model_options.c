#include "cli/model_options.h"

#include "base/threads.h"

const char *const unit_choices[] = {"model", "words", "characters", NULL};

UnitKind unit_choice_kind(UnitChoice choice, UnitKind of_model)
{
    switch (choice) {
    case UNIT_CHOICE_WORDS:
        return UNITS_WORDS;
    case UNIT_CHOICE_CHARACTERS:
        return UNITS_CHARACTERS;
    case UNIT_CHOICE_MODEL:
        break;
    }
    return of_model;
}

Status open_model(OpenModel *model, const char *path, size_t threads, Precision precision,
                  Error *error)
{
    ComputeType settled;
    *model = (OpenModel){0};
    Status status = translator_open(&model->translator, path, error);
    if (status) return status;
    if (threads == 0) threads = threads_available();
    status = precision_resolve(&settled, precision,
                               seq2seq_is_wide(&model->translator.model.config), error);
    if (!status) status = session_new(&model->session, &model->translator, threads, settled, error);
    if (status) close_model(model);
    return status;
}

Status check_shortlist(const OpenModel *model, bool wanted, const char *path, Error *error)
{
    if (!wanted || model->translator.model.shortlist.always_count > 0) return STATUS_OK;
    return error_set(
        error, STATUS_FORMAT,
        "%s: has no shortlist, like all models of --attention none; leave --shortlist out", path);
}

void close_model(OpenModel *model)
{
    session_free(model->session);
    translator_close(&model->translator);
    *model = (OpenModel){0};
}
