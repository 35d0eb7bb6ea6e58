#include "translate/html_translation.h"

#include "text/html_reference.h"
#include "translate/inline_placement.h"

// Of links to words that an element would have none of otherwise.
#define FAINT_THRESHOLD 0.1F

// What aligning a segment needs, used again for the next.
typedef struct Placer {
    const HtmlTranslation *html;
    Alignment alignment, faint;
    AlignerTokens tokens[2];
    InlineLabels labels;
} Placer;

static Status place(Writer *out, Placer *placer, const HtmlSegment *segment,
                    const Translation *translation, const Rendering *rendering)
{
    AlignerTokens *tokens = placer->tokens;
    const Bytes *texts[2] = {&translation->source, &rendering->text};
    const Units *const units[2] = {&tokens[0].places, &tokens[1].places};
    LinkReading reading = *placer->html->reading;
    MarkedPair pair = {placer->html->document->inlines + segment->first,
                       segment->inline_count,
                       &tokens[0],
                       &tokens[1],
                       &placer->alignment.links,
                       NULL};
    reading.links_only = true;
    for (int side = 0; side < 2; side++)
        TRY(aligner_tokens_set(&tokens[side], bytes_text(texts[side]), texts[side]->length,
                               out->error));
    TRY(alignment_of_units(&placer->alignment, translation, rendering, units, &reading,
                           out->error));
    TRY(inline_labels_set(&placer->labels, &pair, out->error));
    if (inline_labels_lack(&placer->labels, &pair)) {
        reading.linking.threshold = FAINT_THRESHOLD;
        pair.faint = &placer->faint.links;
        TRY(alignment_of_units(&placer->faint, translation, rendering, units, &reading,
                               out->error));
        TRY(inline_labels_set(&placer->labels, &pair, out->error));
    }
    inline_placement_write(out, &pair, &placer->labels,
                           (TextView){bytes_text(texts[1]), texts[1]->length});
    return out->status;
}

static void write_segment(Writer *out, Placer *placer, const HtmlSegment *segment,
                          const Translation *translation)
{
    size_t rank = placer->html->rank;
    const Rendering *rendering = &translation->renderings[rank < translation->count ? rank : 0];
    if (segment->space_before) writer_string(out, " ");
    if (segment->inline_count == 0)
        html_write_text(out, bytes_text(&rendering->text), rendering->text.length);
    else if (!out->status)
        out->status = place(out, placer, segment, translation, rendering);
    if (segment->space_after) writer_string(out, " ");
}

void html_translation_write(Writer *out, const HtmlTranslation *html, size_t first, size_t count,
                            const Translation *translations)
{
    Placer placer = {.html = html};
    const HtmlDocument *document = html->document;
    const HtmlSegment *segments = document->segments;
    const char *bytes = document->html.data;
    size_t at = first > 0 ? segments[first - 1].end : 0;
    for (size_t i = first; i < first + count && !out->status; i++) {
        writer_bytes(out, bytes + at, segments[i].begin - at);
        write_segment(out, &placer, &segments[i], &translations[i - first]);
        at = segments[i].end;
    }
    if (first + count == document->count) writer_bytes(out, bytes + at, document->html.length - at);
    alignment_free(&placer.alignment);
    alignment_free(&placer.faint);
    aligner_tokens_free(&placer.tokens[0]);
    aligner_tokens_free(&placer.tokens[1]);
    inline_labels_free(&placer.labels);
}

bool html_segments_have_inlines(const HtmlDocument *document, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        if (document->segments[i].inline_count > 0) return true;
    return false;
}
