#include "reading/paragraph.h"

#include "base/array.h"
#include "reading/line_mark.h"
#include "reading/lists.h"
#include "reading/untranslated_spans.h"
#include "text/utf8.h"

// Of a part of a long sentence: as many subwords as the sentences have that models are trained on,
// which have fewer where there is no comma, since what is longer is several sentences run together;
// and so few spans, where there are no placeholders, that search, whose cost grows by their square,
// stays fast.
enum { MAX_PART_SUBWORDS = 50, MAX_BARE_SUBWORDS = 25, MAX_PART_SPANS = 8 };

// Adds a piece of `paragraphs->text`, with the spans that are in it.
static Status add_piece(Paragraphs *paragraphs, size_t text, size_t begin, size_t length,
                        Error *error)
{
    Spans *spans = &paragraphs->spans;
    const Spans *all = &paragraphs->text_spans, *items = &paragraphs->items;
    const Span *item = spans_ending_behind(items->items, items->count, begin);
    Piece piece = {.text = text,
                   .place = paragraphs->normal.length + begin,
                   .length = length,
                   .begin = begin,
                   .first_span = spans->count};
    for (; item && item < items->items + items->count && item->begin < begin + length; item++)
        TRY(spans_append(spans, (Span){item->begin - begin, item->end - begin}, error));
    while (paragraphs->next_span < all->count &&
           all->items[paragraphs->next_span].begin < begin + length)
        paragraphs->next_span++;
    piece.span_count = spans->count - piece.first_span;
    return array_add(&paragraphs->pieces, &paragraphs->count, &paragraphs->capacity, "sentences",
                     error, piece);
}

// The span of `paragraphs->text` that a place divides, or NULL.
static const Span *divided_span(const Paragraphs *paragraphs, size_t place)
{
    return spans_divided_at(paragraphs->text_spans.items, paragraphs->text_spans.count, place);
}

// Where a part of at most `most` bytes ends, between clauses and outside of spans.
static size_t part_end(const Paragraphs *paragraphs, size_t begin, size_t end, size_t most)
{
    const char *text = bytes_text(&paragraphs->text.text);
    size_t cut = begin + clause_end(text + begin, end - begin, most, paragraphs->languages[0]);
    const Span *span = divided_span(paragraphs, cut);
    if (!span) return cut;
    if (span->begin <= begin) return span->end;
    return span->begin - (text[span->begin - 1] == ' ');
}

/* Where a sentence's rest has `most` subwords, from the `first`-th, or it ends; *count of them. Those
 * of spans that placeholders stand for do not count. */
static size_t behind_subwords(const Paragraphs *paragraphs, Span sentence, size_t first,
                              size_t most, size_t *count)
{
    const Subwords *subwords = &paragraphs->subwords;
    const Spans *spans = &paragraphs->text_spans;
    size_t span = paragraphs->next_span, end = sentence.end;
    size_t last = span + paragraphs->placeholders;
    if (last > spans->count) last = spans->count;
    *count = 0;
    for (size_t i = first; i < subwords->count && *count < most; i++) {
        end = sentence.begin + subwords->ends[i];
        while (span < last && spans->items[span].end < end) span++;
        *count += span == last || spans->items[span].begin >= end;
    }
    return end;
}

// The first span behind a part of a sentence's rest, of whose spans all parts have as many.
static size_t behind_spans(const Paragraphs *paragraphs, size_t end)
{
    const Spans *spans = &paragraphs->text_spans;
    size_t most = paragraphs->placeholders ? paragraphs->placeholders : MAX_PART_SPANS;
    size_t first = paragraphs->next_span, last = first;
    while (last < spans->count && spans->items[last].begin < end) last++;
    size_t parts = (last - first + most - 1) / most;
    return parts > 1 ? first + (last - first + parts - 1) / parts : last;
}

/* How many bytes a part of so many subwords may have of a sentence's rest, which begins at `begin`
 * with the `first`-th; all of it if it need not be parted. The last two parts share evenly. */
static size_t most_of_part(const Paragraphs *paragraphs, Span sentence, size_t begin, size_t first,
                           size_t limit)
{
    const Spans *spans = &paragraphs->text_spans;
    size_t left, end = sentence.end, span = behind_spans(paragraphs, sentence.end);
    (void)behind_subwords(paragraphs, sentence, first, 2 * limit, &left);
    size_t taken = left / 2 + limit / 4;
    if (taken > limit) taken = limit;
    if (left > limit) end = behind_subwords(paragraphs, sentence, first, taken, &left);
    if (span < spans->count && spans->items[span].begin < end) end = spans->items[span].begin;
    return end - begin;
}

