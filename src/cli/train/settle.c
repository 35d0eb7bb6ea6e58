#include "cli/train/settle.h"

#include "attention/attention.h"

#include <string.h>

/* A guide for each corpus, or none at all. */
static Status settle_guide(const Arguments *arguments, TrainValues *values, Error *error)
{
    size_t guides = values->guide.count, corpora = values->train.count;
    if (guides && guides != corpora)
        return error_set(
            error, STATUS_ARGUMENT,
            "--guide is given for %zu of %zu corpora; give one for each --train, in the "
            "same order (an empty line is a pair without links)",
            guides, corpora);
    if (!guides && options_given(arguments, "guide-weight"))
        return error_set(error, STATUS_ARGUMENT,
                         "--guide-weight weighs nothing without --guide; give both or neither");
    if (guides &&
        attention_scorer_named(attention_scorer_names[values->attention]) == &attention_none)
        return error_set(
            error, STATUS_ARGUMENT,
            "--attention none looks nowhere, so --guide can guide nothing; leave one of "
            "them out");
    values->options.guide_weight = guides ? values->guide_weight : 0;
    return STATUS_OK;
}

Status train_settle_flags(const Arguments *arguments, TrainValues *values, Error *error)
{
    if (values->joint && values->separate)
        return error_set(error, STATUS_ARGUMENT,
                         "--joint-vocab and --separate-vocab contradict each other; give one");
    GemmPrecision precision;
    Status status = precision_settle(&precision, values->precision,
                                     train_options_wide(&values->options), error);
    if (status) return status;
    values->options.precision = precision;
    size_t from_stdin = values->valid && strcmp(values->valid, "-") == 0;
    for (size_t i = 0; i < values->train.count; i++)
        from_stdin += strcmp(values->train.items[i], "-") == 0;
    for (size_t i = 0; i < values->guide.count; i++)
        from_stdin += strcmp(values->guide.items[i], "-") == 0;
    if (from_stdin > 1)
        return error_set(error, STATUS_ARGUMENT,
                         "standard input (-) is given twice; it can be read once: name a file");
    if (values->joint) values->options.vocabulary_kind = VOCABULARY_JOINT;
    if (values->separate) values->options.vocabulary_kind = VOCABULARY_SEPARATE;
    values->options.attention = values->attention;
    values->options.self_attention = values->self_attention;
    values->options.untied = values->untied;
    values->options.deduplicate = values->deduplicate;
    return settle_guide(arguments, values, error);
}

Status train_settle_resumed(const Arguments *arguments, TrainOptions *given,
                            const TrainOptions *stored, Error *error)
{
    static const struct {
        const char *flag, *field;
    } flags[] = {
        {"vocab-size", "vocabulary_size"},
        {"joint-vocab", "vocabulary_kind"},
        {"separate-vocab", "vocabulary_kind"},
        {"embedding", "embedding"},
        {"hidden", "hidden"},
        {"decoder-hidden", "decoder_hidden"},
        {"attention", "attention"},
        {"heads", "heads"},
        {"attention-size", "attention_size"},
        {"untied-output", "untied"},
        {"dropout", "dropout"},
        {"label-smoothing", "label_smoothing"},
        {"batch-tokens", "batch_tokens"},
        {"max-length", "max_length"},
        {"deduplicate", "deduplicate"},
        {"learning-rate", "learning_rate"},
        {"warmup", "warmup"},
        {"clip-norm", "clip_norm"},
        {"seed", "seed"},
        {"threads", "threads"},
        {"precision", "precision"},
        {"self-attention", "self_attention"},
        {"guide-weight", "guide_weight"},
    };
    if (stored->guide_weight > 0 && !options_given(arguments, "guide"))
        return error_set(error, STATUS_ARGUMENT,
                         "the checkpoint was trained with --guide; give the same files as before, "
                         "or start anew without --resume");
    if (stored->guide_weight == 0 && options_given(arguments, "guide"))
        return error_set(error, STATUS_ARGUMENT,
                         "--guide contradicts the checkpoint; leave it out to go on as before, or "
                         "start anew without --resume");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (options_given(arguments, flags[i].flag) &&
            !train_options_same(given, stored, flags[i].field))
            return error_set(error, STATUS_ARGUMENT,
                             "--%s contradicts the checkpoint; leave it out to go on as before, or "
                             "start anew without --resume",
                             flags[i].flag);
    TrainOptions resumed = *stored;
    resumed.max_epochs = given->max_epochs;
    resumed.max_minutes = given->max_minutes;
    resumed.patience = given->patience;
    *given = resumed;
    return STATUS_OK;
}
