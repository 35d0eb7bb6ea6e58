#include "model/config.h"

#include "attention/attention.h"

#include <stdio.h>
#include <string.h>

// Every number and every flag of the config once; in this order they stand in a file.
typedef struct SizeField {
    const char *name;
    size_t offset;
    size_t min, max;
} SizeField;

static const SizeField size_fields[] = {
    {"source_vocabulary", offsetof(ModelConfig, source_vocabulary), 4, 1000000},
    {"target_vocabulary", offsetof(ModelConfig, target_vocabulary), 4, 1000000},
    {"embedding", offsetof(ModelConfig, embedding), 1, CONFIG_MAX_SIZE},
    {"hidden", offsetof(ModelConfig, hidden), 1, CONFIG_MAX_SIZE},
    {"decoder_hidden", offsetof(ModelConfig, decoder_hidden), 1, CONFIG_MAX_SIZE},
    {"attention_size", offsetof(ModelConfig, attention_size), 1, CONFIG_MAX_SIZE},
    {"heads", offsetof(ModelConfig, heads), 1, CONFIG_MAX_SIZE},
};
enum { SIZE_FIELDS = sizeof size_fields / sizeof *size_fields };

typedef struct FlagField {
    const char *name;
    size_t offset;
} FlagField;

static const FlagField flag_fields[] = {
    {"joint", offsetof(ModelConfig, joint)},
    {"tied", offsetof(ModelConfig, tied)},
    {"self_attention", offsetof(ModelConfig, self_attention)},
};
enum { FLAG_FIELDS = sizeof flag_fields / sizeof *flag_fields };

static size_t *size_at(const ModelConfig *config, size_t field)
{
    return (size_t *)(void *)((char *)(size_t)config + size_fields[field].offset);
}

static bool *flag_at(const ModelConfig *config, size_t field)
{
    return (bool *)(void *)((char *)(size_t)config + flag_fields[field].offset);
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
    for (size_t i = 0; i < SIZE_FIELDS; i++) {
        const SizeField *field = &size_fields[i];
        size_t value = *size_at(config, i);
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
    for (size_t i = 0; i < SIZE_FIELDS; i++)
        failed |= json_object_set_new(json, size_fields[i].name,
                                      json_integer((json_int_t)*size_at(config, i)));
    for (size_t i = 0; i < FLAG_FIELDS; i++)
        failed |= json_object_set_new(json, flag_fields[i].name, json_boolean(*flag_at(config, i)));
    failed |= json_object_set_new(json, "attention", json_string(config->attention));
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

Status config_from_json(ModelConfig *config, const json_t *json, Error *error)
{
    *config = (ModelConfig){0};
    for (size_t i = 0; i < SIZE_FIELDS; i++) {
        const json_t *value = json_object_get(json, size_fields[i].name);
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return error_set(error, STATUS_FORMAT, "the config has no size \"%s\"",
                             size_fields[i].name);
        *size_at(config, i) = (size_t)json_integer_value(value);
    }
    for (size_t i = 0; i < FLAG_FIELDS; i++) {
        const json_t *value = json_object_get(json, flag_fields[i].name);
        if (!json_is_boolean(value))
            return error_set(error, STATUS_FORMAT, "the config's \"%s\" is not true or false",
                             flag_fields[i].name);
        *flag_at(config, i) = json_is_true(value);
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
    for (size_t i = 0; i < SIZE_FIELDS; i++) equal &= *size_at(a, i) == *size_at(b, i);
    for (size_t i = 0; i < FLAG_FIELDS; i++) equal &= *flag_at(a, i) == *flag_at(b, i);
    return equal;
}
