#include "cli/align/posterior_writer.h"

#include "cli/terminal.h"
#include "render/alignment_json.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const char title[] = "the statistical aligner";

void aligned_pair_free(AlignedPair *pair)
{
    for (int s = 0; s < 2; s++) aligner_text_free(&pair->texts[s]);
    soft_alignment_free(&pair->tokens);
    soft_alignment_free(&pair->units);
    links_free(&pair->links);
}

Status posterior_writer_start(PosteriorWriter *writer, const AlignValues *values, Output *output,
                              Error *error)
{
    const char *file = values->aligner ? values->aligner : title, *slash = strrchr(file, '/');
    writer->values = values;
    writer->output = output;
    writer->page = (HtmlPage){.model = slash ? slash + 1 : file, .attention = "", .heads = 1};
    return link_output_start(&writer->links, values, output, error);
}

/* `0-0:0.9731 1-2:0.5002`, in whole numbers because a decimal point follows the user's locale. */
static void write_probabilities(Writer *out, const AlignedPair *pair)
{
    enum { UNIT = 10000 };
    for (size_t i = 0; i < pair->links.count; i++) {
        Link link = pair->links.items[i];
        float p = pair->units.weights[link.target * pair->units.sources + link.source];
        long scaled = lround(fmin(1, (double)p) * UNIT);
        writer_format(out, "%s%u-%u:%ld.%04ld", i ? " " : "", link.source, link.target,
                      scaled / UNIT, scaled % UNIT);
    }
    writer_string(out, "\n");
}

static Labels labels_of(const AlignedPair *pair, int side, const Units *units)
{
    return (Labels){pair->sides[side].data, units};
}

static void write_both(Writer *out, PosteriorWriter *writer, const AlignedPair *pair,
                       const Picture *words)
{
    const float *weights[2] = {words->weights, pair->tokens.weights};
    Labels tokens[2];
    for (int s = 0; s < 2; s++) tokens[s] = labels_of(pair, s, &pair->texts[s].tokens.places);
    if (writer->values->format == ALIGNMENT_SOFT) {
        alignment_json_write(out, &(AlignmentJson){.weights = weights[1],
                                                   .source_subwords = tokens[0],
                                                   .target_subwords = tokens[1],
                                                   .source_words = words->source,
                                                   .target_words = words->target,
                                                   .links = &pair->links});
        return;
    }
    HtmlPair page = {.words = {words->source, words->target, &weights[0]},
                     .subwords = {tokens[0], tokens[1], &weights[1]}};
    if (writer->pairs == 0) html_begin(out, &writer->page);
    html_add(out, &writer->page, &page, writer->pairs);
}

static Status write_picture(PosteriorWriter *writer, const AlignedPair *pair, Error *error)
{
    Picture picture = {.weights = pair->units.weights,
                       .source = labels_of(pair, 0, &pair->texts[0].units),
                       .target = labels_of(pair, 1, &pair->texts[1].units)};
    AlignmentFormat format = writer->values->format;
    if (format == ALIGNMENT_SVG) return svg_add(&writer->svg, &picture, error);
    // a heat-map's colours steer the terminal, and its labels are harmless (render/glyphs.h)
    if (format == ALIGNMENT_HEATMAP) writer->output->guarded = false;
    Writer out = output_start(writer->output, error);
    if (format == ALIGNMENT_PHARAOH) {
        write_probabilities(&out, pair);
    } else if (format == ALIGNMENT_HEATMAP) {
        terminal_heatmap(&out, &picture, STDOUT_FILENO);
        writer_string(&out, "\n");
    } else {
        write_both(&out, writer, pair, &picture);
    }
    return output_end(writer->output, &out);
}

Status posterior_writer_add(PosteriorWriter *writer, const AlignedPair *pair, Error *error)
{
    const AlignValues *values = writer->values;
    for (int s = 0; s < 2; s++) writer->page.units[s] = unit_kind_names[writer->units[s]];
    bool links_only =
        values->gold || (values->format == ALIGNMENT_PHARAOH && !values->probabilities);
    if (links_only)
        return link_output_add(&writer->links, &pair->links, pair->texts[0].units.count,
                               pair->texts[1].units.count, error);
    TRY(write_picture(writer, pair, error));
    writer->pairs++;
    return STATUS_OK;
}

Status posterior_writer_finish(PosteriorWriter *writer, const char *file, Error *error)
{
    AlignmentFormat format = writer->values->format;
    if (writer->values->gold) return link_output_finish(&writer->links, file, writer->units, error);
    if (format != ALIGNMENT_SVG && format != ALIGNMENT_HTML) return STATUS_OK;
    for (int s = 0; s < 2; s++) writer->page.units[s] = unit_kind_names[writer->units[s]];
    Writer out = output_start(writer->output, error);
    if (format == ALIGNMENT_SVG) {
        svg_write(&out, &writer->svg, "Alignments by the statistical aligner");
    } else {
        if (writer->pairs == 0) html_begin(&out, &writer->page);
        html_end(&out);
    }
    return output_end(writer->output, &out);
}

void posterior_writer_free(PosteriorWriter *writer)
{
    svg_free(&writer->svg);
    link_output_free(&writer->links);
}
