#include "train/options.h"

#include "base/threads.h"
#include "model/seq2seq.h"

#include <math.h>
#include <stdio.h>

#define ROW(kind, ...) ROW_##kind(__VA_ARGS__)
#define ROW_HEADING(text)
#define ROW_SIZE(member, flag, value, least, most, initial, resume, ...)                           \
    {JSON_FIELD(TrainOptions, member, FIELD_SIZE, NULL), flag, least, most, TRAIN_##resume},
#define ROW_REAL(member, flag, value, least, most, initial, resume, ...)                           \
    {JSON_FIELD(TrainOptions, member, FIELD_REAL, NULL), flag, least, most, TRAIN_##resume},
#define ROW_FLAG(member, flag, resume, ...)                                                        \
    {JSON_FIELD(TrainOptions, member, FIELD_FLAG, NULL), flag, 0, 0, TRAIN_##resume},
#define ROW_CHOICE(member, flag, names, initial, resume, ...)                                      \
    {JSON_FIELD(TrainOptions, member, FIELD_CHOICE, names), flag, 0, 0, TRAIN_##resume},

const TrainOption train_option_table[] = {TRAIN_OPTIONS(ROW){.flag = NULL}};

const char *const train_preset_names[] = {"default", "fast", "best", "bahdanau2014", NULL};
const char *const optimiser_kind_names[] = {"adam", "adadelta", NULL};

/* What follows from a preset where the defaults differ: X(preset, member, value). Guide weight 0 is no
 * guide. */
#define PRESETS(X)                                                                                 \
    X(FAST, embedding, 256)                                                                        \
    X(FAST, hidden, 256)                                                                           \
    X(FAST, dropout, 0.3)                                                                          \
    X(BEST, embedding, 512)                                                                        \
    X(BEST, hidden, 512)                                                                           \
    X(BAHDANAU2014, vocabulary_size, 30000)                                                        \
    X(BAHDANAU2014, separate_vocabulary, true)                                                     \
    X(BAHDANAU2014, embedding, 620)                                                                \
    X(BAHDANAU2014, hidden, 1000)                                                                  \
    X(BAHDANAU2014, decoder, DECODER_GRU)                                                          \
    X(BAHDANAU2014, annotations, ANNOTATION_STATES)                                                \
    X(BAHDANAU2014, untied, true)                                                                  \
    X(BAHDANAU2014, dropout, 0)                                                                    \
    X(BAHDANAU2014, label_smoothing, 0)                                                            \
    X(BAHDANAU2014, batch_tokens, 2000)                                                            \
    X(BAHDANAU2014, max_length, 50)                                                                \
    X(BAHDANAU2014, guide_weight, 0)                                                               \
    X(BAHDANAU2014, optimiser, OPTIMISER_ADADELTA)                                                 \
    X(BAHDANAU2014, learning_rate, 1)                                                              \
    X(BAHDANAU2014, warmup, 0)

void train_options_take_preset(TrainOptions *options)
{
#define SET(kind, member, value)                                                                   \
    if (options->preset == PRESET_##kind) options->member = value;
    PRESETS(SET)
}

json_t *train_options_to_json(const TrainOptions *options, bool all)
{
    static const TrainOptions unset;
    json_t *json = json_object();
    for (const TrainOption *option = train_option_table; option->flag; option++) {
        const JsonField *field = &option->field;
        bool fixed = option->on_resume == TRAIN_FIXED_IF_SET
                         ? !json_field_equal(field, options, &unset)
                         : option->on_resume != TRAIN_FREE;
        if (all || fixed) json_object_set_new(json, field->name, json_field_value(field, options));
    }
    return json;
}

// Refuses an option that is not in the table: without it a run would not go on as it began.
static Status check_names(const json_t *json, Error *error)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(size_t)json, name, value)
    {
        const TrainOption *option = train_option_table;
        while (option->flag && strcmp(option->field.name, name) != 0) option++;
        if (!option->flag)
            return error_set(error, STATUS_FORMAT, "option \"%s\" is not known", name);
    }
    return STATUS_OK;
}

Status train_options_from_json(TrainOptions *options, const json_t *json, Error *error)
{
    TRY(check_names(json, error));
    for (const TrainOption *option = train_option_table; option->flag; option++) {
        const JsonField *field = &option->field;
        const json_t *value = json_object_get(json, field->name);
        if (option->on_resume == TRAIN_FREE) continue;
        if (option->on_resume == TRAIN_FIXED_IF_SET && json && !value)
            memset((char *)options + field->offset, 0, field->size);
        else if (!json_field_read(field, options, value))
            return error_set(error, STATUS_FORMAT, "option \"%s\" is missing or not valid",
                             field->name);
    }
    return STATUS_OK;
}

// Whether `key` is the flag with _ for -.
static bool names_flag(const char *key, const char *flag)
{
    while (*key && (*key == *flag || (*key == '_' && *flag == '-'))) key++, flag++;
    return *key == *flag;
}

static Status set_option(TrainOptions *options, const char *key, const json_t *value, Error *error)
{
    const TrainOption *option = train_option_table;
    while (option->flag && !names_flag(key, option->flag)) option++;
    if (!option->flag)
        return error_set(error, STATUS_ARGUMENT, "option \"%.100s\" is not known", key);
    const JsonField *field = &option->field;
    bool right = json_field_read(field, options, value);
    if (field->kind == FIELD_FLAG || field->kind == FIELD_CHOICE)
        return right ? STATUS_OK
                     : error_set(error, STATUS_ARGUMENT, "option \"%s\" has no such value", key);
    double number = json_number_value(value);
    if (right && number >= option->least && number <= option->most) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT, "option \"%s\" must be a %s from %g to %g", key,
                     field->kind == FIELD_SIZE ? "whole number" : "number", option->least,
                     option->most);
}

Status train_options_set(TrainOptions *options, const json_t *given, Error *error)
{
    const char *key;
    json_t *value = json_object_get(given, "preset");
    if (value) TRY(set_option(options, "preset", value, error));
    train_options_take_preset(options);
    json_object_foreach((json_t *)(size_t)given, key, value)
        TRY(set_option(options, key, value, error));
    return STATUS_OK;
}

// Of what the aligner learns: with more, translations become worse (docs/notes/alignment.md).
static const double LEARNED_GUIDE_WEIGHT = 0.03;

void train_options_guide(TrainOptions *options, bool guided, bool learns, const bool given[2])
{
    static const TrainOptions usual = TRAIN_OPTIONS_DEFAULT;
    if (guided && !given[0])
        options->guide_weight = learns ? LEARNED_GUIDE_WEIGHT : usual.guide_weight;
    if (guided && !given[1]) options->guide_end_weight = options->guide_weight;
    if (!guided) options->guide_weight = options->guide_end_weight = 0;
}

// Sets an option that was not given.
static void fit(size_t *option, double value)
{
    if (*option == 0) *option = (size_t)lround(value);
}

void train_options_fit(TrainOptions *options, size_t pairs)
{
    const unsigned preset = options->preset;
    double ratio = fmin(fmax((double)pairs, FEWEST_PAIRS), MANY_PAIRS) / FEW_PAIRS;
    double size = sqrt(sqrt(ratio)), length = fmin(sqrt(ratio), 1);
    // with FEW_PAIRS 50 hundreds, and batches of 100 tens
    fit(&options->vocabulary_size, 100 * round(50 * size));
    fit(&options->batch_tokens, 10 * round(100 * size));
    fit(&options->max_epochs, (preset == PRESET_FAST ? 10 : 30) / length);
    fit(&options->patience, (preset == PRESET_BEST ? 10 : 5) / length);
}

ModelConfig train_options_config(const TrainOptions *options, size_t source_vocabulary,
                                 size_t target_vocabulary, bool joint)
{
    ModelConfig config = {
        .source_vocabulary = source_vocabulary,
        .target_vocabulary = target_vocabulary,
        .embedding = options->embedding,
        .hidden = options->hidden,
        .decoder_hidden = options->decoder_hidden ? options->decoder_hidden : options->hidden,
        .attention_size = options->attention_size ? options->attention_size : options->hidden,
        .joint = joint,
        .tied = !options->untied,
        .heads = options->heads,
        .self_attention = options->self_attention,
        .conditional_gru = options->decoder == DECODER_CONDITIONAL_GRU,
        .embedding_in_annotations = options->annotations == ANNOTATION_STATES_EMBEDDING,
    };
    snprintf(config.attention, sizeof config.attention, "%s",
             attention_scorer_names[options->attention]);
    DecoderSizes sizes = seq2seq_decoder_sizes(&config);
    if (!config.self_attention)
        config.heads = attention_widths(sizes.scorer, &sizes.attention).heads;
    return config;
}

void train_options_take_config(TrainOptions *options, const ModelConfig *config)
{
    size_t source = config->source_vocabulary, target = config->target_vocabulary;
    options->vocabulary_size = source > target ? source : target;
    options->joint_vocabulary = config->joint;
    options->separate_vocabulary = !config->joint;
    options->embedding = config->embedding;
    options->hidden = config->hidden;
    options->decoder_hidden = config->decoder_hidden;
    options->attention_size = config->attention_size;
    options->self_attention = config->self_attention;
    options->decoder = config->conditional_gru ? DECODER_CONDITIONAL_GRU : DECODER_GRU;
    options->annotations =
        config->embedding_in_annotations ? ANNOTATION_STATES_EMBEDDING : ANNOTATION_STATES;
    options->heads = config->heads;
    options->untied = !config->tied;
    for (options->attention = 0;
         strcmp(attention_scorer_names[options->attention], config->attention) != 0;)
        options->attention++;
}

// Whether the model is so wide that packed weights and bf16 gain anything.
static bool is_wide(const TrainOptions *options)
{
    ModelConfig config = train_options_config(options, 0, 0, false);
    return seq2seq_is_wide(&config);
}

Status train_options_resolve(TrainOptions *options, Error *error)
{
    if (options->joint_vocabulary && options->separate_vocabulary)
        return error_set(error, STATUS_ARGUMENT,
                         "--joint-vocab and --separate-vocab, which --preset bahdanau2014 has, "
                         "conflict; give only one");
    ComputeType type;
    TRY(precision_resolve(&type, options->precision, PACKED_TRAINING, is_wide(options), error));
    options->precision = precision_of(type);
    if (options->threads == 0) options->threads = threads_available();
    return STATUS_OK;
}

void train_options_products(char *text, size_t size, const TrainOptions *options)
{
    const Backend *backend = backend_of(precision_type(options->precision), is_wide(options));
    backend_describe(text, size, backend ? backend : &backend_openblas);
}
