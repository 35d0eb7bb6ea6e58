#include "html/translation.h"

#include "base/array.h"
#include "html/kept_elements.h"
#include "html/placement.h"

// Of links to words that an element would have none of otherwise.
#define FAINT_THRESHOLD 0.1F

// What aligning a segment needs, used again for the next.
typedef struct Placer {
    const HtmlTranslation *html;
    Alignment alignment, faint;
    AlignerTokens tokens[2];
    InlineLabels labels;
    KeptElements kept;
    Confidence confidence;
    Spans doubts; // of the rendering
} Placer;

static const HtmlAttributes *attributes_of(const HtmlTranslation *html)
{
    return html->attributes ? html->attributes : &html->document->attributes;
}

// Writes a segment translated in parts, which what stays as it is ends.
static Status write_apart(Writer *out, const Placer *placer, const HtmlSegment *segment)
{
    HtmlTranslation apart = *placer->html;
    FREED_BY(html_document_free)
    HtmlDocument document = {.syntax = apart.document->syntax,
                             .language = apart.document->language,
                             .apart = true,
                             .attributes_stay = true};
    apart.attributes = attributes_of(placer->html);
    apart.document = &document;
    TRY(html_document_read(&document, html_segment_bytes(placer->html->document, segment),
                           out->error));
    html_document_translate(out, &apart);
    return out->status;
}

// Writes the rendering with the segment's elements; or if one that stays as it is is not there, the
// segment in parts.
static Status place(Writer *out, Placer *placer, const HtmlSegment *segment,
                    const Translation *translation, const Rendering *rendering)
{
    AlignerTokens *tokens = placer->tokens;
    KeptElements *kept = &placer->kept;
    const HtmlDocument *document = placer->html->document;
    const Spans spans = html_segment_kept(document, segment);
    const TextView texts[2] = {bytes_view(&translation->source), bytes_view(&rendering->text)};
    const Spans *const units[2] = {&tokens[0].places, &tokens[1].places};
    LinkReading reading = *placer->html->reading;
    MarkedPair pair = {.syntax = document->syntax,
                       .doubts = &placer->doubts,
                       .attributes = attributes_of(placer->html),
                       .inlines = document->inlines + segment->first,
                       .inline_count = segment->inline_count,
                       .source = &tokens[0],
                       .target = &tokens[1],
                       .links = &placer->alignment.links,
                       .kept = kept->tokens,
                       .kept_count = spans.count};
    reading.links_only = true;
    TRY(kept_elements_cut(kept, tokens, texts, &spans, out->error));
    TRY(alignment_of_units(&placer->alignment, translation, rendering, units, &reading,
                           out->error));
    if (!kept_elements_find(kept, tokens, pair.links, pair.inlines, pair.inline_count))
        return write_apart(out, placer, segment);
    TRY(kept_elements_link(kept, &placer->alignment.links, out->error));
    TRY(inline_labels_set(&placer->labels, &pair, out->error));
    if (inline_labels_lack(&placer->labels, &pair)) {
        reading.threshold = FAINT_THRESHOLD;
        pair.faint = &placer->faint.links;
        TRY(alignment_of_units(&placer->faint, translation, rendering, units, &reading,
                               out->error));
        TRY(kept_elements_link(kept, &placer->faint.links, out->error));
        TRY(inline_labels_set(&placer->labels, &pair, out->error));
    }
    if (segment->space_before) writer_string(out, " ");
    inline_placement_write(out, &pair, &placer->labels, texts[1]);
    if (segment->space_after) writer_string(out, " ");
    return out->status;
}

Status html_segments_translate(const HtmlTranslation *html, Span segments,
                               Translation *translations, Error *error)
{
    const HtmlDocument *document = html->document;
    const size_t count = span_length(segments);
    TranslateOptions options = *html->options;
    FREED TextView *texts = NULL;
    FREED Spans *spans = NULL;
    TRY(array_new(&texts, count, "HTML", error));
    TRY(array_new(&spans, count, "HTML", error));
    options.search.with_alpha = false;
    for (size_t i = 0; i < count; i++) {
        const HtmlSegment *segment = &document->segments[segments.begin + i];
        texts[i] = html_segment_text(document, segment);
        spans[i] = html_segment_kept(document, segment);
        options.search.with_alpha |= segment->inline_count > 0;
    }
    options.prefixes = NULL;
    options.spans = spans;
    if (count == 0) return STATUS_OK;
    return session_translate(html->session, texts, count, &options, translations, error);
}