// Adds a sentence of `paragraphs->text`, in parts if it is long.
static Status add_sentence(Paragraphs *paragraphs, size_t text, Span sentence, Error *error)
{
    const char *bytes = bytes_text(&paragraphs->text.text);
    size_t length = sentence.end - sentence.begin, at = sentence.begin, most;
    Subwords *subwords = &paragraphs->subwords;
    size_t first = paragraphs->count;
    subwords->count = 0;
    if (length > MAX_PART_SUBWORDS) // no subword is shorter than a byte
        TRY(vocabulary_encode(paragraphs->vocabulary, bytes + at, length, subwords, error));
    for (size_t i = 0;;) {
        most = most_of_part(paragraphs, sentence, at, i, MAX_PART_SUBWORDS);
        size_t end = part_end(paragraphs, at, sentence.end, most);
        if (subwords->count > MAX_PART_SUBWORDS &&
            !utf8_is_among(utf8_before(bytes, end), ",;:，；：、")) {
            most = most_of_part(paragraphs, sentence, at, i, MAX_BARE_SUBWORDS);
            end = part_end(paragraphs, at, sentence.end, most);
        }
        if (most >= sentence.end - at) break;
        TRY(add_piece(paragraphs, text, at, end - at, error));
        at = end + (bytes[end] == ' ');
        while (i < subwords->count && sentence.begin + subwords->ends[i] <= at) i++;
    }
    if (at < sentence.end) TRY(add_piece(paragraphs, text, at, sentence.end - at, error));
    const bool plain = paragraphs->count - first > 1 &&
                       letter_case_of(bytes + sentence.begin, length) == CASE_SENTENCE;
    for (size_t i = first; i < paragraphs->count; i++) {
        paragraphs->pieces[i].goes_on = i > first;
        paragraphs->pieces[i].of_sentence = plain;
    }
    return STATUS_OK;
}

/* Where the text begins behind the marks of its line, which are a piece of their own. Only where what
 * is all number or mark is not translated. */
static Status add_line_mark(Paragraphs *paragraphs, size_t text, size_t *begin, Error *error)
{
    const Bytes *normal = &paragraphs->text.text;
    *begin = 0;
    if (paragraphs->placeholders == 0) return STATUS_OK;
    size_t end = line_mark_end(bytes_view(normal), paragraphs->languages[0]);
    if (end == 0 || divided_span(paragraphs, end)) return STATUS_OK;
    *begin = end + (normal->data[end] == ' ');
    TRY(add_piece(paragraphs, text, 0, end, error));
    paragraphs->pieces[paragraphs->count - 1].mark = true;
    return STATUS_OK;
}

static Status split(Paragraphs *paragraphs, size_t text, Error *error)
{
    const Bytes *normal = &paragraphs->text.text;
    Spans *sentences = &paragraphs->sentences;
    size_t begin;
    TRY(add_line_mark(paragraphs, text, &begin, error));
    TRY(sentences_split(sentences, paragraphs->languages[0], bytes_text(normal) + begin,
                        normal->length - begin, error));
    for (size_t i = 0; i < sentences->count; i++) {
        sentences->items[i].begin += begin;
        sentences->items[i].end += begin;
    }
    for (size_t i = 0; i < sentences->count; i++) {
        Span sentence = sentences->items[i];
        const Span *span;
        while ((span = divided_span(paragraphs, sentence.end)))
            while (sentence.end < span->end) sentence.end = sentences->items[++i].end;
        TRY(add_sentence(paragraphs, text, sentence, error));
    }
    return STATUS_OK;
}

// Adds the spans given of a text where they are in its normal form.
static Status add_given_spans(Paragraphs *paragraphs, const Spans *given, Error *error)
{
    for (size_t i = 0; i < given->count; i++) {
        Span span = mapped_span(&paragraphs->text, given->items[i]);
        if (span.begin < span.end) TRY(spans_add(&paragraphs->items, span, error));
    }
    return STATUS_OK;
}

