#include "html/placement.h"

#include "base/array.h"
#include "text/html_reference.h"
#include "text/utf8.h"

enum { MAX_STEPS = 16 }; // source tokens looked at for one that is linked

// Objects and empty elements, by the gap between target tokens they stand in.
typedef struct Placement {
    const MarkedPair *pair;
    const InlineLabels *labels;
    TextView target;
    size_t *heads; // (target tokens + 1) the first of each gap; NO_INLINE: none
    size_t *nexts; // (inlines) the next one of the same gap
} Placement;

static bool is_empty(const Placement *placement, size_t one)
{
    if (one == NO_INLINE || placement->pair->inlines[one].kept) return false;
    const ElementSpan *span = &placement->labels->spans[1][one];
    return !placement->pair->inlines[one].close.data || span->first > span->last;
}

static size_t label_at(const Placement *placement, size_t token)
{
    return token < placement->pair->target->places.count ? placement->labels->target[token]
                                                         : NO_INLINE;
}

/* The last gap behind, or the first before, what a source token is linked with within `parent`;
 * NO_INLINE if that is nothing. */
static size_t linked_gap(const Placement *placement, size_t token, size_t parent, bool behind)
{
    const MarkedPair *pair = placement->pair;
    const Links *links = pair->links;
    size_t found = NO_INLINE;
    for (size_t i = links_from(links, (Link){.source = (uint32_t)token}); i < links->count; i++) {
        Link link = links->items[i];
        if (link.source != token) break;
        size_t gap = link.target + (size_t)behind;
        if (!inline_link_counts(pair, link) ||
            !inline_within(pair->inlines, label_at(placement, link.target), parent))
            continue;
        if (found == NO_INLINE || (behind ? gap > found : gap < found)) found = gap;
    }
    return found;
}

/* A gap in which something of `parent` can stand: not in the middle of an element within that. */
static size_t leave_elements(const Placement *placement, size_t gap, size_t parent)
{
    const HtmlInline *inlines = placement->pair->inlines;
    if (gap == 0) return gap;
    size_t common = inline_common(inlines, label_at(placement, gap - 1), label_at(placement, gap));
    if (common == parent || !inline_within(inlines, common, parent)) return gap;
    while (inlines[common].parent != parent) common = inlines[common].parent;
    return placement->labels->spans[1][common].last + 1;
}

static size_t find_gap(const Placement *placement, size_t one)
{
    const MarkedPair *pair = placement->pair;
    size_t parent = pair->inlines[one].parent, gap = NO_INLINE;
    size_t whole = parent == NO_INLINE ? pair->inline_count : parent;
    ElementSpan source = placement->labels->spans[0][whole];
    ElementSpan target = placement->labels->spans[1][whole];
    size_t before = units_before(&pair->source->places, pair->inlines[one].begin);
    if (source.first > source.last || before > source.last) return target.last + 1;
    if (before <= source.first) return target.first;
    for (size_t s = before; gap == NO_INLINE && s-- > source.first && before - s <= MAX_STEPS;)
        gap = linked_gap(placement, s, parent, true);
    for (size_t s = before; gap == NO_INLINE && s <= source.last && s - before < MAX_STEPS; s++)
        gap = linked_gap(placement, s, parent, false);
    if (gap == NO_INLINE) {
        size_t tokens = source.last - source.first + 1, done = before - source.first;
        gap = target.first + done * (target.last + 1 - target.first) / tokens;
        if (!inline_within(pair->inlines, label_at(placement, gap - 1), parent))
            return target.last + 1;
    }
    return leave_elements(placement, gap, parent);
}

static Status place(Placement *placement, Error *error)
{
    const MarkedPair *pair = placement->pair;
    size_t gaps = pair->target->places.count + 1;
    TRY(array_new(&placement->heads, gaps, "HTML", error));
    TRY(array_new(&placement->nexts, pair->inline_count, "HTML", error));
    for (size_t gap = 0; gap < gaps; gap++) placement->heads[gap] = NO_INLINE;
    for (size_t i = pair->inline_count; i-- > 0;) { // each comes before those of its gap
        // what is in an empty element goes with that
        if (!is_empty(placement, i) || is_empty(placement, pair->inlines[i].parent) ||
            inline_is_gone(placement->labels, pair, i))
            continue;
        size_t gap = find_gap(placement, i);
        placement->nexts[i] = placement->heads[gap];
        placement->heads[gap] = i;
    }
    return STATUS_OK;
}

// Writes bytes of the document.
static void write_copy(Writer *out, const Placement *placement, TextView bytes)
{
    const HtmlSyntax *syntax = placement->pair->syntax;
    if (syntax->write_tag && syntax->write_tag(out, bytes)) return;
    if (placement->pair->attributes)
        html_attributes_write(out, placement->pair->attributes, bytes);
    else
        writer_bytes(out, bytes.data, bytes.length);
}