void html_document_translate(Writer *out, const HtmlTranslation *html)
{
    const Span all = {0, html->document->count};
    FREED Translation *translations = NULL;
    if (!out->status) out->status = array_new(&translations, all.end, "HTML", out->error);
    if (out->status) return;
    out->status = html_segments_translate(html, all, translations, out->error);
    if (!out->status) html_translation_write(out, html, all, translations);
    for (size_t i = 0; i < all.end; i++) translation_free(&translations[i]);
}

static const Rendering *rendering_of(const HtmlTranslation *html, const Translation *translation)
{
    return &translation->renderings[html->rank < translation->count ? html->rank : 0];
}

// Sets the words that are more likely wrong than right, if they can be marked.
static Status find_doubts(Placer *placer, const HtmlSegment *segment,
                          const Translation *translation, const Rendering *rendering, Error *error)
{
    Confidence *confidence = &placer->confidence;
    const HtmlTranslation *html = placer->html;
    placer->doubts.count = 0;
    if (!html->confidence || segment->raw) return STATUS_OK;
    TRY(confidence_set(confidence, html->confidence, translation, rendering, html->words, error));
    for (size_t i = 0; i < confidence->words.count; i++)
        if (confidence->of_words[i].right < 0.5)
            TRY(spans_add(&placer->doubts, confidence->words.items[i], error));
    return STATUS_OK;
}

static void write_segment(Writer *out, Placer *placer, const HtmlSegment *segment,
                          const Translation *translation)
{
    const Rendering *rendering = rendering_of(placer->html, translation);
    if (!out->status)
        out->status = find_doubts(placer, segment, translation, rendering, out->error);
    if (segment->inline_count == 0)
        html_write_marked(out, placer->html->document->syntax, &placer->doubts,
                          bytes_view(&rendering->text), (Span){0, rendering->text.length});
    else if (!out->status)
        out->status = place(out, placer, segment, translation, rendering);
}

static void write_texts(Writer *out, const HtmlTranslation *html, Span segments,
                        const Translation *translations)
{
    Placer placer = {.html = html};
    const HtmlAttributes *attributes = attributes_of(html);
    const HtmlDocument *document = html->document;
    const char *bytes = document->html.data;
    const HtmlSegment *all = document->segments;
    size_t at = segments.begin > document->values ? all[segments.begin - 1].end : 0;
    for (size_t i = segments.begin; i < segments.end && !out->status; i++) {
        html_attributes_write(out, attributes, (TextView){bytes + at, all[i].begin - at});
        write_segment(out, &placer, &all[i], &translations[i - segments.begin]);
        at = all[i].end;
    }
    if (segments.end == document->count)
        html_attributes_write(out, attributes, (TextView){bytes + at, document->html.length - at});
    alignment_free(&placer.alignment);
    alignment_free(&placer.faint);
    aligner_tokens_free(&placer.tokens[0]);
    aligner_tokens_free(&placer.tokens[1]);
    inline_labels_free(&placer.labels);
    kept_elements_free(&placer.kept);
    confidence_free(&placer.confidence);
    spans_free(&placer.doubts);
}

void html_translation_write(Writer *out, const HtmlTranslation *html, Span segments,
                            const Translation *translations)
{
    HtmlDocument *document = html->document;
    size_t end = segments.end < document->values ? segments.end : document->values;
    for (; segments.begin < end && !out->status; segments.begin++, translations++)
        out->status =
            html_attributes_set(&document->attributes,
                                html_segment_bytes(document, &document->segments[segments.begin]),
                                bytes_view(&rendering_of(html, translations)->text), out->error);
    if (segments.begin < segments.end || segments.end == document->count)
        write_texts(out, html, segments, translations);
}
