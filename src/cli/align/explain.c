#include "cli/align/align.h"

#include "io/json.h"
#include "render/glyphs.h"
#include "text/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LABEL = 24, VECTOR_SHOWN = 4, BAR_WIDTH = 12 };

static const char subword_heading[] = "source subword";

static void write_label(Writer *out, const Glyphs *labels, size_t label)
{
    const Units *glyphs = &labels->glyphs;
    size_t begin = glyphs->begins[labels->labels.begins[label]];
    writer_bytes(out, labels->text.data + begin,
                 glyphs->ends[labels->labels.ends[label] - 1] - begin);
}

/* The formula, the first numbers, and how many there are: "D = 64". */
static void write_vector(Writer *out, const char *formula, const float *values, size_t count,
                         const char *letter)
{
    enum { FORMULA_WIDTH = 26 };
    size_t width = utf8_text_width(formula, strlen(formula));
    writer_string(out, formula);
    writer_repeat(out, " ", width < FORMULA_WIDTH ? FORMULA_WIDTH - width : 1);
    writer_string(out, "[");
    for (size_t i = 0; i < count && i < VECTOR_SHOWN; i++)
        writer_format(out, i ? " %7.4f" : "%7.4f", (double)values[i]);
    writer_format(out, "%s]  %s = %zu\n", count > VECTOR_SHOWN ? " …" : "", letter, count);
}

/* A bar of BAR_WIDTH columns for a weight of 1, in eighths of a column (U+2588 … U+258F). */
static void write_bar(Writer *out, float weight)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!(weight >= 0 && weight <= 1)) return; // a model whose numbers are not finite
    size_t length = (size_t)lrintf(weight * BAR_WIDTH * 8);
    if (length > 0) writer_string(out, " ");
    writer_repeat(out, "█", length / 8);
    writer_string(out, eighths[length % 8]);
}

/* Source subwords with their energies, if there are any, and their weights, both of one head. */
static void write_table(Writer *out, const ExplainedStep *step, size_t head, const Glyphs *subwords)
{
    const Explanation *explanation = step->explanation;
    const float *energies = explanation->energies, *weights = explanation->weights;
    const char *formula = step->scorer->energy_formula;
    size_t first = head * explanation->positions, energy_width = 0;
    int digits = snprintf(NULL, 0, "%zu", explanation->positions - 1);
    size_t label_width = sizeof subword_heading - 1 - (size_t)digits - 1;
    for (size_t j = 0; j < explanation->positions; j++) {
        size_t width = glyphs_label_width(subwords, j);
        if (width > label_width) label_width = width;
    }
    writer_string(out, subword_heading);
    writer_repeat(out, " ", (size_t)digits + 1 + label_width - (sizeof subword_heading - 1));
    if (energies) {
        energy_width = sizeof "e_tj = " - 1 + utf8_text_width(formula, strlen(formula));
        writer_format(out, "  e_tj = %s", formula);
    }
    writer_string(out, energies ? "  α_tj = softmax(e_t)\n" : "  α_tj = 1 / S\n");
    for (size_t j = 0; j < explanation->positions; j++) {
        writer_format(out, "%*zu ", digits, j);
        write_label(out, subwords, j);
        writer_repeat(out, " ", label_width - glyphs_label_width(subwords, j) + 2);
        if (energies) writer_format(out, "%*.4f  ", (int)energy_width, (double)energies[first + j]);
        writer_format(out, "%.4f", (double)weights[first + j]);
        write_bar(out, weights[first + j]);
        writer_string(out, "\n");
    }
}

static void write_step(Writer *out, const ExplainedStep *step, const Glyphs *source,
                       const Glyphs *target)
{
    const Explanation *explanation = step->explanation;
    char formula[160];
    writer_format(out, "pair %zu, target subword %zu: ", step->pair, step->target_subword);
    write_label(out, target, step->target_subword);
    writer_format(out, "    log p = %.4f\n", explanation->log_p);
    write_vector(out, explanation->conditional ? "s = s'_t" : "s = s_{t-1}", explanation->state,
                 explanation->state_size, "D");
    if (explanation->energies) {
        snprintf(formula, sizeof formula, "q_t = %s", step->scorer->query_formula);
        write_vector(out, formula, explanation->query, explanation->query_size,
                     step->scorer->query_width);
    } else {
        writer_string(out,
                      "no attention: there is no query, and all subwords have the same weight\n");
    }
    for (size_t k = 1; k <= explanation->heads; k++) {
        if (step->head && k != step->head) continue;
        writer_string(out, "\n");
        if (explanation->heads > 1)
            writer_format(out, "head %zu, its columns of q_t and of the keys\n", k);
        write_table(out, step, k - 1, source);
    }
    writer_string(out, "\n");
    snprintf(formula, sizeof formula, "c_t = %s", step->scorer->context_formula);
    write_vector(out, formula, explanation->context, explanation->context_size, "C");
}

void align_explain_write(Writer *out, const ExplainedStep *step)
{
    Glyphs source = {0}, target = {0};
    if (!out->status) out->status = glyphs_set(&source, step->source, MAX_LABEL, out->error);
    if (!out->status) out->status = glyphs_set(&target, step->target, MAX_LABEL, out->error);
    if (!out->status) write_step(out, step, &source, &target);
    glyphs_free(&source);
    glyphs_free(&target);
}

static json_t *numbers(const float *values, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) json_append(&list, json_number((double)values[i]));
    return list;
}

static json_t *spelling(Labels labels, size_t label)
{
    size_t begin = labels.units->begins[label];
    return json_stringn(labels.text + begin, labels.units->ends[label] - begin);
}

static json_t *spellings(Labels labels)
{
    json_t *list = json_array();
    for (size_t i = 0; i < labels.units->count; i++) json_append(&list, spelling(labels, i));
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
                                         energies ? numbers(energies + k * S, S) : json_null(),
                                         "weights", numbers(weights + k * S, S)));
    return list;
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
