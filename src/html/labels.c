#include "html/labels.h"

#include "base/array.h"

enum { MAX_VOTES = 16 }; // links of a token that are counted

bool inline_within(const HtmlInline *inlines, size_t inner, size_t outer)
{
    while (inner != outer && inner != NO_INLINE) inner = inlines[inner].parent;
    return inner == outer;
}

size_t inline_common(const HtmlInline *inlines, size_t a, size_t b)
{
    while (!inline_within(inlines, b, a)) a = inlines[a].parent;
    return a;
}

bool inline_link_counts(const MarkedPair *pair, Link link)
{
    return aligner_tokens_is_mark(pair->source, link.source) ==
           aligner_tokens_is_mark(pair->target, link.target);
}

const KeptToken *kept_token_find(const KeptToken *kept, size_t count, size_t token)
{
    for (size_t i = 0; i < count; i++)
        if (kept[i].token == token) return &kept[i];
    return NULL;
}

static bool is_element(const HtmlInline *one)
{
    return one->close.data != NULL;
}

// The innermost element around the middle of each source token.
static void label_sources(size_t *labels, const MarkedPair *pair)
{
    const HtmlInline *inlines = pair->inlines;
    const Spans *places = &pair->source->places;
    size_t next = 0, open = NO_INLINE;
    for (size_t s = 0; s < places->count; s++) {
        size_t middle = (places->items[s].begin + places->items[s].end) / 2;
        for (; next < pair->inline_count && inlines[next].begin <= middle; next++)
            if (is_element(&inlines[next]) && inlines[next].end > middle) open = next;
        while (open != NO_INLINE && inlines[open].end <= middle) open = inlines[open].parent;
        labels[s] = open;
    }
}

// The innermost element that more than half of the votes are within.
static size_t elect(const HtmlInline *inlines, const size_t *votes, size_t count)
{
    size_t elected = NO_INLINE;
    for (size_t i = 0; i < count; i++) {
        size_t element = votes[i], within = 0;
        for (;; element = inlines[element].parent, within = 0) {
            for (size_t j = 0; j < count; j++) within += inline_within(inlines, votes[j], element);
            if (2 * within > count) break;
        }
        if (inline_within(inlines, element, elected)) elected = element;
    }
    return elected;
}

// `counts` (target tokens) are those of links.
static void label_unlinked(InlineLabels *labels, const MarkedPair *pair, const uint8_t *counts)
{
    size_t sources = pair->source->places.count, targets = pair->target->places.count;
    for (size_t begin = 0, end; begin < targets; begin = end) {
        end = begin + 1;
        if (counts[begin] > 0) continue;
        while (end < targets && counts[end] == 0) end++;
        size_t before = begin > 0 ? labels->target[begin - 1] : labels->source[0];
        size_t after = end < targets ? labels->target[end] : labels->source[sources - 1];
        size_t common = inline_common(pair->inlines, before, after);
        for (size_t t = begin; t < end; t++) labels->target[t] = common;
    }
}

static void label_diagonal(InlineLabels *labels, const MarkedPair *pair)
{
    size_t sources = pair->source->places.count, targets = pair->target->places.count;
    for (size_t t = 0; t < targets; t++) labels->target[t] = labels->source[t * sources / targets];
}

/* Labels of the target tokens: of those that have links, then of the others. Links are sorted by
 * source, so each target token's are found in one pass over all. */
static Status label_targets(InlineLabels *labels, const MarkedPair *pair, Error *error)
{
    size_t targets = pair->target->places.count;
    FREED size_t *votes = NULL; // (targets, MAX_VOTES)
    FREED uint8_t *counts = NULL;
    TRY(array_new(&votes, targets * MAX_VOTES, "HTML", error));
    TRY(array_new(&counts, targets, "HTML", error));
    for (size_t i = 0; i < pair->links->count; i++) {
        Link link = pair->links->items[i];
        uint8_t *count = &counts[link.target];
        if (*count == MAX_VOTES || !inline_link_counts(pair, link)) continue;
        votes[link.target * MAX_VOTES + (*count)++] = labels->source[link.source];
    }
    for (size_t t = 0; t < targets; t++)
        labels->target[t] = elect(pair->inlines, votes + t * MAX_VOTES, counts[t]);
    if (pair->links->count > 0)
        label_unlinked(labels, pair, counts);
    else
        label_diagonal(labels, pair);
    return STATUS_OK;
}

