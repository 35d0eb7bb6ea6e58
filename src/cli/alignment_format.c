#include "cli/alignment_format.h"

#include "base/array.h"
#include "base/memory.h"
#include "cli/terminal.h"
#include "render/alignment_json.h"
#include "text/special_tokens.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const alignment_formats[] = {"pharaoh", "soft", "heatmap", "svg", "html", NULL};

static Status spell(SubwordLabels *labels, int side, const Vocabulary *vocabulary,
                    const Subwords *subwords, Error *error)
{
    Bytes *spellings = &labels->spellings[side];
    Status status = STATUS_OK;
    bytes_clear(spellings);
    units_clear(&labels->subwords[side]);
    for (size_t i = 0; i <= subwords->count && !status; i++) {
        int32_t id = i < subwords->count ? subwords->ids[i] : TOKEN_EOS;
        size_t begin = spellings->length;
        status = bytes_append_string(spellings, vocabulary_spelling(vocabulary, id), error);
        if (!status)
            status = units_append(&labels->subwords[side], begin, spellings->length, error);
    }
    return status;
}

Status subword_labels_set(SubwordLabels *labels, const Translator *translator,
                          const Subwords *source, const Subwords *target, Error *error)
{
    Status status = spell(labels, 0, translator->source_vocabulary, source, error);
    return status ? status : spell(labels, 1, translator->target_vocabulary, target, error);
}

Labels subword_labels(const SubwordLabels *labels, int side)
{
    return (Labels){labels->spellings[side].data, &labels->subwords[side]};
}

void subword_labels_free(SubwordLabels *labels)
{
    for (int side = 0; side < 2; side++) {
        bytes_free(&labels->spellings[side]);
        units_free(&labels->subwords[side]);
    }
}

// The heads of a model's attention.
static size_t heads_of(const Model *model)
{
    DecoderSizes sizes = seq2seq_decoder_sizes(&model->config);
    return attention_widths(sizes.scorer, &sizes.attention).heads;
}

void alignment_writer_start(AlignmentWriter *writer, const AlignmentSetup *setup)
{
    const Translator *translator = setup->translator;
    const char *slash = strrchr(setup->model, '/'),
               *scorer = translator->model.params.decoder.scorer->name;
    size_t head = setup->head;
    *writer = (AlignmentWriter){
        .setup = *setup,
        .page = {.model = slash ? slash + 1 : setup->model,
                 .attention = writer->attention,
                 .units = {units_kind_name(setup->units[0]), units_kind_name(setup->units[1])},
                 .heads = head ? 1 : heads_of(&translator->model)},
    };
    if (head)
        snprintf(writer->attention, sizeof writer->attention, "head %zu of %s", head, scorer);
    else
        snprintf(writer->attention, sizeof writer->attention, "%s", scorer);
}

static Labels words(const Bytes *text, const Units *units)
{
    return (Labels){text->data ? text->data : "", units};
}

static SoftSide side(const Subwords *subwords, const Units *units)
{
    return (SoftSide){.ends = subwords->ends, .subwords = subwords->count, .units = units};
}

/* The attention among the subwords with </s>, (matrices, target, source); zeros for a pair without
 * any. `count` is the size of a matrix. */
static Status find_alpha(AlignmentWriter *writer, const Rendering *rendering, size_t count,
                         const float **alpha, Error *error)
{
    *alpha = rendering->alpha;
    if (*alpha) return STATUS_OK;
    count *= html_matrices(writer->page.heads);
    Status status =
        array_reserve(&writer->zeros, &writer->zero_capacity, count, "an alignment", error);
    if (status) return status;
    memset(writer->zeros, 0, count * sizeof *writer->zeros);
    *alpha = writer->zeros;
    return STATUS_OK;
}

// Sets writer->views: the alignment's matrix, and those of the heads, also converted to words.
static Status set_views(AlignmentWriter *writer, const Translation *translation,
                        const Rendering *rendering, const Alignment *alignment, const float *alpha,
                        Error *error)
{
    size_t matrices = html_matrices(writer->page.heads);
    const Subwords *source = &translation->source_subwords, *target = &rendering->subwords;
    size_t size = (source->count + 1) * (target->count + 1);
    if (!writer->views) {
        writer->views = memory_new(2 * matrices, sizeof *writer->views);
        writer->heads = memory_new(matrices - 1, sizeof *writer->heads);
        if (!writer->views || !writer->heads)
            return error_memory(error, matrices * sizeof *writer->heads, "alignments");
    }
    Status status = STATUS_OK;
    writer->views[0] = alignment->soft.weights;
    for (size_t i = 0; i < matrices && !status; i++) {
        writer->views[matrices + i] = alpha + i * size;
        if (i == 0) continue;
        SoftAlignment *head = &writer->heads[i - 1];
        status =
            soft_alignment_set(head, alpha + i * size, side(source, &alignment->source_units),
                               side(target, &alignment->target_units), writer->setup.shift, error);
        writer->views[i] = head->weights;
    }
    return status;
}

