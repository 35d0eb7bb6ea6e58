#include "cli/align/align.h"
#include "io/json.h"

static json_t *numbers(const float *values, size_t count)
{
    json_t *list = json_array();
    bool failed = !list;
    for (size_t i = 0; i < count; i++)
        failed |= json_array_append_new(list, json_number((double)values[i])) != 0;
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static json_t *spelling(Labels labels, size_t label)
{
    size_t begin = labels.units->begins[label];
    return json_stringn(labels.text + begin, labels.units->ends[label] - begin);
}

static json_t *spellings(Labels labels)
{
    json_t *list = json_array();
    bool failed = !list;
    for (size_t i = 0; i < labels.units->count; i++)
        failed |= json_array_append_new(list, spelling(labels, i)) != 0;
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

// Energies and weights of a head, which counts from 0 here.
static json_t *head_json(const Explanation *explanation, size_t head)
{
    size_t S = explanation->positions;
    const float *energies = explanation->energies;
    return json_pack("{sI so so}", "head", (json_int_t)head + 1, "energies",
                     energies ? numbers(energies + head * S, S) : json_null(), "weights",
                     numbers(explanation->weights + head * S, S));
}

static json_t *heads_json(const ExplainedStep *step)
{
    json_t *list = json_array();
    bool failed = !list;
    for (size_t k = 0; k < step->explanation->heads; k++)
        if (!step->head || k + 1 == step->head)
            failed |= json_array_append_new(list, head_json(step->explanation, k)) != 0;
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

void align_explain_write_json(Writer *out, const ExplainedStep *step)
{
    const Explanation *explanation = step->explanation;
    size_t query_size = explanation->query_size;
    json_t *json = json_pack(
        "{sI sI so so ss so so so so so}", "pair", (json_int_t)step->pair - 1, "target_subword",
        (json_int_t)step->target_subword, "token", spelling(step->target, step->target_subword),
        "log_probability", json_number(explanation->log_p), "attention", step->scorer->name,
        "source", spellings(step->source), "state",
        numbers(explanation->state, explanation->state_size), "query",
        query_size ? numbers(explanation->query, query_size) : json_null(), "heads",
        heads_json(step), "context", numbers(explanation->context, explanation->context_size));
    json_write(out, json, JSON_COMPACT | JSON_REAL_PRECISION(9));
    writer_string(out, "\n");
}