// Token `token` is in the element and in those around it.
static void extend_spans(ElementSpan *spans, const MarkedPair *pair, size_t element, size_t token)
{
    for (;; element = pair->inlines[element].parent) {
        ElementSpan *span = &spans[element == NO_INLINE ? pair->inline_count : element];
        if (token < span->first) span->first = token;
        if (token > span->last) span->last = token;
        if (element == NO_INLINE) return;
    }
}

static void set_spans(ElementSpan *spans, const MarkedPair *pair, const size_t *labels,
                      size_t tokens)
{
    for (size_t i = 0; i <= pair->inline_count; i++) spans[i] = (ElementSpan){SIZE_MAX, 0};
    for (size_t token = 0; token < tokens; token++) extend_spans(spans, pair, labels[token], token);
}

// The first source token that ends behind a place.
static size_t token_behind(const Spans *places, size_t place)
{
    size_t begun = units_before(places, place + 1);
    return begun > 0 && places->items[begun - 1].end > place ? begun - 1 : begun;
}

static bool is_left_out(const InlineLabels *labels, const MarkedPair *pair, size_t element)
{
    const HtmlInline *one = &pair->inlines[element];
    const ElementSpan *span = &labels->spans[1][element];
    return is_element(one) && one->begin < one->end && span->first > span->last;
}

// Gives an element that has no token those that any of these links leads into.
static void label_left_out(InlineLabels *labels, const MarkedPair *pair, size_t element,
                           const Links *links)
{
    const HtmlInline *one = &pair->inlines[element];
    const Spans *places = &pair->source->places;
    size_t begin = token_behind(places, one->begin);
    for (size_t i = links_from(links, (Link){.source = (uint32_t)begin}); i < links->count; i++) {
        Link link = links->items[i];
        if (places->items[link.source].begin >= one->end) break;
        if (!inline_link_counts(pair, link) ||
            !inline_within(pair->inlines, element, labels->target[link.target]))
            continue;
        labels->target[link.target] = element;
        extend_spans(labels->spans[1], pair, element, link.target);
    }
}

bool inline_labels_lack(const InlineLabels *labels, const MarkedPair *pair)
{
    for (size_t e = 0; e < pair->inline_count; e++)
        if (is_left_out(labels, pair, e)) return true;
    return false;
}

static size_t length_of(ElementSpan run)
{
    return run.last - run.first + 1;
}

// Fills a gap between two runs, if it is short and in no other element.
static bool fill(InlineLabels *labels, const MarkedPair *pair, size_t element, ElementSpan left,
                 ElementSpan right)
{
    size_t gap = right.first - left.last - 1;
    if (gap >= length_of(left) || gap >= length_of(right)) return false;
    for (size_t t = left.last + 1; t < right.first; t++)
        if (!inline_within(pair->inlines, element, labels->target[t])) return false;
    for (size_t t = left.last + 1; t < right.first; t++) labels->target[t] = element;
    return true;
}

// Settles the runs of an element; there is room for as many as the translation has tokens.
static void settle_runs(InlineLabels *labels, const MarkedPair *pair, size_t element,
                        ElementSpan *runs)
{
    const ElementSpan span = labels->spans[1][element];
    size_t count = 0, longest = 0;
    for (size_t t = span.first; t <= span.last; t++) {
        if (!inline_within(pair->inlines, labels->target[t], element)) continue;
        if (count > 0 && runs[count - 1].last + 1 == t)
            runs[count - 1].last = t;
        else
            runs[count++] = (ElementSpan){t, t};
    }
    size_t kept = count > 0;
    for (size_t i = 1; i < count; i++) {
        if (fill(labels, pair, element, runs[kept - 1], runs[i]))
            runs[kept - 1].last = runs[i].last;
        else
            runs[kept++] = runs[i];
    }
    if (kept <= (pair->inlines[element].repeats ? MAX_ELEMENT_RUNS : 1)) return;
    for (size_t i = 1; i < kept; i++)
        if (length_of(runs[i]) > length_of(runs[longest])) longest = i;
    for (size_t i = 0; i < kept; i++)
        for (size_t t = runs[i].first; i != longest && t <= runs[i].last; t++)
            labels->target[t] = pair->inlines[element].parent;
}

// Whether all of an element, and of those in it, is left out and has this property.
static bool all_left_out(const InlineLabels *labels, const MarkedPair *pair, size_t element,
                         bool formats)
{
    for (size_t e = element; e < pair->inline_count; e++) {
        const HtmlInline *one = &pair->inlines[e];
        if (!inline_within(pair->inlines, e, element)) break;
        if (!is_left_out(labels, pair, e) || !(formats ? one->formats : one->repeats)) return false;
    }
    return true;
}

