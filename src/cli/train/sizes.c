#include "cli/train/sizes.h"

Status sizes_check(const TrainOptions *given, Error *error)
{
    TrainOptions fitted = *given;
    train_options_fit(&fitted, MANY_PAIRS);
    ModelConfig config =
        train_options_config(&fitted, fitted.vocabulary_size, fitted.vocabulary_size, false);
    return config_check(&config, error);
}

Status sizes_check_used(const Arguments *arguments, const TrainValues *values, Error *error)
{
    const char *attention = attention_scorer_names[values->options.attention];
    const AttentionScorer *scorer = attention_scorer_named(attention);
    if (values->resume) return STATUS_OK;
    if (options_given(arguments, "heads") && !scorer->has_heads && !values->options.self_attention)
        return error_set(error, STATUS_ARGUMENT,
                         "--heads has no effect with --attention %s; leave it out, or add "
                         "--attention multi-head or --self-attention",
                         attention);
    if (options_given(arguments, "attention-size") && !(scorer->tensors & ATTENTION_KEY))
        return error_set(error, STATUS_ARGUMENT,
                         "--attention-size has no effect with --attention %s; leave it out",
                         attention);
    return STATUS_OK;
}
