#include "translate/recall.h"

#include "base/array.h"
#include "reading/phrase.h"
#include "text/utf8.h"
#include "text/word_list.h"

bool recall_is_exact(const Recall *recall)
{
    return recall->match.similarity >= CASE_SIMILARITY;
}

// Of a token of the match's target.
enum {
    LINKED = 1,
    DIFFERS = 2,
    REPLACED = 4,    // by other words of the text
    OPEN_BEFORE = 8, // there may be other words before it
    OPEN_BEHIND = 16,
};

// The tokens of a match and of a text, while they are compared.
typedef struct Comparison {
    const MemoryMatch *match;
    AlignerTokens source, target, text;
    Alignment alignment;
    unsigned char *marks; // (target tokens)
    Span *places;         // (target tokens) of the text
    bool open_begin, open_end;
    size_t room; // bytes of the text that no token of the source is paired with
} Comparison;

static void comparison_free(Comparison *comparison)
{
    aligner_tokens_free(&comparison->source);
    aligner_tokens_free(&comparison->target);
    aligner_tokens_free(&comparison->text);
    alignment_free(&comparison->alignment);
    memory_free(comparison->marks);
    memory_free(comparison->places);
}

static size_t pieces(const Comparison *comparison)
{
    return comparison->target.places.count;
}

// Marks the target tokens that are linked to a token of the source; whether there are any.
static bool mark(Comparison *comparison, size_t source, unsigned char marks)
{
    const Links *links = &comparison->alignment.links;
    bool any = false;
    for (size_t i = 0; i < links->count; i++) {
        if (links->items[i].source != source) continue;
        comparison->marks[links->items[i].target] |= marks;
        any = true;
    }
    return any;
}

/* Between two tokens of the source, or its ends, the text has words that take no other's place, or
 * none that is known: so there may be others behind what translates the first, and before what
 * translates the second. */
static void open_between(Comparison *comparison, size_t before, size_t behind)
{
    size_t count = comparison->match->count;
    if (before == count)
        comparison->open_begin = true;
    else
        (void)mark(comparison, before, OPEN_BEHIND);
    if (behind == count)
        comparison->open_end = true;
    else
        (void)mark(comparison, behind, OPEN_BEFORE);
}

// What is linked to the source's tokens, and where the text has other words than these.
static void mark_differences(Comparison *comparison)
{
    const MemoryMatch *match = comparison->match;
    const Spans *text = &comparison->text.places;
    size_t before = match->count; // the last that is the same; none
    size_t first = 0;             // of those that differ
    int32_t expected = 0;         // the text's token, if there is no difference
    for (size_t i = 0; i <= match->count; i++) {
        int32_t partner = i == match->count ? (int32_t)text->count : match->partners[i];
        bool replaced = partner != expected, linked = false;
        if (partner < 0) continue;
        for (; first < i; first++)
            linked |= mark(comparison, first,
                           (unsigned char)(LINKED | DIFFERS | (replaced ? REPLACED : 0)));
        if (replaced && !linked) open_between(comparison, before, i);
        for (; expected < partner; expected++)
            comparison->room += span_length(text->items[expected]);
        if (i < match->count) (void)mark(comparison, i, LINKED);
        expected = partner + 1;
        before = i;
        first = i + 1;
    }
}

// Whether a token must go with its neighbour, which does.
static bool goes_with(const Comparison *comparison, size_t i, size_t neighbour,
                      const Language *language)
{
    const Spans *places = &comparison->target.places;
    TextView word = aligner_tokens_spelling(&comparison->target, i);
    bool glued = i < neighbour ? places->items[i].end == places->items[neighbour].begin
                               : places->items[neighbour].end == places->items[i].begin;
    bool elided =
        glued && word.length > 1 && (word.data[0] == '\'' || word.data[word.length - 1] == '\'');
    return !(comparison->marks[i] & LINKED) || elided ||
           (language && word_list_has(language->words, word.data, word.length));
}

static void spread_differences(Comparison *comparison, const Language *language)
{
    size_t count = pieces(comparison);
    for (size_t i = 1; i < count; i++)
        if ((comparison->marks[i - 1] & DIFFERS) && goes_with(comparison, i, i - 1, language))
            comparison->marks[i] |= DIFFERS;
    for (size_t i = count; i-- > 1;)
        if ((comparison->marks[i] & DIFFERS) && goes_with(comparison, i - 1, i, language))
            comparison->marks[i - 1] |= DIFFERS;
}

/* The part of the text that each target token translates. A number, which may be read as a
 * placeholder, is a part of its own. */
static void place(Comparison *comparison)
{
    for (size_t i = 0; i < pieces(comparison); i++) {
        TextView word = aligner_tokens_spelling(&comparison->target, i);
        if (utf8_has(word.data, word.length, utf8_is_number))
            comparison->marks[i] |= OPEN_BEFORE | OPEN_BEHIND;
    }
    const Links *links = &comparison->alignment.links;
    const Spans *text = &comparison->text.places;
    for (size_t i = 0; i < links->count; i++) {
        int32_t partner = comparison->match->partners[links->items[i].source];
        if (partner >= 0)
            span_extend(&comparison->places[links->items[i].target], text->items[partner]);
    }
}

