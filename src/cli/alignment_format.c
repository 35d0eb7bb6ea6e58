#include "cli/alignment_format.h"

#include "base/array.h"
#include "base/memory.h"
#include "cli/terminal.h"
#include "render/alignment_json.h"
#include "text/special_tokens.h"
#include "translate/alignment_join.h"
#include "translate/placeholders.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SPELT_SPACE "▁" // U+2581, as in text/vocabulary.h

const char *const alignment_formats[] = {"pharaoh", "soft", "heatmap", "svg", "html", NULL};

// Whether a subword has a placeholder, in whose place the text has something else.
static bool has_placeholder(const char *spelling)
{
    for (size_t at = 0, length = strlen(spelling); at < length;)
        if (placeholder_next(spelling, length, &at) < MAX_PLACEHOLDERS) return true;
    return false;
}

// Appends the text that a subword stands for, as subwords are spelt.
static Status spell_text(Bytes *spellings, const char *spelling, TextView text, Error *error)
{
    bool spaced = text.data[0] == ' ';
    if (!spaced && !strncmp(spelling, SPELT_SPACE, strlen(SPELT_SPACE)))
        TRY(bytes_append_string(spellings, SPELT_SPACE, error));
    for (size_t i = 0; i < text.length; i++) {
        bool space = text.data[i] == ' ';
        TRY(bytes_append(spellings, space ? SPELT_SPACE : &text.data[i],
                         space ? strlen(SPELT_SPACE) : 1, error));
    }
    return STATUS_OK;
}

static Status spell(SubwordLabels *labels, int side, const Vocabulary *vocabulary,
                    const Bytes *text, const Subwords *subwords, Error *error)
{
    Bytes *spellings = &labels->spellings[side];
    bytes_clear(spellings);
    units_clear(&labels->subwords[side]);
    for (size_t i = 0; i <= subwords->count; i++) {
        bool ends = i == subwords->count;
        const char *spelling = vocabulary_spelling(vocabulary, ends ? TOKEN_EOS : subwords->ids[i]);
        size_t begin = spellings->length, from = i > 0 ? subwords->ends[i - 1] : 0;
        const TextView part = {bytes_text(text) + from, ends ? 0 : subwords->ends[i] - from};
        if (part.length > 0 && has_placeholder(spelling))
            TRY(spell_text(spellings, spelling, part, error));
        else
            TRY(bytes_append_string(spellings, spelling, error));
        TRY(units_append(&labels->subwords[side], begin, spellings->length, error));
    }
    return STATUS_OK;
}