bool inline_is_gone(const InlineLabels *labels, const MarkedPair *pair, size_t element)
{
    return all_left_out(labels, pair, element, false);
}

/* Whether each element around a token but `outer` and those around that has another token, and goes
 * on undivided without this one. */
static bool can_go(const InlineLabels *labels, const MarkedPair *pair, size_t token, size_t outer)
{
    for (size_t e = labels->target[token]; e != outer; e = pair->inlines[e].parent) {
        const ElementSpan *span = &labels->spans[1][e];
        if (span->first == span->last || (token != span->first && token != span->last))
            return false;
    }
    return true;
}

static void take(InlineLabels *labels, const MarkedPair *pair, size_t element, size_t token)
{
    size_t outer = pair->inlines[element].parent;
    for (size_t e = labels->target[token]; e != outer; e = pair->inlines[e].parent) {
        ElementSpan *span = &labels->spans[1][e];
        size_t step = span->first == token ? 1 : (size_t)-1;
        size_t *end = span->first == token ? &span->first : &span->last;
        do *end += step;
        while (!inline_within(pair->inlines, labels->target[*end], e));
    }
    labels->target[token] = element;
    extend_spans(labels->spans[1], pair, element, token);
}

// Gives an element that has no token the word nearest to its place that can go there.
static void take_nearest(InlineLabels *labels, const MarkedPair *pair, size_t element)
{
    enum { MAX_DISTANCE = 16 };
    const HtmlInline *one = &pair->inlines[element];
    size_t sources = pair->source->places.count, found = SIZE_MAX, least = SIZE_MAX;
    size_t whole = one->parent == NO_INLINE ? pair->inline_count : one->parent;
    ElementSpan span = labels->spans[1][whole];
    if (span.first > span.last) return;
    size_t place = token_behind(&pair->source->places, one->begin);
    place = place * pair->target->places.count / sources;
    if (place < span.first) place = span.first;
    if (place > span.last) place = span.last;
    size_t first = place - span.first > MAX_DISTANCE ? place - MAX_DISTANCE : span.first;
    for (size_t t = first; t <= span.last && t <= place + MAX_DISTANCE; t++) {
        bool no_word = aligner_tokens_is_mark(pair->target, t) ||
                       kept_token_find(pair->kept, pair->kept_count, t);
        size_t cost = (t > place ? t - place : place - t) + (no_word ? 2 * MAX_DISTANCE : 0);
        if (cost >= least || !inline_within(pair->inlines, labels->target[t], one->parent) ||
            !can_go(labels, pair, t, one->parent))
            continue;
        found = t;
        least = cost;
    }
    if (found != SIZE_MAX) take(labels, pair, element, found);
}

Status inline_labels_set(InlineLabels *labels, const MarkedPair *pair, Error *error)
{
    size_t sources = pair->source->places.count, targets = pair->target->places.count;
    FREED ElementSpan *runs = NULL;
    assert(sources > 0);
    inline_labels_free(labels);
    TRY(array_new(&runs, targets, "HTML", error));
    TRY(array_new(&labels->source, sources, "HTML", error));
    TRY(array_new(&labels->target, targets, "HTML", error));
    for (int side = 0; side < 2; side++)
        TRY(array_new(&labels->spans[side], pair->inline_count + 1, "HTML", error));
    label_sources(labels->source, pair);
    set_spans(labels->spans[0], pair, labels->source, sources);
    TRY(label_targets(labels, pair, error));
    set_spans(labels->spans[1], pair, labels->target, targets);
    for (size_t e = 0; e < pair->inline_count; e++) {
        if (is_left_out(labels, pair, e)) label_left_out(labels, pair, e, pair->links);
        if (pair->faint && is_left_out(labels, pair, e))
            label_left_out(labels, pair, e, pair->faint);
    }
    for (size_t e = 0; e < pair->inline_count; e++) settle_runs(labels, pair, e, runs);
    set_spans(labels->spans[1], pair, labels->target, targets);
    for (size_t e = 0; e < pair->inline_count && pair->faint; e++)
        if (is_left_out(labels, pair, e) && !all_left_out(labels, pair, e, true))
            take_nearest(labels, pair, e);
    return STATUS_OK;
}

void inline_labels_free(InlineLabels *labels)
{
    memory_free(labels->source);
    memory_free(labels->target);
    memory_free(labels->spans[0]);
    memory_free(labels->spans[1]);
    *labels = (InlineLabels){0};
}