// Lists the runs of tokens that stay; none if there are too many.
static void list_kept(Recall *recall, const Comparison *comparison)
{
    const Spans *target = &comparison->target.places;
    size_t count = pieces(comparison);
    bool open = comparison->open_begin, word = false, kept = false, filled = false;
    recall->begins = recall->ends = false;
    for (size_t i = 0; i < count; i++) {
        const unsigned char marks = comparison->marks[i];
        kept = !(marks & DIFFERS);
        open |= marks & OPEN_BEFORE;
        if (kept && (open || recall->count == 0 || (comparison->marks[i - 1] & DIFFERS))) {
            if (recall->count == MAX_KEPT) break;
            recall->begins |= i == 0 && !comparison->open_begin;
            recall->kept[recall->count] = target->items[i];
            recall->filled[recall->count] = filled;
            filled = false;
            recall->places[recall->count++] = comparison->places[i];
        }
        if (kept) {
            recall->kept[recall->count - 1].end = target->items[i].end;
            word |= !aligner_tokens_is_mark(&comparison->target, i);
            span_extend(&recall->places[recall->count - 1], comparison->places[i]);
        }
        open = marks & OPEN_BEHIND;
        filled |= marks & REPLACED;
    }
    recall->ends = kept && !comparison->open_end;
    recall->room = comparison->room + recall->match.target.length;
    for (size_t i = 0; i < recall->count; i++) recall->room -= span_length(recall->kept[i]);
    if (!word || recall->count == MAX_KEPT) recall->count = 0;
}

Status recall_read(Recall *recall, TextView text, const LinkReading *reading,
                   const Language *language, Error *error)
{
    FREED_BY(comparison_free) Comparison comparison = {.match = &recall->match};
    const Spans *const units[2] = {&comparison.source.places, &comparison.target.places};
    const TextView source = bytes_view(&recall->match.source),
                   target = bytes_view(&recall->match.target);
    recall->count = 0;
    if (recall->forced.cut || recall->forced.count == 0) return STATUS_OK;
    TRY(aligner_tokens_set(&comparison.source, source.data, source.length, error));
    TRY(aligner_tokens_set(&comparison.target, target.data, target.length, error));
    TRY(aligner_tokens_set(&comparison.text, text.data, text.length, error));
    TRY(array_new(&comparison.marks, pieces(&comparison), "a memory", error));
    TRY(array_new(&comparison.places, pieces(&comparison), "a memory", error));
    TRY(alignment_of_units(&comparison.alignment, &recall->forced, recall->forced.renderings, units,
                           reading, error));
    mark_differences(&comparison);
    spread_differences(&comparison, language);
    place(&comparison);
    list_kept(recall, &comparison);
    return STATUS_OK;
}

static TextView kept_text(const Recall *recall, size_t i)
{
    return span_text(bytes_view(&recall->match.target), recall->kept[i]);
}

Status recall_require(Constraints *constraints, const Recall *recall, const Reading *reading,
                      const Subwords *subwords, Error *error)
{
    for (size_t i = 0; i < recall->count; i++) {
        const Span place = recall->places[i];
        size_t before = constraints->count;
        // what a placeholder stands for is asked for already
        if (place.end > 0 && spans_overlap(reading->placed, reading->placed_count, place)) continue;
        TRY(phrase_add(constraints, PHRASE_NEW, reading->context->target, kept_text(recall, i),
                       error));
        if (constraints->count > before && place.end > 0)
            phrase_place(constraints, subwords, place);
    }
    return STATUS_OK;
}

enum { MORE_BYTES = 12 };

// Of a part of a rendering nothing is doubtful.
static void make_certain(const Rendering *rendering, Span span)
{
    const Subwords *subwords = &rendering->subwords;
    for (size_t i = 0, begin = 0; i < subwords->count; begin = subwords->ends[i++])
        if (begin >= span.begin && subwords->ends[i] <= span.end) rendering->log_ps[i] = 0;
}

/* Whether a rendering has the parts, one behind the other, and not much more than what takes the
 * place of what is left out; those that it has are certain. */
static bool has_kept(const Recall *recall, const Rendering *rendering)
{
    const TextView text = bytes_view(&rendering->text);
    size_t at = 0, others = text.length;
    for (size_t i = 0; i < recall->count; i++) {
        const TextView kept = kept_text(recall, i);
        bool last = recall->ends && i + 1 == recall->count;
        const size_t before = at;
        if (last && text.length >= at + kept.length) at = text.length - kept.length;
        while (at + kept.length <= text.length && memcmp(text.data + at, kept.data, kept.length)) {
            if (i == 0 && recall->begins) return false;
            at++;
        }
        if (at + kept.length > text.length ||
            (recall->filled[i] && !utf8_has(text.data + before, at - before, utf8_is_word)))
            return false;
        if (rendering->log_ps)
            make_certain(rendering, (Span){at > 0 ? at - 1 : 0, at + kept.length});
        at += kept.length;
        others -= kept.length;
    }
    return 2 * others <= 3 * recall->room + MORE_BYTES;
}

bool recall_choose(Translation *translation, const Recall *recall, size_t n_best)
{
    size_t left = 0;
    for (size_t i = 0; i < translation->count; i++) {
        Rendering *rendering = &translation->renderings[i];
        if (left == n_best || !has_kept(recall, rendering)) continue;
        Rendering taken = *rendering;
        *rendering = translation->renderings[left];
        translation->renderings[left++] = taken;
    }
    if (left == 0) return false;
    while (translation->count > left)
        rendering_free(&translation->renderings[--translation->count]);
    return true;
}

void recall_free(Recall *recall)
{
    memory_match_free(&recall->match);
    translation_free(&recall->forced);
    *recall = (Recall){0};
}
