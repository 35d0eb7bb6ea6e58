#include "cli/alignment_format.h"

#include "align/soft_json.h"
#include "base/memory.h"
#include "cli/heatmap_style.h"

#include <string.h>
#include <unistd.h>

const char *const alignment_formats[] = {"pharaoh", "soft", "heatmap", "svg", "html", NULL};

void alignment_writer_start(AlignmentWriter *writer, AlignmentFormat format,
                            const Translator *translator, const char *model,
                            const UnitKind units[2])
{
    const char *slash = strrchr(model, '/');
    *writer = (AlignmentWriter){
        .format = format,
        .translator = translator,
        .page = {.model = slash ? slash + 1 : model,
                 .attention = translator->model.params.decoder.scorer->name,
                 .units = {units_kind_name(units[0]), units_kind_name(units[1])},
                 .heads = 1},
        .style = heatmap_style_of(STDOUT_FILENO),
        .columns = terminal_is(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0,
    };
}

static Labels words(const Bytes *text, const Units *units)
{
    return (Labels){text->data ? text->data : "", units};
}

/* The attention among the pieces (target, source), </s> counted; zeros where there was none. */
static Status find_alpha(AlignmentWriter *writer, const Rendering *rendering, size_t count,
                         const float **alpha, Error *error)
{
    *alpha = rendering->alpha;
    if (*alpha) return STATUS_OK;
    if (count > writer->zero_capacity) {
        float *zeros = memory_resize(writer->zeros, count, sizeof *zeros);
        if (!zeros) return error_memory(error, count * sizeof *zeros, "an alignment");
        memset(zeros, 0, count * sizeof *zeros);
        writer->zeros = zeros;
        writer->zero_capacity = count;
    }
    *alpha = writer->zeros;
    return STATUS_OK;
}

/* JSON and pages, which show words and pieces. */
static Status write_both(AlignmentWriter *writer, const Translation *translation,
                         const Rendering *rendering, const Alignment *alignment, Error *error)
{
    const Pieces *source = &translation->source_pieces, *target = &rendering->pieces;
    size_t count = (source->count + 1) * (target->count + 1);
    const float *alpha;
    Status status = find_alpha(writer, rendering, count, &alpha, error);
    if (!status)
        status = piece_labels_set(&writer->labels, writer->translator, source, target, error);
    if (status) return status;
    const float *const pieces[] = {alpha}, *const units[] = {alignment->soft.weights};
    HtmlPair pair = {
        .words = {words(&translation->source, &alignment->source_units),
                  words(&rendering->text, &alignment->target_units), units},
        .pieces = {piece_labels(&writer->labels, 0), piece_labels(&writer->labels, 1), pieces},
    };
    if (writer->format == ALIGNMENT_HTML)
        return html_add(&writer->page, &pair, writer->pairs, &writer->text, error);
    SoftPair soft = {
        .weights = alpha,
        .source_pieces = pair.pieces.source,
        .target_pieces = pair.pieces.target,
        .source_words = pair.words.source,
        .target_words = pair.words.target,
        .links = &alignment->links,
    };
    return soft_json_write(&soft, &writer->text, error);
}

static Status write_drawing(AlignmentWriter *writer, const Translation *translation,
                            const Rendering *rendering, const Alignment *alignment, Error *error)
{
    Labels source = words(&translation->source, &alignment->source_units);
    Labels target = words(&rendering->text, &alignment->target_units);
    const float *weights = alignment->soft.weights;
    if (writer->format == ALIGNMENT_SVG)
        return svg_add(&writer->svg, weights, source, target, error);
    Status status = heatmap_write(weights, source, target, writer->style, writer->columns,
                                  &writer->text, error);
    return status ? status : bytes_append(&writer->text, "\n", 1, error);
}

Status alignment_writer_write(AlignmentWriter *writer, const Translation *translation,
                              const Rendering *rendering, const Alignment *alignment,
                              Output *output, Error *error)
{
    Status status = STATUS_OK;
    bytes_clear(&writer->text);
    if (writer->format == ALIGNMENT_HTML && writer->pairs == 0)
        status = html_begin(&writer->page, &writer->text, error);
    if (status) return status;
    switch (writer->format) {
    case ALIGNMENT_PHARAOH:
        status = links_write_pharaoh(&alignment->links, &writer->text, error);
        if (!status) status = bytes_append(&writer->text, "\n", 1, error);
        break;
    case ALIGNMENT_SOFT:
    case ALIGNMENT_HTML:
        status = write_both(writer, translation, rendering, alignment, error);
        break;
    case ALIGNMENT_HEATMAP:
    case ALIGNMENT_SVG:
        status = write_drawing(writer, translation, rendering, alignment, error);
        break;
    }
    if (status) return status;
    writer->pairs++;
    if (writer->text.length == 0) return STATUS_OK;
    return output_write(output, writer->text.data, writer->text.length, error);
}

static Status finish_svg(AlignmentWriter *writer, Error *error)
{
    Bytes title = {0};
    Status status = bytes_append_format(&title, error, "Alignments by %s, %s attention, %zu pair%s",
                                        writer->page.model, writer->page.attention, writer->pairs,
                                        writer->pairs == 1 ? "" : "s");
    if (!status) status = svg_write(&writer->svg, title.data, &writer->text, error);
    bytes_free(&title);
    return status;
}

Status alignment_writer_finish(AlignmentWriter *writer, bool failed, Output *output, Error *error)
{
    bool document = writer->format == ALIGNMENT_SVG || writer->format == ALIGNMENT_HTML;
    if (!document || (failed && writer->pairs == 0)) return STATUS_OK;
    Status status = STATUS_OK;
    bytes_clear(&writer->text);
    if (writer->format == ALIGNMENT_SVG) {
        status = finish_svg(writer, error);
    } else {
        if (writer->pairs == 0) status = html_begin(&writer->page, &writer->text, error);
        if (!status) status = html_end(&writer->text, error);
    }
    return status ? status : output_write(output, writer->text.data, writer->text.length, error);
}

void alignment_writer_free(AlignmentWriter *writer)
{
    svg_free(&writer->svg);
    piece_labels_free(&writer->labels);
    memory_free(writer->zeros);
    bytes_free(&writer->text);
    *writer = (AlignmentWriter){0};
}
