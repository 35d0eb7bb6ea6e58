#include "cli/alignment_writer.h"

#include "cli/terminal.h"

#include <math.h>
#include <unistd.h>

const char *const alignment_formats[] = {"pharaoh", "soft", "heatmap", "svg", "html", NULL};

static void write_probabilities(Writer *out, const AlignedPair *pair)
{
    const Labels *sources = &pair->words.source;
    assert(pair->words.weights); // a writer with probabilities is given them
    for (size_t i = 0; i < pair->links->count; i++) {
        Link link = pair->links->items[i];
        float p = pair->words.weights[0][link.target * sources->units->count + link.source];
        writer_format(out, "%s%u-%u:", i ? " " : "", link.source, link.target);
        writer_fixed(out, fmin(1, (double)p), 4);
    }
}

static void write_pair(Writer *out, AlignmentWriter *writer, const AlignedPair *pair)
{
    const AlignmentView *words = &pair->words;
    Picture picture = {.source = words->source, .target = words->target};
    if (words->weights) picture.weights = words->weights[0];
    switch (writer->format) {
    case ALIGNMENT_PHARAOH:
        if (writer->probabilities)
            write_probabilities(out, pair);
        else
            links_write(out, pair->links);
        writer_string(out, "\n");
        break;
    case ALIGNMENT_HEATMAP:
        terminal_heatmap(out, &picture, STDOUT_FILENO);
        writer_string(out, "\n");
        break;
    case ALIGNMENT_SVG:
        if (!out->status) out->status = svg_add(&writer->svg, &picture, out->error);
        break;
    case ALIGNMENT_SOFT:
        alignment_json_write(out, pair);
        break;
    case ALIGNMENT_HTML:
        if (writer->pairs == 0) html_begin(out, &writer->page);
        html_add(out, &writer->page, pair, writer->pairs);
        break;
    }
}

Status alignment_writer_add(AlignmentWriter *writer, const AlignedPair *pair, Error *error)
{
    bool more;
    const AlignmentView *words = &pair->words;
    if (writer->gold.reader) {
        writer->pairs++;
        return gold_add(&writer->gold, pair->links, words->source.units->count,
                        words->target.units->count, &more, error);
    }
    // a heat-map's colours steer the terminal, and its labels are harmless (render/glyphs.h)
    if (writer->format == ALIGNMENT_HEATMAP) writer->output->guarded = false;
    Writer out = output_start(writer->output, error);
    write_pair(&out, writer, pair);
    if (!out.status) writer->pairs++;
    return output_end(writer->output, &out);
}

static void finish_svg(Writer *out, const AlignmentWriter *writer)
{
    const HtmlPage *page = &writer->page;
    FREED_BY(bytes_free) Bytes text = {0};
    Writer title = writer_start(&text, out->error);
    if (*page->attention)
        writer_format(&title, "Alignments by %s, %s%s, %zu pair%s", page->model,
                      page->shows ? page->shows : page->attention, page->shows ? "" : " attention",
                      writer->pairs, plural(writer->pairs));
    else
        writer_string(&title, "Alignments by the statistical aligner");
    out->status = writer_end(&title);
    if (!out->status) svg_write(out, &writer->svg, text.data);
}

Status alignment_writer_finish(AlignmentWriter *writer, Status status, Error *error)
{
    bool document = writer->format == ALIGNMENT_SVG || writer->format == ALIGNMENT_HTML;
    // whatever else fails leaves a beginning of the document
    bool complete = !status || (status == STATUS_FORMAT && writer->pairs > 0);
    if (!document || !complete) return status;
    Writer out = output_start(writer->output, status ? NULL : error);
    if (writer->format == ALIGNMENT_SVG) {
        finish_svg(&out, writer);
    } else {
        if (writer->pairs == 0) html_begin(&out, &writer->page);
        html_end(&out);
    }
    Status finished = output_end(writer->output, &out);
    return status ? status : finished;
}

static void write_result(Writer *out, const AlignmentWriter *writer)
{
    const AerCounts *counts = &writer->gold.counts;
    const UnitKind *units = writer->page.units;
    writer_format(out,
                  "AER %.2f %%  precision %.2f %%  recall %.2f %%  (%zu pairs: %zu links; "
                  "gold: %zu sure, %zu possible; %s, %s)\n",
                  100 * aer(counts), 100 * aer_precision(counts), 100 * aer_recall(counts),
                  writer->pairs, counts->links, counts->sure, writer->gold.possible_links,
                  unit_kind_names[units[0]], unit_kind_names[units[1]]);
}

static json_t *result_json(const AlignmentWriter *writer)
{
    const AerCounts *counts = &writer->gold.counts;
    const UnitKind *units = writer->page.units;
    return json_pack("{sfsfsfsIsIsIsIssss}", "alignment_error_rate", aer(counts), "precision",
                     aer_precision(counts), "recall", aer_recall(counts), "pairs",
                     (json_int_t)writer->pairs, "links", (json_int_t)counts->links, "sure",
                     (json_int_t)counts->sure, "possible", (json_int_t)writer->gold.possible_links,
                     "source_units", unit_kind_names[units[0]], "target_units",
                     unit_kind_names[units[1]]);
}

Status alignment_writer_finish_gold(AlignmentWriter *writer, const char *file, bool json,
                                    Error *error)
{
    const char *name = strcmp(file, "-") == 0 ? "standard input" : file;
    TRY(gold_end(&writer->gold, writer->pairs, name, error));
    if (json)
        return output_json(writer->output, result_json(writer), JSON_REAL_PRECISION(6), error);
    Writer out = output_start(writer->output, error);
    write_result(&out, writer);
    return output_end(writer->output, &out);
}

void alignment_writer_free(AlignmentWriter *writer)
{
    svg_free(&writer->svg);
    gold_close(&writer->gold);
}
