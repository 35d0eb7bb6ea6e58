// What options of `regard train` mean together: --guide, --mix, the sizes of a model or of --init.
#include "cli/train/train.h"

#include <stdio.h>

static bool names_kind(const OptionTexts *given, const char *kind)
{
    return given->count == 1 && strcmp(given->items[0], kind) == 0;
}

void guide_default(TrainValues *values)
{
    OptionTexts *guide = &values->guide;
    const TrainOptions *options = &values->options;
    const char *attention = attention_scorer_names[options->attention];
    bool can = options->guide_weight > 0 && attention_scorer_named(attention)->energies;
    if (can && guide->count == 0 && !values->cache) guide->items[guide->count++] = "auto";
}

GuideKind guide_kind(const OptionTexts *given)
{
    if (given->count == 0 || names_kind(given, "none")) return GUIDE_NONE;
    return names_kind(given, "auto") ? GUIDE_AUTO : GUIDE_FILES;
}

Status guide_choose(const OptionTexts *given, size_t corpora, const Arguments *arguments,
                    TrainOptions *options, Error *error)
{
    const char *attention = attention_scorer_names[options->attention];
    GuideKind kind = guide_kind(given);
    if (kind == GUIDE_FILES && given->count != corpora)
        return error_set(error, STATUS_ARGUMENT,
                         "--guide is given for %zu of %zu corpora; give one for each --train, in "
                         "the same order (an empty line is a pair without links)",
                         given->count, corpora);
    if (kind != GUIDE_NONE && !attention_scorer_named(attention)->energies)
        return error_set(error, STATUS_ARGUMENT,
                         "--attention %s has no weights for --guide to train; leave out one of "
                         "them",
                         attention);
    const bool weights[2] = {options_given(arguments, "guide-weight"),
                             options_given(arguments, "guide-end-weight")};
    if (kind == GUIDE_NONE && (weights[0] || weights[1]))
        return error_set(error, STATUS_ARGUMENT,
                         "--%s has no effect without --guide; give both or neither",
                         weights[0] ? "guide-weight" : "guide-end-weight");
    if (options_given(arguments, "resume")) return STATUS_OK;
    train_options_guide(options, kind != GUIDE_NONE, kind == GUIDE_AUTO, weights);
    return STATUS_OK;
}

static const double MIN_WEIGHT = 0.001, MAX_WEIGHT = 1000;

Status mix_parse(Bytes *pairs, double *weight, const char *given, Error *error)
{
    const char *colon = strrchr(given, ':');
    if (!colon || colon == given || !option_read_real(weight, colon + 1, MIN_WEIGHT, MAX_WEIGHT))
        return error_set(error, STATUS_ARGUMENT,
                         "--mix is \"%.200s\"; write PAIRS:W, such as old.tsv:0.5, with a number W "
                         "from %g to %g",
                         given, MIN_WEIGHT, MAX_WEIGHT);
    return bytes_append(pairs, given, (size_t)(colon - given), error);
}

bool mix_same_weight(const char *a, const char *b)
{
    const char *of_a = strrchr(a, ':'), *of_b = strrchr(b, ':');
    return of_a && of_b && !strcmp(of_a, of_b);
}

static Status take_sizes(const Arguments *arguments, TrainValues *values, const ModelConfig *config,
                         Error *error)
{
    char ending[ERROR_TEXT_SIZE];
    TrainValues taken = *values;
    train_options_take_config(&taken.options, config);
    snprintf(ending, sizeof ending, "in %s; leave it out: what begins with a model keeps its sizes",
             values->init);
    for (size_t i = 0; i < arguments->verb->option_count; i++) {
        const Option *option = &arguments->verb->options[i];
        if (arguments->given[i] && !option_equal(option, values, &taken))
            return option_contradiction(arguments->verb, option, values, &taken, ending, error);
    }
    *values = taken;
    return STATUS_OK;
}

Status sizes_of_init(Model *model, const Arguments *arguments, TrainValues *values,
                     Progress *progress, Error *error)
{
    TRY(model_open(model, values->init, error));
    TRY(take_sizes(arguments, values, &model->params.config, error));
    if (model->weights != WEIGHTS_REAL)
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
