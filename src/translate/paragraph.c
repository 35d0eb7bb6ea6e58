#include "translate/paragraph.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/utf8.h"
#include "translate/combination.h"

#include <assert.h>

// Of a part of a long sentence. By itself it may have other subwords than within the whole, so
// there is room for more.
enum { MAX_PART_SUBWORDS = MAX_TRANSLATION_SUBWORDS * 9 / 10 };

// Adds a piece of `paragraphs->text`, with the spans that are in it.
static Status add_piece(Paragraphs *paragraphs, size_t text, size_t begin, size_t length,
                        Error *error)
{
    Spans *spans = &paragraphs->spans;
    const Spans *all = &paragraphs->text.spans;
    Piece piece = {.text = text,
                   .place = paragraphs->normal.length + begin,
                   .length = length,
                   .begin = begin,
                   .first_span = spans->count};
    for (; paragraphs->next_span < all->count; paragraphs->next_span++) {
        const Span span = all->items[paragraphs->next_span];
        if (span.begin >= begin + length) break;
        TRY(array_reserve(&spans->items, &spans->capacity, spans->count + 1, "spans", error));
        spans->items[spans->count++] = (Span){span.begin - begin, span.end - begin};
    }
    piece.span_count = spans->count - piece.first_span;
    TRY(array_reserve(&paragraphs->pieces, &paragraphs->capacity, paragraphs->count + 1,
                      "sentences", error));
    paragraphs->pieces[paragraphs->count++] = piece;
    return STATUS_OK;
}

// The span of `paragraphs->text` that a place divides, or NULL.
static const Span *divided_span(const Paragraphs *paragraphs, size_t place)
{
    const Spans *spans = &paragraphs->text.spans;
    const Span *span = spans_ending_behind(spans->items, spans->count, place);
    return span && span->begin < place ? span : NULL;
}

// Where a part of at most `most` bytes ends, between clauses and outside of spans.
static size_t part_end(const Paragraphs *paragraphs, size_t begin, size_t end, size_t most)
{
    const char *text = bytes_text(&paragraphs->text.text);
    size_t cut = begin + clause_end(text + begin, end - begin, most);
    const Span *span = divided_span(paragraphs, cut);
    if (!span) return cut;
    if (span->begin <= begin) return span->end;
    return span->begin - (text[span->begin - 1] == ' ');
}

// Adds a sentence of `paragraphs->text`, in parts if it is longer than the model reads.
static Status add_sentence(Paragraphs *paragraphs, size_t text, Sentence sentence, Error *error)
{
    const char *bytes = bytes_text(&paragraphs->text.text);
    size_t length = sentence.end - sentence.begin, at = sentence.begin;
    Subwords *subwords = &paragraphs->subwords;
    subwords->count = 0;
    if (length > MAX_TRANSLATION_SUBWORDS) // no subword is shorter than a byte
        TRY(vocabulary_encode(paragraphs->vocabulary, bytes + at, length, subwords, error));
    for (size_t i = 0; subwords->count - i > MAX_TRANSLATION_SUBWORDS;) {
        size_t most = sentence.begin + subwords->ends[i + MAX_PART_SUBWORDS - 1] - at;
        size_t end = part_end(paragraphs, at, sentence.end, most);
        TRY(add_piece(paragraphs, text, at, end - at, error));
        at = end + (bytes[end] == ' ');
        while (i < subwords->count && sentence.begin + subwords->ends[i] <= at) i++;
    }
    return at < sentence.end ? add_piece(paragraphs, text, at, sentence.end - at, error)
                             : STATUS_OK;
}

/* Where the text begins behind the marker of a list, which is a piece of its own. Only where what
 * is all number or mark is not translated. */
static Status add_marker(Paragraphs *paragraphs, size_t text, size_t *begin, Error *error)
{
    const Bytes *normal = &paragraphs->text.text;
    *begin = 0;
    if (!paragraphs->finds) return STATUS_OK;
    size_t end = list_marker_end(bytes_text(normal), normal->length, paragraphs->languages[0]);
    if (end == 0 || divided_span(paragraphs, end)) return STATUS_OK;
    *begin = end + (normal->data[end] == ' ');
    return add_piece(paragraphs, text, 0, end, error);
}

