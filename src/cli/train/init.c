#include "cli/train/init.h"

#include <stdio.h>
#include <string.h>

// The options that a model decides.
static const char *const decided[] = {
    "vocab-size",     "joint-vocab", "separate-vocab", "embedding", "decoder",
    "hidden",         "annotations", "decoder-hidden", "attention", "attention-size",
    "self-attention", "heads",       "untied-output",
};

static bool is_decided(const char *name)
{
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++)
        if (!strcmp(decided[i], name)) return true;
    return false;
}

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
        if (arguments->given[i] && is_decided(option->name) &&
            !option_equal(option, values, &taken))
            return option_contradiction(arguments->syntax, option, values, &taken, ending, error);
    }
    *values = taken;
    return STATUS_OK;
}

Status init_open(Model *model, const Arguments *arguments, TrainValues *values, Progress *progress,
                 Error *error)
{
    TRY(model_open(model, values->init, error));
    TRY(take_sizes(arguments, values, &model->params.config, error));
    if (model->dequantised)
        progress_say(progress, "warning: %s is quantised: training begins with its rounded weights",
                     values->init);
    return STATUS_OK;
}
