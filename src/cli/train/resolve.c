#include "cli/train/resolve.h"

#include <string.h>

/* A guide for each corpus, or none at all. */
static Status resolve_guide(const Arguments *arguments, TrainValues *values, Error *error)
{
    size_t guides = values->guide.count, corpora = values->train.count;
    const char *attention = values->options.attention;
    if (guides && guides != corpora)
        return error_set(error, STATUS_ARGUMENT,
                         "--guide is given for %zu of %zu corpora; give one for each --train, in "
                         "the same order (an empty line is a pair without links)",
                         guides, corpora);
    if (!guides && options_given(arguments, "guide-weight"))
        return error_set(error, STATUS_ARGUMENT,
                         "--guide-weight has no effect without --guide; give both or neither");
    if (guides && !attention_scorer_named(attention)->energies)
        return error_set(error, STATUS_ARGUMENT,
                         "--attention %s has no weights for --guide to train; leave out one of "
                         "them",
                         attention);
    if (!guides) values->options.guide_weight = 0;
    return STATUS_OK;
}

static size_t count_standard_input(const OptionTexts *texts)
{
    size_t count = 0;
    for (size_t i = 0; i < texts->count; i++) count += strcmp(texts->items[i], "-") == 0;
    return count;
}

Status train_resolve(const Arguments *arguments, TrainValues *values, Error *error)
{
    Status status = train_options_resolve(&values->options, error);
    if (status) return status;
    size_t readers = count_standard_input(&values->train) + count_standard_input(&values->guide);
    if (values->valid && strcmp(values->valid, "-") == 0) readers++;
    if (readers > 1)
        return error_set(error, STATUS_ARGUMENT,
                         "standard input (-) is given twice but can be read only once; name a "
                         "file");
    return resolve_guide(arguments, values, error);
}

static Status contradiction(const char *flag, Error *error)
{
    return error_set(error, STATUS_ARGUMENT,
                     "--%s contradicts the checkpoint; leave it out to continue as before, or "
                     "start over without --resume",
                     flag);
}

Status train_check_resumed(const Arguments *arguments, const TrainOptions *given,
                           const TrainOptions *stored, Error *error)
{
    bool guided = stored->guide_weight > 0, guide = options_given(arguments, "guide");
    if (guided && !guide)
        return error_set(error, STATUS_ARGUMENT,
                         "the checkpoint was trained with --guide; give the same files as before, "
                         "or start over without --resume");
    if (guide && !guided) return contradiction("guide", error);
    for (const TrainOption *option = train_option_table; option->name; option++)
        if (option->on_resume != TRAIN_FREE && options_given(arguments, option->flag) &&
            !train_option_equal(option, given, stored))
            return contradiction(option->flag, error);
    return STATUS_OK;
}