// Writes an object, or an empty element with what is in it. At most MAX_HTML_DEPTH of them are
// nested.
static void write_empty(Writer *out, const Placement *placement, size_t one)
{
    const HtmlInline *inlines = placement->pair->inlines;
    write_copy(out, placement, inlines[one].open);
    if (!inlines[one].close.data) return;
    for (size_t i = one + 1; i < placement->pair->inline_count; i++) {
        if (!inline_within(inlines, i, one)) break;
        if (inlines[i].parent == one && !inlines[i].kept &&
            !inline_is_gone(placement->labels, placement->pair, i))
            write_empty(out, placement, i);
    }
    write_copy(out, placement, inlines[one].close);
}

// A gap between target tokens, before the first or behind the last.
typedef struct Gap {
    const Placement *placement;
    size_t number;
    Span text;   // the white space in it
    bool spaced; // there can be white space beside an object
} Gap;

static Gap gap_at(const Placement *placement, size_t number)
{
    const Spans *places = &placement->pair->target->places;
    const TextView target = placement->target;
    Gap gap = {placement, number, .text = {0, target.length}};
    if (number > 0) gap.text.begin = places->items[number - 1].end;
    if (number < places->count) gap.text.end = places->items[number].begin;
    if (number == places->count)
        gap.spaced = !utf8_is_unspaced(utf8_before(target.data, target.length));
    else if (number == 0)
        gap.spaced = !utf8_is_unspaced(utf8_at(target.data, target.length, 0));
    else
        gap.spaced = gap.text.end > gap.text.begin;
    return gap;
}

/* Writes what stands in the gap and in `parent`, before the gap's space. With `rest`, what belongs
 * behind that space ends it, and *rest is then the first that is not written. */
static void write_behind_text(Writer *out, const Gap *gap, size_t parent, size_t *rest)
{
    for (size_t i = gap->placement->heads[gap->number]; i != NO_INLINE;
         i = gap->placement->nexts[i]) {
        const HtmlInline *one = &gap->placement->pair->inlines[i];
        if (one->parent != parent) continue;
        if (rest) *rest = i;
        if (rest && one->space_before && !one->space_after && gap->spaced) return;
        if (one->space_before && gap->spaced) writer_string(out, " ");
        write_empty(out, gap->placement, i);
    }
    if (rest) *rest = NO_INLINE;
}

// The same behind the gap's space, beginning with `from`.
static void write_before_text(Writer *out, const Gap *gap, size_t parent, size_t from)
{
    for (size_t i = from; i != NO_INLINE; i = gap->placement->nexts[i]) {
        const HtmlInline *one = &gap->placement->pair->inlines[i];
        if (one->parent != parent) continue;
        write_empty(out, gap->placement, i);
        if (one->space_after && gap->spaced) writer_string(out, " ");
    }
}

static void write_target(Writer *out, const Placement *placement, Span part)
{
    const MarkedPair *pair = placement->pair;
    html_write_marked(out, pair->syntax, pair->doubts, placement->target, part);
}

// Ends the elements of the token before the gap that do not go on, and begins those of the next.
static void write_gap(Writer *out, const Placement *placement, size_t number)
{
    const HtmlInline *inlines = placement->pair->inlines;
    Gap gap = gap_at(placement, number);
    size_t before = label_at(placement, number - 1), after = label_at(placement, number);
    size_t common = inline_common(inlines, before, after), depth = 0, rest;
    size_t opened[MAX_HTML_DEPTH];
    for (; before != common; before = inlines[before].parent) {
        write_behind_text(out, &gap, before, NULL);
        write_copy(out, placement, inlines[before].close);
    }
    rest = placement->heads[number];
    if (number > 0)
        write_behind_text(out, &gap, common,
                          number < placement->pair->target->places.count ? &rest : NULL);
    write_target(out, placement, gap.text);
    if (number < placement->pair->target->places.count) write_before_text(out, &gap, common, rest);
    for (; after != common; after = inlines[after].parent) opened[depth++] = after;
    while (depth-- > 0) {
        write_copy(out, placement, inlines[opened[depth]].open);
        write_before_text(out, &gap, opened[depth], placement->heads[number]);
    }
}

static void write_token(Writer *out, const Placement *placement, size_t token)
{
    const MarkedPair *pair = placement->pair;
    const KeptToken *kept = kept_token_find(pair->kept, pair->kept_count, token);
    if (kept)
        write_copy(out, placement, kept->element);
    else
        write_target(out, placement, pair->target->places.items[token]);
}

void inline_placement_write(Writer *out, const MarkedPair *pair, const InlineLabels *labels,
                            TextView target)
{
    Placement placement = {.pair = pair, .labels = labels, .target = target};
    const Spans *places = &pair->target->places;
    if (!out->status) out->status = place(&placement, out->error);
    for (size_t t = 0; t <= places->count && !out->status; t++) {
        write_gap(out, &placement, t);
        if (t < places->count) write_token(out, &placement, t);
    }
    memory_free(placement.heads);
    memory_free(placement.nexts);
}