static Status split(Paragraphs *paragraphs, size_t text, Error *error)
{
    const Bytes *normal = &paragraphs->text.text;
    Sentences *sentences = &paragraphs->sentences;
    size_t begin;
    TRY(add_marker(paragraphs, text, &begin, error));
    TRY(sentences_split(sentences, paragraphs->languages[0], bytes_text(normal) + begin,
                        normal->length - begin, error));
    for (size_t i = 0; i < sentences->count; i++) {
        sentences->items[i].begin += begin;
        sentences->items[i].end += begin;
    }
    for (size_t i = 0; i < sentences->count; i++) {
        Sentence sentence = sentences->items[i];
        const Span *span;
        while ((span = divided_span(paragraphs, sentence.end)))
            while (sentence.end < span->end) sentence.end = sentences->items[++i].end;
        TRY(add_sentence(paragraphs, text, sentence, error));
    }
    return STATUS_OK;
}

static Status read_text(Paragraphs *paragraphs, const GivenTexts *given, size_t i, Error *error)
{
    size_t first = paragraphs->count, first_span = paragraphs->spans.count;
    NormalText *normal = &paragraphs->text;
    TRY(normal_text_read(normal, given->texts[i], given->spans ? &given->spans[i] : NULL,
                         paragraphs->finds, error));
    paragraphs->invalid[i] = normal->invalid;
    paragraphs->next_span = 0;
    bool begun = given->prefixes && given->prefixes[i].length > 0;
    if (paragraphs->splits && !begun) TRY(split(paragraphs, i, error));
    if (paragraphs->count - first < 2) {
        paragraphs->count = first;
        paragraphs->spans.count = first_span;
        paragraphs->next_span = 0;
        TRY(add_piece(paragraphs, i, 0, normal->text.length, error));
        paragraphs->pieces[first].whole = true;
    }
    return bytes_append(&paragraphs->normal, bytes_text(&normal->text), normal->text.length, error);
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
                         .span_count = piece->span_count};
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
    normal_text_free(&paragraphs->text);
    sentences_free(&paragraphs->sentences);
    subwords_free(&paragraphs->subwords);
    *paragraphs = (Paragraphs){0};
}

// The last character of a text, or its first one, that is no quotation mark, which all scripts
// share.
static uint32_t edge(TextView text, bool last)
{
    uint32_t found = 0;
    for (size_t at = 0; at < text.length && (last || !found);) {
        uint32_t c = utf8_next(text.data, text.length, &at);
        if (!utf8_is_among(c, "\"'“”‘’")) found = c;
    }
    return found;
}

static bool is_unspaced_between(TextView left, TextView right)
{
    return utf8_is_unspaced(edge(left, true)) || utf8_is_unspaced(edge(right, false));
}

static TextView view(const Bytes *text)
{
    return (TextView){bytes_text(text), text->length};
}

/* Whether there is a space between two renderings: not where their script has none, which the
 * target's language says or else they do; nor where a word of the source was parted. */
static bool is_spaced(const Paragraphs *paragraphs, const Translation *left,
                      const Translation *right, const Rendering *before, const Rendering *after)
{
    const Language *target = paragraphs->languages[1];
    bool by_script = !target || target->letters_per_word > 0;
    bool spaced = left->begin + left->source.length < right->begin;
    if (spaced && !utf8_has(left->source.data, left->source.length, utf8_is_letter))
        return true; // behind a list's marker
    if (by_script && is_unspaced_between(view(&before->text), view(&after->text))) return false;
    return spaced || is_unspaced_between(view(&left->source), view(&right->source));
}

static size_t count_subwords(const Translation *translation, const Rendering *rendering)
{
    size_t count = 0;
    for (size_t i = 0; i < translation->sentence_count; i++) {
        const Translation *sentence = &translation->sentences[i];
        count += rendering ? sentence->renderings[rendering->places[i].rendering].subwords.count
                           : sentence->source_subwords.count;
    }
    return count;
}

static Status reserve_subwords(Subwords *subwords, size_t count, Error *error)
{
    TRY(array_new(&subwords->ids, count, "subwords", error));
    TRY(array_new(&subwords->ends, count, "subwords", error));
    subwords->capacity = count;
    return STATUS_OK;
}

// Appends subwords of a text that begins at `begin`.
static void append_subwords(Subwords *subwords, const Subwords *more, size_t begin)
{
    for (size_t i = 0; i < more->count; i++) {
        subwords->ids[subwords->count] = more->ids[i];
        subwords->ends[subwords->count++] = more->ends[i] + (uint32_t)begin;
    }
}

