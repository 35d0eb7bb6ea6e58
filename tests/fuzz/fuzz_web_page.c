/* Any bytes as an HTML document whose segments are translated by any words with any links: what comes out has
 * every tag, is nested if the document was, and says what the translations say.
 *
 * tests/fuzz/run builds and runs it. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "../support/sound_html.h"
#include "base/random.h"
#include "html/kept_elements.h"
#include "html/placement.h"

// A text of words and marks, some of them the source's.
static void draw_target(Bytes *target, TextView source, Random *random)
{
    static const char *const words[] = {"le ", "chat", " < ", ", ", "n'", "在", ". ", "ne "};
    Bytes said = {0};
    require(bytes_append_string(&said, "x", NULL) == STATUS_OK);
    for (uint64_t n = random_below(random, 8); n-- > 0;)
        require(bytes_append_string(&said, words[random_below(random, 8)], NULL) == STATUS_OK);
    require(bytes_append(&said, source.data, source.length, NULL) == STATUS_OK);
    take_text(target, said.data, said.length, true);
    bytes_free(&said);
}

static void draw_links(Links *links, const AlignerTokens *tokens, Random *random)
{
    size_t sources = tokens[0].places.count, targets = tokens[1].places.count;
    for (uint64_t n = random_below(random, 2 * targets); n-- > 0;)
        require(links_append(links, random_below(random, sources), random_below(random, targets),
                             NULL) == STATUS_OK);
    links_sort(links);
}

/* Whether all text in the document's tags is translated and no tags are text: not in <sup> without a letter, and
 * in <title>. */
static bool is_plain(TextView html)
{
    HtmlReader reader = {.text = html};
    HtmlToken token;
    while (html_next(&reader, &token)) {
        if (token.kind != HTML_START) continue;
        if (html_name_equal(token.name, (TextView){"sup", 3}) ||
            html_element(token.name) & HTML_RAW)
            return false;
    }
    return true;
}

static void check(TextView source, TextView result, const Bytes *target)
{
    require(sound_html_is_nested(result) == sound_html_is_nested(source));
    require(sound_html_has_all(source, result));
    require(sound_html_says(result, (TextView){target->data, target->length}));
}

// All that stays as it is, at least once each: two may be alike, or a comment may say one.
static void check_kept(const MarkedPair *pair, TextView result)
{
    for (size_t i = 0; i < pair->kept_count; i++) {
        TextView element = pair->kept[i].element;
        require(memmem(result.data, result.length, element.data, element.length) != NULL);
    }
}

static void fuzz_segment(const HtmlDocument *document, size_t i, Random *random)
{
    const HtmlSegment *segment = &document->segments[i];
    TextView text = html_segment_text(document, &document->segments[i]), html = document->html;
    AlignerTokens tokens[2] = {{{0}}, {{0}}};
    Links links = {0};
    InlineLabels labels = {0};
    KeptElements kept = {0};
    const Spans spans = html_segment_kept(document, &document->segments[i]);
    Bytes target = {0}, placed = {0};
    draw_target(&target, text, random);
    const TextView texts[2] = {text, {target.data, target.length}};
    require(kept_elements_cut(&kept, tokens, texts, &spans, NULL) == STATUS_OK);
    draw_links(&links, tokens, random);
    const MarkedPair pair = {.syntax = &html_syntax,
                             .doubts = &(const Spans){0},
                             .inlines = document->inlines + segment->first,
                             .inline_count = segment->inline_count,
                             .source = &tokens[0],
                             .target = &tokens[1],
                             .links = &links,
                             .faint = &links,
                             .kept = kept.tokens,
                             .kept_count = spans.count};
    bool whole = kept_elements_find(&kept, tokens, &links, pair.inlines, pair.inline_count);
    if (whole) require(kept_elements_link(&kept, &links, NULL) == STATUS_OK);
    require(inline_labels_set(&labels, &pair, NULL) == STATUS_OK);
    Writer out = writer_start(&placed, NULL);
    inline_placement_write(&out, &pair, &labels, (TextView){target.data, target.length});
    require(writer_end(&out) == STATUS_OK);
    TextView source = {html.data + segment->begin, segment->end - segment->begin};
    TextView result = {placed.data, placed.length};
    if (whole) check_kept(&pair, result);
    // there may be soft hyphens in what is kept
    if (is_plain(html) && spans.count == 0 && whole) check(source, result, &target);
    kept_elements_free(&kept);
    aligner_tokens_free(&tokens[0]);
    aligner_tokens_free(&tokens[1]);
    links_free(&links);
    inline_labels_free(&labels);
    bytes_free(&target);
    bytes_free(&placed);
}

// Values of attributes are written by what they say: no tag comes or goes.
static void fuzz_values(HtmlDocument *document)
{
    Bytes written = {0};
    const TextView html = document->html;
    for (size_t i = 0; i < document->values; i++) {
        const HtmlSegment *segment = &document->segments[i];
        TextView part = {html.data + segment->begin, segment->end - segment->begin};
        require(html_attributes_set(&document->attributes, part,
                                    html_segment_text(document, &document->segments[i]),
                                    NULL) == STATUS_OK);
    }
    Writer out = writer_start(&written, NULL);
    html_attributes_write(&out, &document->attributes, html);
    require(writer_end(&out) == STATUS_OK);
    HtmlReader before = {.text = html}, after = {.text = {bytes_text(&written), written.length}};
    HtmlToken token, other;
    while (html_next(&before, &token)) {
        require(html_next(&after, &other) && other.kind == token.kind);
        require(html_name_equal(other.name, token.name));
    }
    require(!html_next(&after, &other));
    bytes_free(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    HtmlDocument document = {.attributes.language = "fr"};
    Random random = random_from(data[0], 1);
    size_t at = 0;
    require(html_document_read(&document, (TextView){(const char *)data + 1, size - 1}, NULL) ==
            STATUS_OK);
    for (size_t i = 0; i < document.count; i++) {
        if (i == document.values) at = 0;
        require(document.segments[i].begin >= at);
        at = document.segments[i].end;
        if (document.segments[i].inline_count > 0) fuzz_segment(&document, i, &random);
    }
    require(at <= size - 1);
    fuzz_values(&document);
    html_document_free(&document);
    return 0;
}
