#include "cli/train/guide_choice.h"

#include <string.h>

static bool names_kind(const OptionTexts *given, const char *kind)
{
    return given->count == 1 && strcmp(given->items[0], kind) == 0;
}

static GuideKind kind_of(const OptionTexts *given)
{
    if (given->count == 0 || names_kind(given, "none")) return GUIDE_NONE;
    return names_kind(given, "auto") ? GUIDE_AUTO : GUIDE_FILES;
}

const char *const *guide_files(const OptionTexts *given)
{
    return kind_of(given) == GUIDE_FILES ? given->items : NULL;
}

static Status check_weights(const GuideChoice *choice, const Arguments *arguments, Error *error)
{
    static const char *const weights[] = {"guide-weight", "guide-end-weight"};
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        if (choice->kind == GUIDE_NONE && options_given(arguments, weights[i]))
            return error_set(error, STATUS_ARGUMENT,
                             "--%s has no effect without --guide; give both or neither",
                             weights[i]);
    return STATUS_OK;
}

Status guide_choose(GuideChoice *choice, const OptionTexts *given, size_t corpora,
                    const Arguments *arguments, TrainOptions *options, Error *error)
{
    const char *attention = attention_scorer_names[options->attention];
    *choice = (GuideChoice){kind_of(given), given->count > 0};
    if (choice->kind == GUIDE_FILES && given->count != corpora)
        return error_set(error, STATUS_ARGUMENT,
                         "--guide is given for %zu of %zu corpora; give one for each --train, in "
                         "the same order (an empty line is a pair without links)",
                         given->count, corpora);
    if (choice->kind != GUIDE_NONE && !attention_scorer_named(attention)->energies)
        return error_set(error, STATUS_ARGUMENT,
                         "--attention %s has no weights for --guide to train; leave out one of "
                         "them",
                         attention);
    TRY(check_weights(choice, arguments, error));
    if (choice->kind == GUIDE_FILES && !options_given(arguments, "guide-end-weight"))
        options->guide_end_weight = options->guide_weight;
    if (choice->kind == GUIDE_NONE) options->guide_weight = options->guide_end_weight = 0;
    return STATUS_OK;
}

// Of the run that wrote the checkpoint, which names the files of a guide in a list.
static Status kind_before(GuideKind *kind, const Checkpoint *checkpoint, Error *error)
{
    const char *training = checkpoint->texts.training;
    json_t *json;
    *kind = GUIDE_NONE;
    if (checkpoint->options.guide_weight <= 0) return STATUS_OK;
    TRY(json_parse(&json, training, strlen(training), checkpoint->path,
                   "the description of its training", error));
    *kind = json_is_array(json_object_get(json, "guide")) ? GUIDE_FILES : GUIDE_AUTO;
    json_decref(json);
    return STATUS_OK;
}

Status guide_choose_resumed(GuideChoice *choice, const Checkpoint *checkpoint, Error *error)
{
    GuideKind before;
    TRY(kind_before(&before, checkpoint, error));
    if (before == GUIDE_FILES && !choice->given)
        return error_set(error, STATUS_ARGUMENT,
                         "the checkpoint was trained with --guide; give the same files as before, "
                         "or start over without --resume");
    if (choice->given && choice->kind != before) return train_contradiction("guide", error);
    choice->kind = before;
    return STATUS_OK;
}

Status train_contradiction(const char *flag, Error *error)
{
    return error_set(error, STATUS_ARGUMENT,
                     "--%s differs from the checkpoint; leave it out to continue as before, or "
                     "start over without --resume",
                     flag);
}
