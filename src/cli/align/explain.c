#include "cli/align/explain.h"

#include "render/glyphs.h"
#include "text/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LABEL = 24, VECTOR_SHOWN = 4, BAR_WIDTH = 12 };

static const char subword_heading[] = "source subword";

// What is being written, and the first failure.
typedef struct Page {
    Bytes *out;
    Error *error;
    Status status;
} Page;

static void add(Page *page, const char *text)
{
    if (!page->status) page->status = bytes_append_string(page->out, text, page->error);
}

static void add_spaces(Page *page, size_t count)
{
    while (count-- > 0) add(page, " ");
}

static size_t text_width(const char *text)
{
    size_t length = strlen(text), width = 0;
    for (size_t i = 0; i < length;) {
        uint32_t code_point;
        i += utf8_decode(text + i, length - i, &code_point, NULL);
        width += (size_t)utf8_width(code_point);
    }
    return width;
}

static void add_label(Page *page, const Glyphs *labels, size_t label)
{
    const Units *glyphs = &labels->glyphs;
    for (size_t g = labels->labels.begins[label]; g < labels->labels.ends[label]; g++)
        if (!page->status)
            page->status = bytes_append(page->out, labels->text.data + glyphs->begins[g],
                                        glyphs->ends[g] - glyphs->begins[g], page->error);
}

/* The formula, the first numbers, and how many there are: "D = 64". */
static void add_vector(Page *page, const char *formula, const float *values, size_t count,
                       const char *letter)
{
    enum { FORMULA_WIDTH = 26 };
    char text[48];
    size_t width = text_width(formula);
    add(page, formula);
    add_spaces(page, width < FORMULA_WIDTH ? FORMULA_WIDTH - width : 1);
    add(page, "[");
    for (size_t i = 0; i < count && i < VECTOR_SHOWN; i++) {
        snprintf(text, sizeof text, i ? " %7.4f" : "%7.4f", (double)values[i]);
        add(page, text);
    }
    snprintf(text, sizeof text, "%s]  %s = %zu\n", count > VECTOR_SHOWN ? " …" : "", letter, count);
    add(page, text);
}

/* A bar of BAR_WIDTH columns for a weight of 1, in eighths of a column (U+2588 … U+258F). */
static void add_bar(Page *page, float weight)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!(weight >= 0 && weight <= 1)) return; // a model whose numbers are not finite
    size_t length = (size_t)lrintf(weight * BAR_WIDTH * 8);
    if (length > 0) add(page, " ");
    for (size_t i = 0; i < length / 8; i++) add(page, "█");
    add(page, eighths[length % 8]);
}

/* Source subwords with their energies, if there are any, and their weights, both of one head. */
static void add_table(Page *page, const Explanation *explanation, size_t head,
                      const char *energy_formula, const Glyphs *subwords)
{
    const float *energies = explanation->energies, *weights = explanation->weights;
    size_t first = head * explanation->positions, energy_width = 0;
    char number[32];
    int digits = snprintf(number, sizeof number, "%zu", explanation->positions - 1);
    size_t label_width = sizeof subword_heading - 1 - (size_t)digits - 1;
    for (size_t j = 0; j < explanation->positions; j++) {
        size_t width = glyphs_label_width(subwords, j);
        if (width > label_width) label_width = width;
    }
    add(page, subword_heading);
    add_spaces(page, (size_t)digits + 1 + label_width - (sizeof subword_heading - 1));
    if (energies) {
        energy_width = sizeof "e_tj = " - 1 + text_width(energy_formula);
        add(page, "  e_tj = ");
        add(page, energy_formula);
    }
    add(page, energies ? "  α_tj = softmax(e_t)\n" : "  α_tj = 1 / S\n");
    for (size_t j = 0; j < explanation->positions; j++) {
        snprintf(number, sizeof number, "%*zu ", digits, j);
        add(page, number);
        add_label(page, subwords, j);
        add_spaces(page, label_width - glyphs_label_width(subwords, j) + 2);
        if (energies) {
            snprintf(number, sizeof number, "%.4f", (double)energies[first + j]);
            if (strlen(number) < energy_width) add_spaces(page, energy_width - strlen(number));
            add(page, number);
            add(page, "  ");
        }
        snprintf(number, sizeof number, "%.4f", (double)weights[first + j]);
        add(page, number);
        add_bar(page, weights[first + j]);
        add(page, "\n");
    }
}

static void add_page(Page *page, const Explanation *explanation, const AttentionScorer *scorer,
                     const Glyphs *source, const Glyphs *target, size_t step, size_t head)
{
    char text[160];
    snprintf(text, sizeof text, "target subword %zu: ", step);
    add(page, text);
    add_label(page, target, step);
    snprintf(text, sizeof text, "    log p = %.4f\n", explanation->log_p);
    add(page, text);
    add_vector(page, "s_{t-1}", explanation->state, explanation->state_size, "D");
    if (explanation->energies) {
        snprintf(text, sizeof text, "q_t = %s", scorer->query_formula);
        add_vector(page, text, explanation->query, explanation->query_size, scorer->query_width);
    } else {
        add(page, "no attention: nothing is asked and nothing computed, every subword counts the "
                  "same\n");
    }
    for (size_t k = 1; k <= explanation->heads; k++) {
        if (head && k != head) continue;
        add(page, "\n");
        if (explanation->heads > 1) {
            snprintf(text, sizeof text, "head %zu, its columns of q_t and of the keys\n", k);
            add(page, text);
        }
        add_table(page, explanation, k - 1, scorer->energy_formula, source);
    }
    add(page, "\n");
    snprintf(text, sizeof text, "c_t = %s", scorer->context_formula);
    add_vector(page, text, explanation->context, explanation->context_size, "2H");
}

Status align_explain_write(const Explanation *explanation, const AttentionScorer *scorer,
                           Labels source, Labels target, size_t step, size_t head, Bytes *out,
                           Error *error)
{
    Glyphs labels[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
    Page page = {.out = out, .error = error};
    page.status = glyphs_set(&labels[0], source, MAX_LABEL, error);
    if (!page.status) page.status = glyphs_set(&labels[1], target, MAX_LABEL, error);
    if (!page.status) add_page(&page, explanation, scorer, &labels[0], &labels[1], step, head);
    glyphs_free(&labels[0]);
    glyphs_free(&labels[1]);
    return page.status;
}
