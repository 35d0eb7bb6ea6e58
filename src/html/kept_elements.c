#include "html/kept_elements.h"

#include "reading/phrase.h"
#include "text/utf8.h"

// Whether the target has, at a place, the text of a span of the source.
static bool is_at(const KeptElements *kept, Span span, size_t place)
{
    size_t end = place + span_length(span);
    TextView target = kept->target, source = kept->source;
    return end <= target.length &&
           text_view_equal(span_text(source, span), span_text(target, (Span){place, end})) &&
           (!utf8_is_inside_word(target, place) || utf8_is_inside_word(source, span.begin)) &&
           (!utf8_is_inside_word(target, end) || utf8_is_inside_word(source, span.end));
}

// The end of the longest text of a span that the target has at a place; the place if there is none.
static size_t longest_end(const KeptElements *kept, size_t place)
{
    size_t end = place;
    for (size_t i = 0; i < kept->spans->count; i++) {
        const Span span = kept->spans->items[i];
        size_t length = span_length(span);
        if (length > end - place && is_at(kept, span, place)) end = place + length;
    }
    return end;
}

static Status find_texts(KeptElements *kept, Error *error)
{
    Spans *found = &kept->found;
    found->count = 0;
    for (size_t at = 0; at < kept->target.length;) {
        const Span text = {at, longest_end(kept, at)};
        if (text.end > at) TRY(spans_append(found, text, error));
        at = text.end > at ? text.end : at + 1;
    }
    return STATUS_OK;
}

Status kept_elements_cut(KeptElements *kept, AlignerTokens *tokens, const TextView *texts,
                         const Spans *spans, Error *error)
{
    kept->source = texts[0];
    kept->target = texts[1];
    kept->spans = spans;
    kept->count = spans->count;
    TRY(find_texts(kept, error));
    TRY(aligner_tokens_set_spans(&tokens[0], texts[0], spans, error));
    return aligner_tokens_set_spans(&tokens[1], texts[1], &kept->found, error);
}

static bool is_taken(const KeptElements *kept, size_t token)
{
    return kept_token_find(kept->tokens, kept->count, token) != NULL;
}

// Finds the token of one that is not found yet, among all with its text, or only those linked with
// it.
static void find_token(KeptElements *kept, size_t i, const AlignerTokens *tokens,
                       const Links *links)
{
    const TextView text = span_text(kept->source, kept->spans->items[i]);
    for (size_t j = 0; j < kept->found.count && kept->tokens[i].token == SIZE_MAX; j++) {
        const Span span = kept->found.items[j];
        if (!text_view_equal(text, span_text(kept->target, span))) continue;
        size_t token = units_before(&tokens[1].places, span.begin);
        Link link = {(uint32_t)kept->sources[i], (uint32_t)token};
        if ((!links || links_contain(links, link)) && !is_taken(kept, token))
            kept->tokens[i].token = token;
    }
}

bool kept_elements_find(KeptElements *kept, const AlignerTokens *tokens, const Links *links,
                        const HtmlInline *inlines, size_t count)
{
    size_t next = 0;
    for (size_t i = 0; i < count; i++)
        if (inlines[i].kept) kept->tokens[next++] = (KeptToken){SIZE_MAX, inlines[i].open};
    if (next != kept->count) return false;
    for (size_t i = 0; i < kept->count; i++)
        kept->sources[i] = units_before(&tokens[0].places, kept->spans->items[i].begin);
    for (size_t i = 0; i < kept->count; i++) find_token(kept, i, tokens, links);
    for (size_t i = 0; i < kept->count; i++) find_token(kept, i, tokens, NULL);
    return !is_taken(kept, SIZE_MAX);
}

static bool is_theirs(const KeptElements *kept, Link link)
{
    bool theirs = is_taken(kept, link.target);
    for (size_t i = 0; i < kept->count; i++) theirs |= kept->sources[i] == link.source;
    return theirs;
}

Status kept_elements_link(const KeptElements *kept, Links *links, Error *error)
{
    size_t left = 0;
    for (size_t i = 0; i < links->count; i++)
        if (!is_theirs(kept, links->items[i])) links->items[left++] = links->items[i];
    links->count = left;
    for (size_t i = 0; i < kept->count; i++)
        TRY(links_append(links, kept->sources[i], kept->tokens[i].token, error));
    links_sort(links);
    return STATUS_OK;
}

void kept_elements_free(KeptElements *kept)
{
    spans_free(&kept->found);
    *kept = (KeptElements){0};
}