Status subword_labels_set(SubwordLabels *labels, const Translator *translator,
                          const Translation *translation, const Rendering *rendering, Error *error)
{
    TRY(spell(labels, 0, translator->source_vocabulary, &translation->source,
              &translation->source_subwords, error));
    return spell(labels, 1, translator->target_vocabulary, &rendering->text, &rendering->subwords,
                 error);
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

// Whether matrices are posteriors instead of attention.
static bool draws_posteriors(const AlignmentSetup *setup)
{
    return setup->draws_posteriors && setup->reading.from != LINKS_FROM_ATTENTION;
}

void alignment_writer_start(AlignmentWriter *writer, const AlignmentSetup *setup)
{
    const Translator *translator = setup->translator;
    const DecoderParams *decoder = &translator->model.params.decoder;
    const char *slash = strrchr(setup->model, '/'), *scorer = decoder->scorer->name;
    size_t head = setup->head;
    *writer = (AlignmentWriter){
        .setup = *setup,
        .page = {.model = slash ? slash + 1 : setup->model,
                 .attention = writer->attention,
                 .units = {unit_kind_names[setup->units[0]], unit_kind_names[setup->units[1]]},
                 .heads = head || draws_posteriors(setup) ? 1 : decoder->attention.widths.heads},
    };
    if (head)
        snprintf(writer->attention, sizeof writer->attention, "head %zu of %s", head, scorer);
    else
        snprintf(writer->attention, sizeof writer->attention, "%s", scorer);
    if (!draws_posteriors(setup)) return;
    snprintf(writer->shows, sizeof writer->shows, "%s%s",
             setup->reading.from == LINKS_FROM_BOTH ? writer->attention : "the aligner alone",
             setup->reading.from == LINKS_FROM_BOTH ? " attention and the aligner" : "");
    writer->page.shows = writer->shows;
}

static Labels words(const Bytes *text, const Units *units)
{
    return (Labels){bytes_text(text), units};
}

static SoftSide side(const Subwords *subwords, const Units *units)
{
    return (SoftSide){.ends = subwords->ends, .subwords = subwords->count, .units = units};
}

// Sets writer->views: the alignment's matrix, and those of the heads, also converted to words.
static Status set_views(AlignmentWriter *writer, const Translation *translation,
                        const Rendering *rendering, const float *alpha, Error *error)
{
    const Alignment *alignment = &writer->alignment;
    size_t matrices = html_matrices(writer->page.heads);
    const Subwords *source = &translation->source_subwords, *target = &rendering->subwords;
    size_t size = (source->count + 1) * (target->count + 1);
    if (!writer->views) {
        TRY(array_new(&writer->heads, matrices - 1, "alignments", error));
        TRY(array_new(&writer->views, 2 * matrices, "alignments", error));
    }
    writer->views[0] =
        draws_posteriors(&writer->setup) ? alignment->posteriors.weights : alignment->soft.weights;
    for (size_t i = 0; i < matrices; i++) {
        writer->views[matrices + i] = alpha + i * size;
        if (i == 0) continue;
        SoftAlignment *head = &writer->heads[i - 1];
        TRY(soft_alignment_set(head, alpha + i * size, side(source, &alignment->source_units),
                               side(target, &alignment->target_units),
                               writer->setup.reading.linking.shift, error));
        writer->views[i] = head->weights;
    }
    return STATUS_OK;
}

// Finds where attention and aligner differ, if there is an aligner.
static Status compare(AlignmentWriter *writer, const Translation *translation,
                      const Rendering *rendering, Error *error)
{
    const Aligner *aligner = writer->setup.reading.aligner;
    if (!aligner) return STATUS_OK;
    return differences_set(&writer->differences, translation, rendering, writer->setup.units,
                           aligner, error);
}

// JSON and pages, which show both words and subwords.
static Status write_both(Writer *out, AlignmentWriter *writer, const Translation *translation,
                         const Rendering *rendering, const float *alpha, const Picture *picture)
{
    TRY(subword_labels_set(&writer->labels, writer->setup.translator, translation, rendering,
                           out->error));
    TRY(set_views(writer, translation, rendering, alpha, out->error));
    TRY(compare(writer, translation, rendering, out->error));
    const Aligner *aligner = writer->setup.reading.aligner;
    const Links *only_attention = aligner ? &writer->differences.only_attention : NULL;
    const Links *only_aligner = aligner ? &writer->differences.only_aligner : NULL;
    Labels subwords[2] = {subword_labels(&writer->labels, 0), subword_labels(&writer->labels, 1)};
    if (writer->setup.format == ALIGNMENT_HTML) {
        const float **subword_views = writer->views + html_matrices(writer->page.heads);
        HtmlPair pair = {.words = {picture->source, picture->target, writer->views},
                         .subwords = {subwords[0], subwords[1], subword_views},
                         .differ = {only_attention, only_aligner}};
        if (writer->pairs == 0) html_begin(out, &writer->page);
        html_add(out, &writer->page, &pair, writer->pairs);
    } else {
        alignment_json_write(out, &(AlignmentJson){.weights = alpha,
                                                   .source_subwords = subwords[0],
                                                   .target_subwords = subwords[1],
                                                   .source_words = picture->source,
                                                   .target_words = picture->target,
                                                   .links = &writer->alignment.links,
                                                   .only_attention = only_attention,
                                                   .only_aligner = only_aligner});
    }
    return STATUS_OK;
}

// The same with the matrix of what is drawn, joined of sentences, or with zeros for a pair without
// attention.
static Status write_matrices(Writer *out, AlignmentWriter *writer, const Translation *translation,
                             const Rendering *rendering, const Picture *picture)
{
    const AlignmentSetup *setup = &writer->setup;
    bool joined = translation->sentence_count > 0;
    if (draws_posteriors(setup)) {
        TRY(joined ? alignment_join_subwords(&writer->posteriors, translation, rendering,
                                             setup->units, &setup->reading, out->error)
                   : alignment_of_subwords(&writer->posteriors, &writer->alignment, translation,
                                           rendering, out->error));
        return write_both(out, writer, translation, rendering, writer->posteriors.weights, picture);
    }
    float *own = NULL;
    size_t matrices = html_matrices(writer->page.heads);
    size_t size = (translation->source_subwords.count + 1) * (rendering->subwords.count + 1);
    if (joined)
        TRY(attention_join(&own, translation, rendering, matrices, out->error));
    else if (!rendering->alpha)
        TRY(array_new(&own, matrices * size, "an alignment", out->error));
    const float *alpha = own ? own : rendering->alpha; // (matrices, target, source)
    Status status = write_both(out, writer, translation, rendering, alpha, picture);
    memory_free(own);
    return status;
}

static Status write_pair(Writer *out, AlignmentWriter *writer, const Translation *translation,
                         const Rendering *rendering)
{
    Alignment *alignment = &writer->alignment;
    TRY(alignment_set(alignment, translation, rendering, writer->setup.units,
                      &writer->setup.reading, out->error));
    bool posteriors = draws_posteriors(&writer->setup);
    Picture picture = {.weights =
                           posteriors ? alignment->posteriors.weights : alignment->soft.weights,
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
    return write_matrices(out, writer, translation, rendering, &picture);
}

Status alignment_writer_write(AlignmentWriter *writer, const Translation *translation,
                              const Rendering *rendering, Output *output, Error *error)
{
    // a heat-map's colours steer the terminal, and its labels are harmless (render/glyphs.h)
    if (writer->setup.format == ALIGNMENT_HEATMAP) output->guarded = false;
    Writer out = output_start(output, error);
    Status status = write_pair(&out, writer, translation, rendering);
    if (!out.status) out.status = status;
    if (!out.status) writer->pairs++;
    return output_end(output, &out);
}

static void finish_svg(Writer *out, const AlignmentWriter *writer)
{
    Bytes text = {0};
    Writer title = writer_start(&text, out->error);
    const HtmlPage *page = &writer->page;
    writer_format(&title, "Alignments by %s, %s%s, %zu pair%s", page->model,
                  page->shows ? page->shows : page->attention, page->shows ? "" : " attention",
                  writer->pairs, writer->pairs == 1 ? "" : "s");
    out->status = writer_end(&title);
    if (!out->status) svg_write(out, &writer->svg, text.data);
    bytes_free(&text);
}

Status alignment_writer_finish(AlignmentWriter *writer, Status status, Output *output, Error *error)
{
    bool document = writer->setup.format == ALIGNMENT_SVG || writer->setup.format == ALIGNMENT_HTML;
    // whatever else fails leaves a beginning of the document
    bool complete = !status || (status == STATUS_FORMAT && writer->pairs > 0);
    if (!document || !complete) return status;
    Writer out = output_start(output, status ? NULL : error);
    if (writer->setup.format == ALIGNMENT_SVG) {
        finish_svg(&out, writer);
    } else {
        if (writer->pairs == 0) html_begin(&out, &writer->page);
        html_end(&out);
    }
    Status finished = output_end(output, &out);
    return status ? status : finished;
}

void alignment_writer_free(AlignmentWriter *writer)
{
    svg_free(&writer->svg);
    subword_labels_free(&writer->labels);
    for (size_t i = 1; i < html_matrices(writer->page.heads) && writer->heads; i++)
        soft_alignment_free(&writer->heads[i - 1]);
    memory_free(writer->heads);
    memory_free(writer->views);
    alignment_free(&writer->alignment);
    differences_free(&writer->differences);
    soft_alignment_free(&writer->posteriors);
    *writer = (AlignmentWriter){0};
}