// JSON and pages, which show both words and subwords.
static Status write_both(Writer *out, AlignmentWriter *writer, const Translation *translation,
                         const Rendering *rendering, const Alignment *alignment,
                         const Picture *picture)
{
    const Subwords *source = &translation->source_subwords, *target = &rendering->subwords;
    const float *alpha;
    size_t size = (source->count + 1) * (target->count + 1);
    Status status = find_alpha(writer, rendering, size, &alpha, out->error);
    if (!status)
        status = subword_labels_set(&writer->labels, writer->setup.translator, source, target,
                                    out->error);
    if (!status) status = set_views(writer, translation, rendering, alignment, alpha, out->error);
    if (status) return status;
    Labels subwords[2] = {subword_labels(&writer->labels, 0), subword_labels(&writer->labels, 1)};
    if (writer->setup.format == ALIGNMENT_HTML) {
        const float **subword_views = writer->views + html_matrices(writer->page.heads);
        HtmlPair pair = {.words = {picture->source, picture->target, writer->views},
                         .subwords = {subwords[0], subwords[1], subword_views}};
        if (writer->pairs == 0) html_begin(out, &writer->page);
        html_add(out, &writer->page, &pair, writer->pairs);
    } else {
        alignment_json_write(out, &(AlignmentJson){.weights = alpha,
                                                   .source_subwords = subwords[0],
                                                   .target_subwords = subwords[1],
                                                   .source_words = picture->source,
                                                   .target_words = picture->target,
                                                   .links = &alignment->links});
    }
    return STATUS_OK;
}

static Status write_pair(Writer *out, AlignmentWriter *writer, const Translation *translation,
                         const Rendering *rendering, const Alignment *alignment)
{
    Picture picture = {.weights = alignment->soft.weights,
                       .source = words(&translation->source, &alignment->source_units),
                       .target = words(&rendering->text, &alignment->target_units)};
    switch (writer->setup.format) {
    case ALIGNMENT_PHARAOH:
        links_write(out, &alignment->links);
        writer_string(out, "\n");
        return STATUS_OK;
    case ALIGNMENT_HEATMAP:
        terminal_heatmap(out, &picture, STDOUT_FILENO);
        writer_string(out, "\n");
        return STATUS_OK;
    case ALIGNMENT_SVG:
        return svg_add(&writer->svg, &picture, out->error);
    case ALIGNMENT_SOFT:
    case ALIGNMENT_HTML:
        break;
    }
    return write_both(out, writer, translation, rendering, alignment, &picture);
}

Status alignment_writer_write(AlignmentWriter *writer, const Translation *translation,
                              const Rendering *rendering, const Alignment *alignment,
                              Output *output, Error *error)
{
    Writer out = output_start(output, error);
    Status status = write_pair(&out, writer, translation, rendering, alignment);
    if (!out.status) out.status = status;
    if (!out.status) writer->pairs++;
    return output_end(output, &out);
}

static void finish_svg(Writer *out, const AlignmentWriter *writer)
{
    Bytes text = {0};
    Writer title = writer_start(&text, out->error);
    writer_format(&title, "Alignments by %s, %s attention, %zu pair%s", writer->page.model,
                  writer->page.attention, writer->pairs, writer->pairs == 1 ? "" : "s");
    out->status = writer_end(&title);
    if (!out->status) svg_write(out, &writer->svg, text.data);
    bytes_free(&text);
}

Status alignment_writer_finish(AlignmentWriter *writer, bool failed, Output *output, Error *error)
{
    bool document = writer->setup.format == ALIGNMENT_SVG || writer->setup.format == ALIGNMENT_HTML;
    if (!document || (failed && writer->pairs == 0)) return STATUS_OK;
    Writer out = output_start(output, error);
    if (writer->setup.format == ALIGNMENT_SVG) {
        finish_svg(&out, writer);
    } else {
        if (writer->pairs == 0) html_begin(&out, &writer->page);
        html_end(&out);
    }
    return output_end(output, &out);
}

void alignment_writer_free(AlignmentWriter *writer)
{
    svg_free(&writer->svg);
    subword_labels_free(&writer->labels);
    for (size_t i = 1; i < html_matrices(writer->page.heads) && writer->heads; i++)
        soft_alignment_free(&writer->heads[i - 1]);
    memory_free(writer->heads);
    memory_free(writer->views);
    memory_free(writer->zeros);
    *writer = (AlignmentWriter){0};
}