// Joins the chosen rendering of each sentence.
static Status join_rendering(const Paragraphs *paragraphs, const Translation *translation,
                             const size_t *choices, Rendering *rendering, Error *error)
{
    size_t count = translation->sentence_count;
    const Translation *sentences = translation->sentences;
    const Rendering *before = NULL;
    TRY(array_new(&rendering->places, count, "sentences", error));
    for (size_t i = 0; i < count; i++) {
        const Rendering *part = &sentences[i].renderings[choices[i]];
        if (before && is_spaced(paragraphs, &sentences[i - 1], &sentences[i], before, part))
            TRY(bytes_append(&rendering->text, " ", 1, error));
        rendering->places[i] = (SentencePlace){choices[i], rendering->text.length};
        TRY(bytes_append(&rendering->text, bytes_text(&part->text), part->text.length, error));
        rendering->log_p += part->log_p;
        rendering->incomplete |= part->incomplete;
        rendering->score += part->score / (double)count;
        before = part;
    }
    TRY(reserve_subwords(&rendering->subwords, count_subwords(translation, rendering), error));
    for (size_t i = 0; i < count; i++) {
        const SentencePlace *place = &rendering->places[i];
        append_subwords(&rendering->subwords, &sentences[i].renderings[place->rendering].subwords,
                        place->begin);
    }
    return STATUS_OK;
}

// The k-th sample of each sentence, for as many as all have.
static size_t choose_samples(size_t *choices, size_t n_best, const Translation *sentences,
                             size_t count)
{
    size_t found = n_best;
    for (size_t i = 0; i < count; i++)
        if (sentences[i].count < found) found = sentences[i].count;
    for (size_t k = 0; k < found; k++)
        for (size_t i = 0; i < count; i++) choices[k * count + i] = k;
    return found;
}

static Status join_renderings(const Paragraphs *paragraphs, size_t n_best, bool sampled,
                              Translation *translation, Error *error)
{
    size_t count = translation->sentence_count, found;
    size_t *choices; // (n_best, count)
    TRY(array_new(&choices, n_best * count, "translations", error));
    Status status = STATUS_OK;
    if (sampled)
        found = choose_samples(choices, n_best, translation->sentences, count);
    else
        status = combinations_find(choices, &found, n_best, translation->sentences, count, error);
    if (!status) status = array_new(&translation->renderings, found, "translations", error);
    for (size_t k = 0; !status && k < found; k++) {
        translation->count++;
        status = join_rendering(paragraphs, translation, choices + k * count,
                                &translation->renderings[k], error);
    }
    memory_free(choices);
    return status;
}

// Joins the translations of the pieces of one text, which it takes over.
static Status join(const Paragraphs *paragraphs, const Piece *pieces, Translation *sentences,
                   size_t count, size_t n_best, bool sampled, Translation *out, Error *error)
{
    const Piece *last = &pieces[count - 1];
    size_t place = pieces->place - pieces->begin;
    size_t length = last->begin + last->length;
    TRY(array_new(&out->sentences, count, "sentences", error));
    out->sentence_count = count;
    for (size_t i = 0; i < count; i++) {
        out->sentences[i] = sentences[i];
        out->sentences[i].begin = pieces[i].begin;
        out->cut |= sentences[i].cut;
        sentences[i] = (Translation){0};
    }
    out->invalid = paragraphs->invalid[pieces->text];
    TRY(bytes_append(&out->source, bytes_text(&paragraphs->normal) + place, length, error));
    TRY(reserve_subwords(&out->source_subwords, count_subwords(out, NULL), error));
    for (size_t i = 0; i < count; i++)
        append_subwords(&out->source_subwords, &out->sentences[i].source_subwords,
                        out->sentences[i].begin);
    return join_renderings(paragraphs, n_best, sampled, out, error);
}

Status paragraphs_join(const Paragraphs *paragraphs, Translation *pieces, size_t n_best,
                       bool sampled, Translation *translations, size_t count, Error *error)
{
    Status status = STATUS_OK;
    for (size_t i = 0; i < count; i++) translations[i] = (Translation){0};
    for (size_t first = 0, next; first < paragraphs->count && !status; first = next) {
        const Piece *piece = &paragraphs->pieces[first];
        Translation *out = &translations[piece->text];
        for (next = first + 1; next < paragraphs->count; next++)
            if (paragraphs->pieces[next].text != piece->text) break;
        assert(piece->whole == (next - first == 1));
        if (!piece->whole) {
            status =
                join(paragraphs, piece, pieces + first, next - first, n_best, sampled, out, error);
            continue;
        }
        *out = pieces[first];
        out->invalid += paragraphs->invalid[piece->text];
        pieces[first] = (Translation){0};
    }
    for (size_t i = 0; i < paragraphs->count; i++) translation_free(&pieces[i]);
    return status;
}
