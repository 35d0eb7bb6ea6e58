#include "render/beam_tree.h"

#include "base/array.h"
#include "io/json.h"
#include "text/utf8.h"

#include <math.h>

// A node's numbers.
typedef struct NodeFigures {
    double token_log_p, score, margin; // margin: by which it was beaten
} NodeFigures;

static NodeFigures figures_of(const BeamTreeView *view, size_t i)
{
    const BeamNode *nodes = view->tree->nodes, *node = &nodes[i];
    NodeFigures figures = {
        .token_log_p = node->log_p - (node->before == NO_NODE ? 0 : nodes[node->before].log_p),
        .score = node->log_p / pow((double)node->step + 1, view->tree->length_normalization)};
    if (node->beaten_by != NO_NODE) figures.margin = nodes[node->beaten_by].log_p - node->log_p;
    return figures;
}

static json_t *place_json(int32_t place)
{
    return place == NO_NODE ? json_null() : json_integer(place);
}

json_t *beam_tree_json(const BeamTreeView *view)
{
    json_t *list = json_array();
    for (size_t i = 0; i < view->tree->count; i++) {
        const BeamNode *node = &view->tree->nodes[i];
        const NodeFigures figures = figures_of(view, i);
        bool beaten = node->beaten_by != NO_NODE;
        json_append(&list, json_pack("{sI so ss so so so so so so}", "step", (json_int_t)node->step,
                                     "before", place_json(node->before), "token",
                                     vocabulary_spelling(view->vocabulary, node->token),
                                     "log_probability", json_number(figures.token_log_p), "sum",
                                     json_number(node->log_p), "score", json_number(figures.score),
                                     "beaten_by", place_json(node->beaten_by), "by",
                                     beaten ? json_number(figures.margin) : json_null(), "rank",
                                     node->rank ? json_integer(node->rank) : json_null()));
    }
    return list;
}

enum { COLUMN = 110, ROW = 22, MARGIN = 12, BOX = 90, LABEL = 10 };

typedef struct TreeDrawing {
    Writer *out;
    const BeamTreeView *view;
    size_t *rows; // (nodes) each node's place among those of its step
    bool *found;  // (nodes) whether it is part of a hypothesis that was found
    size_t top, steps, most_rows;
} TreeDrawing;

static bool is_before(const BeamNode *a, const BeamNode *b)
{
    bool beaten_a = a->beaten_by != NO_NODE, beaten_b = b->beaten_by != NO_NODE;
    return beaten_a != beaten_b ? beaten_b : a->log_p > b->log_p;
}

// Those in the beam by their log p, and below them those that were beaten.
static void place_nodes(TreeDrawing *drawing)
{
    const BeamTree *tree = drawing->view->tree;
    for (size_t i = 0; i < tree->count; i++) {
        const BeamNode *node = &tree->nodes[i];
        for (size_t j = 0; j < tree->count; j++)
            if (tree->nodes[j].step == node->step && j != i &&
                (is_before(&tree->nodes[j], node) || (j < i && !is_before(node, &tree->nodes[j]))))
                drawing->rows[i]++;
        if (node->step + 1 > drawing->steps) drawing->steps = node->step + 1;
        if (drawing->rows[i] + 1 > drawing->most_rows) drawing->most_rows = drawing->rows[i] + 1;
        for (int32_t at = (int32_t)i; node->rank && at != NO_NODE; at = tree->nodes[at].before)
            drawing->found[at] = true;
    }
}

static size_t x_of(const BeamNode *node)
{
    return MARGIN + node->step * COLUMN;
}

static size_t y_of(const TreeDrawing *drawing, size_t i)
{
    return drawing->top + drawing->rows[i] * ROW;
}

static void write_number(Writer *out, double value)
{
    if (!isfinite(value)) {
        writer_string(out, "∞");
        return;
    }
    if (value < 0 && llround(value * 1000) != 0) writer_string(out, "−");
    writer_fixed(out, fabs(value), 3);
}

static void write_spelling(Writer *out, const BeamTreeView *view, const BeamNode *node, size_t most)
{
    const char *spelling = vocabulary_spelling(view->vocabulary, node->token);
    size_t length = strlen(spelling), end = 0;
    for (size_t count = 0; end < length && count < most; count++)
        (void)utf8_next(spelling, length, &end);
    writer_markup(out, spelling, end, true);
    if (end < length) writer_string(out, "…");
}

static void write_figures(Writer *out, const BeamTreeView *view, size_t i)
{
    const BeamNode *node = &view->tree->nodes[i];
    const NodeFigures figures = figures_of(view, i);
    writer_string(out, "<title>");
    write_spelling(out, view, node, SIZE_MAX);
    writer_string(out, ": log p ");
    write_number(out, figures.token_log_p);
    writer_string(out, ", sum ");
    write_number(out, node->log_p);
    writer_string(out, ", score ");
    write_number(out, figures.score);
    if (node->rank) writer_format(out, ", number %u of those found", (unsigned)node->rank);
    if (node->beaten_by != NO_NODE) {
        writer_string(out, ", beaten by ");
        write_spelling(out, view, &view->tree->nodes[node->beaten_by], SIZE_MAX);
        writer_string(out, " by ");
        write_number(out, figures.margin);
    }
    writer_string(out, "</title>");
}

static void draw_node(TreeDrawing *drawing, size_t i)
{
    Writer *out = drawing->out;
    const BeamNode *nodes = drawing->view->tree->nodes, *node = &nodes[i];
    size_t x = x_of(node), y = y_of(drawing, i);
    const char *opacity = drawing->found[i] ? "1" : node->beaten_by == NO_NODE ? "0.6" : "0.3";
    writer_format(out, "<g opacity=\"%s\">", opacity);
    if (node->before != NO_NODE)
        writer_format(out, "<path d=\"M%zu %zuL%zu %zu\" stroke=\"#3d6fb5\" stroke-width=\"%d\"/>",
                      x_of(&nodes[node->before]) + BOX,
                      y_of(drawing, (size_t)node->before) + ROW / 2, x, y + ROW / 2,
                      drawing->found[i] ? 2 : 1);
    writer_format(out,
                  "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"#3d6fb5\" "
                  "fill-opacity=\"0.15\"/><text x=\"%zu\" y=\"%zu\">",
                  x, y + 2, BOX, ROW - 4, x + 6, y + 15);
    write_spelling(out, drawing->view, node, LABEL);
    writer_string(out, "</text>");
    write_figures(out, drawing->view, i);
    writer_string(out, "</g>\n");
}

Status beam_tree_svg_add(Svg *svg, const BeamTreeView *view, Error *error)
{
    Writer out = writer_start(&svg->body, error);
    size_t count = view->tree->count;
    FREED size_t *rows = NULL;
    FREED bool *found = NULL;
    svg->no_weights = true;
    if (count == 0) return STATUS_OK;
    TRY(array_new(&rows, count, "a drawing", error));
    TRY(array_new(&found, count, "a drawing", error));
    TreeDrawing drawing = {&out, view, rows, found, .top = svg->height + MARGIN};
    place_nodes(&drawing);
    for (size_t i = 0; i < count && !out.status; i++) draw_node(&drawing, i);
    TRY(writer_end(&out));
    size_t right = MARGIN + drawing.steps * COLUMN;
    if (right > svg->width) svg->width = right;
    svg->height = drawing.top + drawing.most_rows * ROW + MARGIN;
    return STATUS_OK;
}
