// The sizes of a model, given to `regard train` or those of --init.
#include "cli/train/train.h"

#include <stdio.h>

static Status take_sizes(const Arguments *arguments, TrainValues *values, const ModelConfig *config,
                         Error *error)
{
    char ending[ERROR_TEXT_SIZE];
    TrainValues taken = *values;
    train_options_take_config(&taken.options, config);
    snprintf(ending, sizeof ending, "in %s; leave it out: what begins with a model keeps its sizes",
             values->init);
    for (size_t i = 0; i < arguments->syntax->option_count; i++) {
        const Option *option = &arguments->syntax->options[i];
        if (arguments->given[i] && !option_equal(option, values, &taken))
            return option_contradiction(arguments->syntax, option, values, &taken, ending, error);
    }
    *values = taken;
    return STATUS_OK;
}

Status sizes_of_init(Model *model, const Arguments *arguments, TrainValues *values,
                     Progress *progress, Error *error)
{
    TRY(model_open(model, values->init, error));
    TRY(take_sizes(arguments, values, &model->params.config, error));
    if (model->dequantised)
        progress_say(progress, "warning: %s is quantised: training begins with its rounded weights",
                     values->init);
    return STATUS_OK;
}

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
