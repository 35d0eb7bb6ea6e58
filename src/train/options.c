#include "train/options.h"

#include "base/threads.h"
#include "model/seq2seq.h"

#include <stdio.h>
#include <string.h>

// A member's offset; not a constant, and so an error, unless the member has this type.
#define PLACE(member, type)                                                                        \
    (offsetof(TrainOptions, member) * _Generic(((TrainOptions *)0)->member, type : 1))

#define ROW(kind, ...) ROW_##kind(__VA_ARGS__)
#define ROW_HEADING(text)
#define ROW_SIZE(member, flag, value, least, most, initial, resume, ...)                           \
    {#member, flag, TRAIN_SIZE, PLACE(member, size_t), NULL, TRAIN_##resume},
#define ROW_REAL(member, flag, value, least, most, initial, resume, ...)                           \
    {#member, flag, TRAIN_REAL, PLACE(member, double), NULL, TRAIN_##resume},
#define ROW_FLAG(member, flag, resume, ...)                                                        \
    {#member, flag, TRAIN_FLAG, PLACE(member, bool), NULL, TRAIN_##resume},
#define ROW_CHOICE(member, flag, names, initial, resume, ...)                                      \
    {#member, flag, TRAIN_CHOICE, PLACE(member, unsigned), names, TRAIN_##resume},
#define ROW_NAME(member, flag, names, initial, resume, ...)                                        \
    {#member, flag, TRAIN_NAME, PLACE(member, const char *), names, TRAIN_##resume},

const TrainOption train_option_table[] = {TRAIN_OPTIONS(ROW){0}};

// A member of some options, by its row.
typedef union Member {
    size_t *size;
    double *real;
    bool *flag;
    unsigned *choice;
    const char **name;
    void *place;
} Member;

static Member member_of(const TrainOptions *options, const TrainOption *option)
{
    return (Member){.place = (char *)(size_t)options + option->offset};
}

bool train_option_equal(const TrainOption *option, const TrainOptions *a, const TrainOptions *b)
{
    Member x = member_of(a, option), y = member_of(b, option);
    switch (option->kind) {
    case TRAIN_SIZE:
        return *x.size == *y.size;
    case TRAIN_REAL:
        return *x.real == *y.real;
    case TRAIN_FLAG:
        return *x.flag == *y.flag;
    case TRAIN_CHOICE:
        return *x.choice == *y.choice;
    case TRAIN_NAME:
        break;
    }
    return strcmp(*x.name, *y.name) == 0;
}

static json_t *value_to_json(const TrainOption *option, Member member)
{
    switch (option->kind) {
    case TRAIN_SIZE:
        return json_integer((json_int_t)*member.size);
    case TRAIN_REAL:
        return json_real(*member.real);
    case TRAIN_FLAG:
        return json_boolean(*member.flag);
    case TRAIN_CHOICE:
        return json_string(option->names[*member.choice]);
    case TRAIN_NAME:
        break;
    }
    return json_string(*member.name);
}

json_t *train_options_to_json(const TrainOptions *options)
{
    json_t *json = json_object();
    bool failed = !json;
    for (const TrainOption *option = train_option_table; option->name; option++) {
        Member member = member_of(options, option);
        if (option->on_resume == TRAIN_FREE) continue;
        if (option->on_resume == TRAIN_KEPT_IF_SET && *member.real == 0) continue;
        failed |= json_object_set_new(json, option->name, value_to_json(option, member)) != 0;
    }
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

// Finds a string among names; returns their number if it is none of them, or is NULL.
static unsigned find_name(const char *const *names, const char *name)
{
    unsigned i = 0;
    while (names[i] && !(name && strcmp(names[i], name) == 0)) i++;
    return i;
}

static bool value_from_json(Member member, const TrainOption *option, const json_t *value)
{
    unsigned found;
    switch (option->kind) {
    case TRAIN_SIZE:
        *member.size = (size_t)json_integer_value(value);
        return json_is_integer(value) && json_integer_value(value) >= 0;
    case TRAIN_REAL:
        *member.real = json_number_value(value);
        return json_is_number(value);
    case TRAIN_FLAG:
        *member.flag = json_is_true(value);
        return json_is_boolean(value);
    case TRAIN_CHOICE:
    case TRAIN_NAME:
        break;
    }
    found = find_name(option->names, json_string_value(value));
    if (option->kind == TRAIN_CHOICE)
        *member.choice = found;
    else
        *member.name = option->names[found];
    return option->names[found] != NULL;
}

Status train_options_from_json(TrainOptions *options, const json_t *json, Error *error)
{
    for (const TrainOption *option = train_option_table; option->name; option++) {
        const json_t *value = json_object_get(json, option->name);
        Member member = member_of(options, option);
        if (option->on_resume == TRAIN_FREE) continue;
        if (option->on_resume == TRAIN_KEPT_IF_SET && json && !value)
            *member.real = 0;
        else if (!value_from_json(member, option, value))
            return error_set(error, STATUS_FORMAT, "option \"%s\" is missing or not valid",
                             option->name);
    }
    return STATUS_OK;
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
    snprintf(config.attention, sizeof config.attention, "%s", options->attention);
    DecoderSizes sizes = seq2seq_decoder_sizes(&config);
    if (!config.self_attention)
        config.heads = attention_widths(sizes.scorer, &sizes.attention).heads;
    return config;
}

// Whether the model is so wide that packed weights and bf16 gain anything.
static bool is_wide(const TrainOptions *options)
{
    size_t decoder = options->decoder_hidden ? options->decoder_hidden : options->hidden;
    return options->embedding >= MIN_PACKED_WIDTH && options->hidden >= MIN_PACKED_WIDTH &&
           decoder >= MIN_PACKED_WIDTH;
}

Status train_options_resolve(TrainOptions *options, Error *error)
{
    if (options->joint_vocabulary && options->separate_vocabulary)
        return error_set(error, STATUS_ARGUMENT,
                         "--joint-vocab and --separate-vocab conflict; give only one");
    ComputeType type;
    Status status = precision_resolve(&type, options->precision, is_wide(options), error);
    options->precision = precision_of(type);
    if (options->threads == 0) options->threads = threads_available();
    return status;
}

void train_options_products(char *text, size_t size, const TrainOptions *options)
{
    const Backend *backend = backend_of(precision_type(options->precision), is_wide(options));
    backend_describe(text, size, backend ? backend : &backend_openblas);
}
