#include "translate/explanation_json.h"

#include "io/json.h"
#include "render/pictures.h"

json_t *numbers_json(const float *values, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count && values; i++) json_append(&list, json_number((double)values[i]));
    return list;
}

// Energies and weights of each head that is shown.
static json_t *heads_json(const ExplainedStep *step)
{
    const Explanation *explanation = step->explanation;
    const float *energies = explanation->energies, *weights = explanation->weights;
    size_t S = explanation->positions;
    json_t *list = json_array();
    for (size_t k = 0; k < explanation->heads; k++)
        if (!step->head || k + 1 == step->head)
            json_append(&list, json_pack("{sI so so}", "head", (json_int_t)k + 1, "energies",
                                         energies ? numbers_json(energies + k * S, S) : json_null(),
                                         "weights", numbers_json(weights + k * S, S)));
    return list;
}

// A transition's gates.
static json_t *gates_json(const Explanation *explanation)
{
    size_t D = explanation->state_size;
    json_t *list = json_array();
    for (size_t i = 0; i < (explanation->conditional ? 2 : 1); i++) {
        const float *gates = explanation->gates + i * 2 * D;
        json_append(&list, json_pack("{so so}", "reset", numbers_json(gates, D), "update",
                                     numbers_json(gates + D, D)));
    }
    return list;
}

static json_t *likeliest_json(const ExplainedStep *step)
{
    const Explanation *explanation = step->explanation;
    json_t *list = json_array();
    for (size_t i = 0; i < explanation->likeliest_count; i++)
        json_append(&list,
                    json_pack("{so so}", "token", label_json(step->likeliest, i), "log_probability",
                              json_number((double)explanation->likeliest[i].log_p)));
    return list;
}

static json_t *annotations_json(const Explanation *explanation)
{
    size_t C = explanation->context_size;
    json_t *list = json_array();
    for (size_t j = 0; j < explanation->positions; j++)
        json_append(&list, numbers_json(explanation->annotations + j * C, C));
    return list;
}

static json_t *formulas_json(const ExplainedStep *step)
{
    const Explanation *explanation = step->explanation;
    const AttentionScorer *scorer = step->scorer;
    return json_pack("{ss ss ss? ss? ss}", "annotation",
                     explanation->with_embedding ? "[→h_j ; ←h_j ; x_j]" : "[→h_j ; ←h_j]", "state",
                     explanation->conditional ? "s'_t" : "s_{t-1}", "query", scorer->query_formula,
                     "energy", scorer->energy_formula, "context", scorer->context_formula);
}

json_t *explanation_json(const ExplainedStep *step)
{
    const Explanation *explanation = step->explanation;
    size_t query_size = explanation->query_size;
    return json_pack("{sI sI so so ss so so so so so so so so so so}", "pair",
                     (json_int_t)step->pair - 1, "target_subword", (json_int_t)step->target_subword,
                     "token", label_json(step->target, step->target_subword), "log_probability",
                     json_number(explanation->log_p), "attention", step->scorer->name, "formulas",
                     formulas_json(step), "source", labels_json(step->source), "annotations",
                     annotations_json(explanation), "state",
                     numbers_json(explanation->state, explanation->state_size), "query",
                     query_size ? numbers_json(explanation->query, query_size) : json_null(),
                     "heads", heads_json(step), "context",
                     numbers_json(explanation->context, explanation->context_size), "gates",
                     gates_json(explanation), "readout",
                     numbers_json(explanation->readout, explanation->readout_size), "likeliest",
                     likeliest_json(step));
}