// Sets `text` to a text's normal form, and `items` and `text_spans` to what of it stays as it is.
static Status normalise_text(Paragraphs *paragraphs, const GivenTexts *given, size_t i,
                             Error *error)
{
    MappedText *text = &paragraphs->text;
    Spans *items = &paragraphs->items, *found = &paragraphs->found;
    const TextView view = given->texts[i];
    items->count = paragraphs->text_spans.count = 0;
    TRY(mapped_normalise(text, view.data, view.length, &paragraphs->invalid[i], error));
    if (given->spans) TRY(add_given_spans(paragraphs, &given->spans[i], error));
    if (paragraphs->placeholders > 0) {
        TRY(untranslated_spans_find(found, bytes_text(&text->text), text->text.length, error));
        if (found->count > 0) TRY(spans_merge(items, found, error));
    }
    return lists_join(&paragraphs->text_spans, items, bytes_view(&text->text),
                      paragraphs->languages, error);
}

static Status read_text(Paragraphs *paragraphs, const GivenTexts *given, size_t i, Error *error)
{
    size_t first = paragraphs->count, first_span = paragraphs->spans.count;
    const Bytes *normal = &paragraphs->text.text;
    TRY(normalise_text(paragraphs, given, i, error));
    paragraphs->next_span = 0;
    bool begun = given->prefixes && given->prefixes[i].length > 0;
    if (paragraphs->splits && !begun && !(given->whole && given->whole[i]))
        TRY(split(paragraphs, i, error));
    if (paragraphs->count - first < 2) {
        paragraphs->count = first;
        paragraphs->spans.count = first_span;
        paragraphs->next_span = 0;
        TRY(add_piece(paragraphs, i, 0, normal->length, error));
        paragraphs->pieces[first].whole = true;
    }
    return bytes_append_view(&paragraphs->normal, bytes_view(normal), error);
}

Status paragraphs_read(Paragraphs *paragraphs, const GivenTexts *given, Error *error)
{
    TRY(array_new(&paragraphs->invalid, given->count, "texts", error));
    for (size_t i = 0; i < given->count; i++) TRY(read_text(paragraphs, given, i, error));
    size_t count = paragraphs->count;
    TRY(array_new(&paragraphs->views, count, "sentences", error));
    if (given->prefixes) TRY(array_new(&paragraphs->prefixes, count, "prefixes", error));
    for (size_t i = 0; i < count; i++) {
        const Piece *piece = &paragraphs->pieces[i];
        const Span *spans =
            piece->span_count > 0 ? paragraphs->spans.items + piece->first_span : NULL;
        paragraphs->views[i] =
            (NormalView){.text = {bytes_text(&paragraphs->normal) + piece->place, piece->length},
                         .spans = spans,
                         .span_count = piece->span_count,
                         .stays = piece->mark,
                         .goes_on = piece->goes_on,
                         .of_sentence = piece->of_sentence,
                         .marked = given->spans && given->spans[piece->text].count > 0};
        if (given->prefixes && piece->whole) paragraphs->prefixes[i] = given->prefixes[piece->text];
    }
    return STATUS_OK;
}

Status paragraphs_number(uint64_t **numbers, const Paragraphs *paragraphs, uint64_t first,
                         Error *error)
{
    enum { TEXT_BITS = 40 };
    uint64_t sentence = 0;
    TRY(array_new(numbers, paragraphs->count, "sentences", error));
    for (size_t i = 0; i < paragraphs->count; i++) {
        size_t text = paragraphs->pieces[i].text;
        sentence = i > 0 && paragraphs->pieces[i - 1].text == text ? sentence + 1 : 0;
        (*numbers)[i] = first + text + (sentence << TEXT_BITS);
    }
    return STATUS_OK;
}

void paragraphs_free(Paragraphs *paragraphs)
{
    memory_free(paragraphs->pieces);
    memory_free(paragraphs->invalid);
    memory_free(paragraphs->views);
    memory_free(paragraphs->prefixes);
    bytes_free(&paragraphs->normal);
    spans_free(&paragraphs->spans);
    mapped_free(&paragraphs->text);
    spans_free(&paragraphs->text_spans);
    spans_free(&paragraphs->items);
    spans_free(&paragraphs->found);
    spans_free(&paragraphs->sentences);
    subwords_free(&paragraphs->subwords);
    *paragraphs = (Paragraphs){0};
}
