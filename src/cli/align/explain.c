#include "cli/align/align.h"

#include "render/glyphs.h"
#include "text/utf8.h"

#include <math.h>
#include <stdio.h>

enum { MAX_LABEL = 24, VECTOR_SHOWN = 4, BAR_WIDTH = 12, FORMULA_WIDTH = 26, PAGE_WIDTH = 80 };

static const char subword_heading[] = "source subword";

static void write_label(Writer *out, const Glyphs *labels, size_t label)
{
    const TextView text = glyphs_text(labels, labels->labels.items[label]);
    writer_bytes(out, text.data, text.length);
}

/* The formula, the first numbers, and how many there are: "D = 64". */
static void write_vector(Writer *out, const char *formula, const float *values, size_t count,
                         const char *letter)
{
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
    size_t widest = glyphs_widest_label(subwords);
    if (widest > label_width) label_width = widest;
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

// The gates of each transition, and the readout.
static void write_decoder(Writer *out, const ExplainedStep *step)
{
    const Explanation *explanation = step->explanation;
    size_t D = explanation->state_size, transitions = explanation->conditional ? 2 : 1;
    for (size_t i = 0; i < 2 * transitions; i++) {
        char formula[32];
        snprintf(formula, sizeof formula, "gate %c of s%s_t", i % 2 ? 'z' : 'r',
                 i + 2 < 2 * transitions ? "'" : "");
        write_vector(out, formula, explanation->gates + i * D, D, "D");
    }
    write_vector(out, "readout r_t", explanation->readout, explanation->readout_size, "E");
}

// In lines of at most PAGE_WIDTH columns, so that no terminal breaks a number.
static void write_likeliest(Writer *out, const ExplainedStep *step, const Glyphs *likeliest)
{
    size_t column = FORMULA_WIDTH;
    writer_string(out, "p = softmax(E_out r_t + b)");
    for (size_t i = 0; i < step->explanation->likeliest_count; i++) {
        size_t width = glyphs_label_width(likeliest, i) + strlen("   0.1234");
        bool full = i && column + width > PAGE_WIDTH;
        if (full) writer_format(out, "\n%*s", FORMULA_WIDTH, "");
        writer_string(out, i && !full ? "  " : " ");
        column = (full ? FORMULA_WIDTH : column) + width;
        write_label(out, likeliest, i);
        writer_format(out, " %.4f", exp((double)step->explanation->likeliest[i].log_p));
    }
    writer_string(out, "\n");
}

static void write_step(Writer *out, const ExplainedStep *step, const Glyphs *source,
                       const Glyphs *target, const Glyphs *likeliest)
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
    write_decoder(out, step);
    write_likeliest(out, step, likeliest);
}

void align_explain_write(Writer *out, const ExplainedStep *step)
{
    FREED_BY(glyphs_free) Glyphs source = {0}, target = {0}, likeliest = {0};
    if (!out->status) out->status = glyphs_set(&source, step->source, MAX_LABEL, out->error);
    if (!out->status) out->status = glyphs_set(&target, step->target, MAX_LABEL, out->error);
    if (!out->status) out->status = glyphs_set(&likeliest, step->likeliest, MAX_LABEL, out->error);
    if (!out->status) write_step(out, step, &source, &target, &likeliest);
}
