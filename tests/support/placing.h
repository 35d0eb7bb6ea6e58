// Inline elements put into a translation, for tests of that.
#pragma once

#include "html/kept_elements.h"
#include "html/placement.h"
#include "support/suite.h"

#include <string.h>

// A segment and its translation, whose elements are to be placed.
typedef struct Placing {
    HtmlDocument document;
    AlignerTokens tokens[2];
    Links links, possible;
    InlineLabels labels;
    KeptElements kept;
    Spans spans;
    Bytes html;
} Placing;

static inline void placing_free(Placing *placing)
{
    html_document_free(&placing->document);
    aligner_tokens_free(&placing->tokens[0]);
    aligner_tokens_free(&placing->tokens[1]);
    links_free(&placing->links);
    links_free(&placing->possible);
    inline_labels_free(&placing->labels);
    kept_elements_free(&placing->kept);
    bytes_free(&placing->html);
}

// Reads the document and the tokens of both texts; it has one segment at most.
static inline Status begin(Placing *placing, const char *html, const char *target)
{
    TRY(html_document_read(&placing->document, text_view_of(html), NULL));
    ck_assert_uint_le(placing->document.count, 1);
    if (placing->document.count == 0) return STATUS_OK;
    const TextView texts[2] = {
        html_segment_text(&placing->document, &placing->document.segments[0]),
        text_view_of(target)};
    placing->spans = html_segment_kept(&placing->document, &placing->document.segments[0]);
    return kept_elements_cut(&placing->kept, placing->tokens, texts, &placing->spans, NULL);
}

static inline bool find_kept(Placing *placing)
{
    const HtmlDocument *document = &placing->document;
    return kept_elements_find(&placing->kept, placing->tokens, &placing->links, document->inlines,
                              document->inline_count);
}

// Where all that stays as it is has been found.
static inline Status place(Placing *placing, const char *target)
{
    const HtmlDocument *document = &placing->document;
    const MarkedPair pair = {.syntax = &html_syntax,
                             .doubts = &(const Spans){0},
                             .inlines = document->inlines,
                             .inline_count = document->inline_count,
                             .source = &placing->tokens[0],
                             .target = &placing->tokens[1],
                             .links = &placing->links,
                             .faint = &placing->possible,
                             .kept = placing->kept.tokens,
                             .kept_count = placing->spans.count};
    const HtmlSegment *segment = &document->segments[0];
    TRY(kept_elements_link(&placing->kept, &placing->links, NULL));
    TRY(kept_elements_link(&placing->kept, &placing->possible, NULL));
    TRY(inline_labels_set(&placing->labels, &pair, NULL));
    Writer out = writer_start(&placing->html, NULL);
    writer_bytes(&out, document->html.data, segment->begin);
    if (segment->space_before) writer_string(&out, " ");
    inline_placement_write(&out, &pair, &placing->labels, text_view_of(target));
    writer_bytes(&out, document->html.data + segment->end, document->html.length - segment->end);
    return writer_end(&out);
}

/* With links between the tokens of both texts, elisions and marks being tokens (align/aligner_tokens.h);
 * faint ones as 0?0. Nothing is expected where what stays as it is is not there. */
static inline void expect_placed(const char *html, const char *target, const char *links,
                                 const char *expected)
{
    Placing placing = {0};
    Line line = {links, strlen(links), 1, false};
    assert_ok(begin(&placing, html, target));
    ck_assert_int_eq(links_parse(&placing.links, &placing.possible, "links", &line, NULL), 0);
    ck_assert_int_eq(find_kept(&placing), expected != NULL);
    if (expected) {
        assert_ok(place(&placing, target));
        ck_assert_str_eq(bytes_text(&placing.html), expected);
    }
    placing_free(&placing);
}

static inline void append(Bytes *out, const char *text)
{
    assert_ok(bytes_append_string(out, text, NULL));
}
