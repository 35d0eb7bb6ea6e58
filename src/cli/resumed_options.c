#include "cli/resumed_options.h"

Status resumed_options(const Arguments *arguments, TrainOptions *given, const TrainOptions *stored,
                       Error *error)
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
        {"attention-size", "attention_size"},
        {"self-attention", "self_attention"},
        {"heads", "heads"},
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
