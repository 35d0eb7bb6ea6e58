#include "model/config.h"

#include "attention/attention.h"
#include "io/json.h"

#include <stdio.h>

// Every number and every flag of the config once; in this order they stand in a file.
typedef struct ConfigField {
    JsonField json;
    size_t min, max; // of a size
    bool if_set;     // in a file only if it is true
} ConfigField;

#define FIELD(kind, member, min, max, if_set)                                                      \
    {                                                                                              \
        JSON_FIELD(ModelConfig, member, FIELD_##kind, NULL), min, max, if_set                      \
    }

static const ConfigField fields[] = {
    FIELD(SIZE, source_vocabulary, 4, 1000000, false),
    FIELD(SIZE, target_vocabulary, 4, 1000000, false),
    FIELD(SIZE, embedding, 1, CONFIG_MAX_SIZE, false),
    FIELD(SIZE, hidden, 1, CONFIG_MAX_SIZE, false),
    FIELD(SIZE, decoder_hidden, 1, CONFIG_MAX_SIZE, false),
    FIELD(SIZE, attention_size, 1, CONFIG_MAX_SIZE, false),
    FIELD(SIZE, heads, 1, CONFIG_MAX_SIZE, false),
    FIELD(FLAG, joint, 0, 1, false),
    FIELD(FLAG, tied, 0, 1, false),
    FIELD(FLAG, self_attention, 0, 1, false),
    FIELD(FLAG, conditional_gru, 0, 1, true),
    FIELD(FLAG, embedding_in_annotations, 0, 1, true),
};
enum { FIELDS = sizeof fields / sizeof *fields };

// How that number comes about.
static const char *width_formula(const ModelConfig *config)
{
    return config->embedding_in_annotations ? "2 × hidden + embedding" : "2 × hidden";
}

/* The scorer exists, and its heads can share its units evenly. */
static Status check_attention(const ModelConfig *config, Error *error)
{
    const AttentionScorer *scorer = attention_scorer_named(config->attention);
    size_t A = config->attention_size, width = config_annotation_width(config);
    if (!scorer) {
        char known[256] = "";
        for (size_t i = 0, used = 0; attention_scorer_names[i] && used < sizeof known; i++)
            used += (size_t)snprintf(known + used, sizeof known - used, i ? ", %s" : "%s",
                                     attention_scorer_names[i]);
        return error_set(error, STATUS_ARGUMENT,
                         "there is no attention named %s in this version; known: %s",
                         config->attention, known);
    }
    size_t heads = scorer->has_heads ? config->heads : 1;
    if (A % heads == 0 && width % heads == 0) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "%zu heads cannot divide %zu attention units and %zu numbers (%s) evenly; "
                     "choose a number of heads that divides both",
                     heads, A, width, width_formula(config));
}

Status config_check(const ModelConfig *config, Error *error)
{
    for (size_t i = 0; i < FIELDS; i++) {
        const ConfigField *field = &fields[i];
        if (field->json.kind != FIELD_SIZE) continue;
        const void *at = (const char *)config + field->json.offset;
        size_t value = *(const size_t *)at;
        if (value < field->min || value > field->max)
            return error_set(error, STATUS_ARGUMENT, "%s is %zu; it must be %zu to %zu",
                             field->json.name, value, field->min, field->max);
    }
    if (config->joint && config->source_vocabulary != config->target_vocabulary)
        return error_set(error, STATUS_ARGUMENT, "a joint vocabulary has one size, not %zu and %zu",
                         config->source_vocabulary, config->target_vocabulary);
    TRY(check_attention(config, error));
    size_t width = config_annotation_width(config);
    if (!config->self_attention || width % config->heads == 0) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT,
                     "self-attention cannot divide %zu numbers (%s) evenly among %zu heads; choose "
                     "a number of heads that divides %zu",
                     width, width_formula(config), config->heads, width);
}

json_t *config_to_json(const ModelConfig *config)
{
    static const ModelConfig unset;
    json_t *json = json_object();
    for (size_t i = 0; i < FIELDS; i++) {
        const JsonField *field = &fields[i].json;
        if (fields[i].if_set && json_field_equal(field, config, &unset)) continue;
        json_object_set_new(json, field->name, json_field_value(field, config));
    }
    json_object_set_new(json, "attention", json_string(config->attention));
    return json;
}

Status config_from_json(ModelConfig *config, const json_t *json, Error *error)
{
    *config = (ModelConfig){0};
    for (size_t i = 0; i < FIELDS; i++) {
        const JsonField *field = &fields[i].json;
        const json_t *value = json_object_get(json, field->name);
        if (fields[i].if_set && !value) continue;
        if (json_field_read(field, config, value)) continue;
        return error_set(error, STATUS_FORMAT,
                         field->kind == FIELD_FLAG ? "the config's \"%s\" is not true or false"
                                                   : "the config has no size \"%s\"",
                         field->name);
    }
    const char *attention = json_string_value(json_object_get(json, "attention"));
    if (!attention) return error_set(error, STATUS_FORMAT, "the config has no \"attention\"");
    // a longer name is cut to one that config_check does not know
    snprintf(config->attention, sizeof config->attention, "%s", attention);
    Status status = config_check(config, error);
    if (status) return error ? (error->status = STATUS_FORMAT) : STATUS_FORMAT;
    return STATUS_OK;
}

const char *config_difference(const ModelConfig *a, const ModelConfig *b)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (!json_field_equal(&fields[i].json, a, b)) return fields[i].json.name;
    return strcmp(a->attention, b->attention) ? "attention" : NULL;
}
