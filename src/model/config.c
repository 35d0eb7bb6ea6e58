#include "model/config.h"

#include "attention/attention.h"

#include <stdio.h>
#include <string.h>

/* Every number of the config once: its key, and the range it must lie in. */
typedef struct SizeField {
    const char *name;
    size_t offset;
    size_t least, most;
    size_t absent; // what it is in a file that lacks it; 0: no file may
} SizeField;

static const SizeField size_fields[] = {
    {"source_vocabulary", offsetof(ModelConfig, source_vocabulary), 4, 1000000, 0},
    {"target_vocabulary", offsetof(ModelConfig, target_vocabulary), 4, 1000000, 0},
    {"embedding", offsetof(ModelConfig, embedding), 1, CONFIG_MAX_SIZE, 0},
    {"hidden", offsetof(ModelConfig, hidden), 1, CONFIG_MAX_SIZE, 0},
    {"decoder_hidden", offsetof(ModelConfig, decoder_hidden), 1, CONFIG_MAX_SIZE, 0},
    {"attention_size", offsetof(ModelConfig, attention_size), 1, CONFIG_MAX_SIZE, 0},
    {"heads", offsetof(ModelConfig, heads), 1, CONFIG_MAX_SIZE, 1},
};
enum { SIZE_FIELDS = sizeof size_fields / sizeof *size_fields };

static size_t *size_at(const ModelConfig *config, const SizeField *field)
{
    return (size_t *)(void *)((char *)(size_t)config + field->offset);
}

/* The heads of self-attention share the columns of an annotation evenly. */
static Status check_self_attention(const ModelConfig *config, Error *error)
{
    size_t width = 2 * config->hidden;
    if (!config->self_attention || width % config->heads == 0) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "self-attention cannot share an annotation's %zu numbers (2 × hidden) evenly "
                     "among %zu heads; choose heads that divide %zu",
                     width, config->heads, width);
}

/* The scorer exists, and its heads can share what they work on evenly. */
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
    size_t heads = scorer->widths(&sizes).heads;
    if (A % heads == 0 && width % heads == 0) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "%zu heads cannot share %zu units of attention and annotations of %zu numbers "
                     "(twice hidden) evenly; choose heads that divide both",
                     heads, A, width);
}

Status config_check(const ModelConfig *config, Error *error)
{
    for (size_t i = 0; i < SIZE_FIELDS; i++) {
        const SizeField *field = &size_fields[i];
        size_t value = *size_at(config, field);
        if (value < field->least || value > field->most)
            return error_set(error, STATUS_ARGUMENT, "%s is %zu; it must be %zu to %zu",
                             field->name, value, field->least, field->most);
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
                                      json_integer((json_int_t)*size_at(config, &size_fields[i])));
    failed |= json_object_set_new(json, "joint", json_boolean(config->joint));
    failed |= json_object_set_new(json, "tied", json_boolean(config->tied));
    failed |= json_object_set_new(json, "self_attention", json_boolean(config->self_attention));
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
        *size_at(config, &size_fields[i]) = size_fields[i].absent;
        if (!value && size_fields[i].absent) continue;
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return error_set(error, STATUS_FORMAT, "the config has no size \"%s\"",
                             size_fields[i].name);
        *size_at(config, &size_fields[i]) = (size_t)json_integer_value(value);
    }
    const json_t *joint = json_object_get(json, "joint"), *tied = json_object_get(json, "tied");
    const char *attention = json_string_value(json_object_get(json, "attention"));
    if (!json_is_boolean(joint) || !json_is_boolean(tied) || !attention)
        return error_set(error, STATUS_FORMAT,
                         "the config lacks \"joint\", \"tied\" or \"attention\"");
    const json_t *self_attention = json_object_get(json, "self_attention");
    if (self_attention && !json_is_boolean(self_attention))
        return error_set(error, STATUS_FORMAT,
                         "the config's \"self_attention\" is neither true nor false");
    config->self_attention = json_is_true(self_attention);
    const AttentionScorer *scorer = attention_scorer_named(attention);
    bool in_heads = scorer && scorer->widths(&(AttentionSizes){.heads = 2}).heads > 1;
    if (in_heads && !json_object_get(json, "heads"))
        return error_set(error, STATUS_FORMAT, "the config has no size \"heads\"");
    config->joint = json_is_true(joint);
    config->tied = json_is_true(tied);
    snprintf(config->attention, sizeof config->attention, "%s", attention);
    Status status = config_check(config, error);
    if (status) return error ? (error->status = STATUS_FORMAT) : STATUS_FORMAT;
    return STATUS_OK;
}

bool config_equal(const ModelConfig *a, const ModelConfig *b)
{
    for (size_t i = 0; i < SIZE_FIELDS; i++)
        if (*size_at(a, &size_fields[i]) != *size_at(b, &size_fields[i])) return false;
    return a->joint == b->joint && a->tied == b->tied && a->self_attention == b->self_attention &&
           !strcmp(a->attention, b->attention);
}
