#include "model/config.h"

#include "attention/attention.h"

#include <stdio.h>
#include <string.h>

// Every number and every flag of the config once; in this order they stand in a file.
typedef struct ConfigField {
    const char *name;
    size_t offset;
    size_t min, max;
    bool is_flag;
} ConfigField;

static const ConfigField fields[] = {
    {"source_vocabulary", offsetof(ModelConfig, source_vocabulary), 4, 1000000, false},
    {"target_vocabulary", offsetof(ModelConfig, target_vocabulary), 4, 1000000, false},
    {"embedding", offsetof(ModelConfig, embedding), 1, CONFIG_MAX_SIZE, false},
    {"hidden", offsetof(ModelConfig, hidden), 1, CONFIG_MAX_SIZE, false},
    {"decoder_hidden", offsetof(ModelConfig, decoder_hidden), 1, CONFIG_MAX_SIZE, false},
    {"attention_size", offsetof(ModelConfig, attention_size), 1, CONFIG_MAX_SIZE, false},
    {"heads", offsetof(ModelConfig, heads), 1, CONFIG_MAX_SIZE, false},
    {"joint", offsetof(ModelConfig, joint), 0, 1, true},
    {"tied", offsetof(ModelConfig, tied), 0, 1, true},
    {"self_attention", offsetof(ModelConfig, self_attention), 0, 1, true},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static size_t value_of(const ModelConfig *config, const ConfigField *field)
{
    const void *at = (const char *)config + field->offset;
    return field->is_flag ? *(const bool *)at : *(const size_t *)at;
}

static void set_value(ModelConfig *config, const ConfigField *field, const json_t *value)
{
    void *at = (char *)config + field->offset;
    if (field->is_flag)
        *(bool *)at = json_is_true(value);
    else
        *(size_t *)at = (size_t)json_integer_value(value);
}

/* The heads of self-attention share the columns of an annotation evenly. */
static Status check_self_attention(const ModelConfig *config, Error *error)
{
    size_t width = 2 * config->hidden;
    if (!config->self_attention || width % config->heads == 0) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "self-attention cannot divide %zu numbers (2 × hidden) evenly among %zu "
                     "heads; choose a number of heads that divides %zu",
                     width, config->heads, width);
}

/* The scorer exists, and its heads can share its units evenly. */
static Status check_attention(const ModelConfig *config, Error *error)
{
    const AttentionScorer *scorer = attention_scorer_named(config->attention);
    size_t A = config->attention_size, width = 2 * config->hidden;
    const AttentionSizes sizes = {A, config->decoder_hidden, width, config->heads};
    if (!scorer) {
        char known[256] = "";
        for (size_t i = 0, used = 0; attention_scorer_names[i] && used < sizeof known; i++)
            used += (size_t)snprintf(known + used, sizeof known - used, i ? ", %s" : "%s",
                                     attention_scorer_names[i]);
        return error_set(error, STATUS_ARGUMENT,
                         "there is no attention named %s in this version; known: %s",
                         config->attention, known);
    }
    size_t heads = attention_widths(scorer, &sizes).heads;
    if (A % heads == 0 && width % heads == 0) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "%zu heads cannot divide %zu attention units and %zu numbers (2 × hidden) "
                     "evenly; choose a number of heads that divides both",
                     heads, A, width);
}

Status config_check(const ModelConfig *config, Error *error)
{
    for (size_t i = 0; i < FIELDS; i++) {
        const ConfigField *field = &fields[i];
        size_t value = value_of(config, field);
        if (value < field->min || value > field->max)
            return error_set(error, STATUS_ARGUMENT, "%s is %zu; it must be %zu to %zu",
                             field->name, value, field->min, field->max);
    }
    if (config->joint && config->source_vocabulary != config->target_vocabulary)
        return error_set(error, STATUS_ARGUMENT, "a joint vocabulary has one size, not %zu and %zu",
                         config->source_vocabulary, config->target_vocabulary);
    Status status = check_attention(config, error);
    return status ? status : check_self_attention(config, error);
}

json_t *config_to_json(const ModelConfig *config)
{
    json_t *json = json_object();
    bool failed = !json;
    for (size_t i = 0; i < FIELDS; i++) {
        size_t value = value_of(config, &fields[i]);
        failed |= json_object_set_new(json, fields[i].name,
                                      fields[i].is_flag ? json_boolean(value)
                                                        : json_integer((json_int_t)value));
    }
    failed |= json_object_set_new(json, "attention", json_string(config->attention));
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

Status config_from_json(ModelConfig *config, const json_t *json, Error *error)
{
    *config = (ModelConfig){0};
    for (size_t i = 0; i < FIELDS; i++) {
        const ConfigField *field = &fields[i];
        const json_t *value = json_object_get(json, field->name);
        if (field->is_flag && !json_is_boolean(value))
            return error_set(error, STATUS_FORMAT, "the config's \"%s\" is not true or false",
                             field->name);
        if (!field->is_flag && (!json_is_integer(value) || json_integer_value(value) < 0))
            return error_set(error, STATUS_FORMAT, "the config has no size \"%s\"", field->name);
        set_value(config, field, value);
    }
    const char *attention = json_string_value(json_object_get(json, "attention"));
    if (!attention) return error_set(error, STATUS_FORMAT, "the config has no \"attention\"");
    // a longer name is cut to one that config_check does not know
    snprintf(config->attention, sizeof config->attention, "%s", attention);
    Status status = config_check(config, error);
    if (status) return error ? (error->status = STATUS_FORMAT) : STATUS_FORMAT;
    return STATUS_OK;
}

bool config_equal(const ModelConfig *a, const ModelConfig *b)
{
    bool equal = !strcmp(a->attention, b->attention);
    for (size_t i = 0; i < FIELDS; i++) equal &= value_of(a, &fields[i]) == value_of(b, &fields[i]);
    return equal;
}
