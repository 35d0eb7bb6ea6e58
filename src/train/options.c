#include "train/options.h"

#include "model/seq2seq.h"

#include <stdio.h>
#include <string.h>

/* Every field that a resumed run must share, once. */
typedef struct OptionField {
    const char *name;
    size_t offset;
    bool is_real;
    bool later; // than the first checkpoints, which lack it
    size_t otherwise;
} OptionField;

#define SIZE_FIELD(field)                                                                          \
    {                                                                                              \
        .name = #field, .offset = offsetof(TrainOptions, field)                                    \
    }
#define REAL_FIELD(field)                                                                          \
    {                                                                                              \
        .name = #field, .offset = offsetof(TrainOptions, field), .is_real = true                   \
    }
// those that older checkpoints lack, and what they were then
#define LATER_FIELD(field, before)                                                                 \
    {                                                                                              \
        .name = #field, .offset = offsetof(TrainOptions, field), .later = true,                    \
        .otherwise = before                                                                        \
    }

#define LATER_REAL_FIELD(field)                                                                    \
    {                                                                                              \
        .name = #field, .offset = offsetof(TrainOptions, field), .is_real = true, .later = true    \
    }

static const OptionField fields[] = {
    SIZE_FIELD(vocabulary_size),
    SIZE_FIELD(vocabulary_kind),
    SIZE_FIELD(embedding),
    SIZE_FIELD(hidden),
    SIZE_FIELD(decoder_hidden),
    SIZE_FIELD(attention_size),
    LATER_FIELD(attention, 0),
    LATER_FIELD(heads, 4),
    LATER_FIELD(self_attention, 0),
    SIZE_FIELD(untied),
    REAL_FIELD(dropout),
    REAL_FIELD(label_smoothing),
    SIZE_FIELD(batch_tokens),
    SIZE_FIELD(max_length),
    REAL_FIELD(learning_rate),
    SIZE_FIELD(warmup),
    REAL_FIELD(clip_norm),
    SIZE_FIELD(seed),
    SIZE_FIELD(threads),
    SIZE_FIELD(deduplicate),
    LATER_FIELD(precision, 0),
    LATER_REAL_FIELD(guide_weight),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static void *field_at(const TrainOptions *options, const OptionField *field)
{
    return (char *)(size_t)options + field->offset;
}

static size_t *size_at(const TrainOptions *options, const OptionField *field)
{
    return field_at(options, field);
}

static double *real_at(const TrainOptions *options, const OptionField *field)
{
    return field_at(options, field);
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
    };
    const char *name = attention_scorer_names[options->attention];
    snprintf(config.attention, sizeof config.attention, "%s", name);
    DecoderSizes sizes = seq2seq_decoder_sizes(&config);
    if (!config.self_attention) config.heads = sizes.scorer->widths(&sizes.attention).heads;
    return config;
}

json_t *train_options_to_json(const TrainOptions *options)
{
    json_t *json = json_object();
    bool failed = !json;
    for (size_t i = 0; i < FIELDS; i++) {
        const OptionField *field = &fields[i];
        // what did not take place is not told: a run without a guide holds no word of one
        if (field->later && field->is_real && *real_at(options, field) == 0) continue;
        json_t *value = field->is_real ? json_real(*real_at(options, field))
                                       : json_integer((json_int_t)*size_at(options, field));
        failed |= json_object_set_new(json, field->name, value) != 0;
    }
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

Status train_options_from_json(TrainOptions *options, const json_t *json, Error *error)
{
    for (size_t i = 0; i < FIELDS; i++) {
        const OptionField *field = &fields[i];
        const json_t *value = json_object_get(json, field->name);
        if (!value && json && field->later) {
            if (field->is_real)
                *real_at(options, field) = (double)field->otherwise;
            else
                *size_at(options, field) = field->otherwise;
            continue;
        }
        if (field->is_real ? !json_is_number(value)
                           : !json_is_integer(value) || json_integer_value(value) < 0)
            return error_set(error, STATUS_FORMAT, "the options hold no number \"%s\"",
                             field->name);
        if (field->is_real)
            *real_at(options, field) = json_number_value(value);
        else
            *size_at(options, field) = (size_t)json_integer_value(value);
    }
    size_t scorers = 0;
    while (attention_scorer_names[scorers]) scorers++;
    if (options->attention < scorers) return STATUS_OK;
    return error_set(error, STATUS_FORMAT, "the options name attention %zu, and there are %zu",
                     options->attention, scorers);
}

bool train_options_same(const TrainOptions *a, const TrainOptions *b, const char *name)
{
    const OptionField *field = fields;
    while (strcmp(field->name, name)) field++;
    return field->is_real ? *real_at(a, field) == *real_at(b, field)
                          : *size_at(a, field) == *size_at(b, field);
}

bool train_options_wide(const TrainOptions *options)
{
    size_t decoder = options->decoder_hidden ? options->decoder_hidden : options->hidden;
    return options->embedding >= MIN_PACKED_WIDTH && options->hidden >= MIN_PACKED_WIDTH &&
           decoder >= MIN_PACKED_WIDTH;
}

bool train_options_pack(const TrainOptions *options)
{
    return options->precision == GEMM_BF16 ||
           (train_options_wide(options) && packed_possible(GEMM_FLOAT32));
}

void train_options_products(char *text, size_t size, const TrainOptions *options)
{
    packed_describe(text, size, (GemmPrecision)options->precision, train_options_pack(options));
}
