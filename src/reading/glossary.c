#include "reading/glossary.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/string_map.h"
#include "base/writer.h"
#include "reading/phrase.h"
#include "reading/placeholders.h"
#include "text/normalise.h"
#include "text/utf8.h"

struct Glossary {
    const Vocabulary *vocabulary;
    /* Of each term its place in `translations`: of terms as they are written, and of those without
     * capitals, in small letters. */
    StringMap written, small;
    Bytes *translations; // (count) in normal form
    size_t count, capacity;
    bool lengths[MAX_TERM_CHARACTERS + 1]; // whether a term has so many characters
};

Status glossary_new(Glossary **out, const Vocabulary *target, Error *error)
{
    TRY(array_new(out, 1, "a glossary", error));
    (*out)->vocabulary = target;
    return STATUS_OK;
}

void glossary_free(Glossary *glossary)
{
    if (!glossary) return;
    for (size_t i = 0; i < glossary->count; i++) bytes_free(&glossary->translations[i]);
    memory_free(glossary->translations);
    string_map_free(&glossary->written);
    string_map_free(&glossary->small);
    memory_free(glossary);
}

// A text that is searched for terms, and the same in small letters, character by character.
typedef struct Search {
    TextView text, small;
    size_t at, small_at; // what is before has been searched
} Search;

// `small` is {0}, and freed behind the search.
static Status search_begin(Search *search, Bytes *small, TextView text, Error *error)
{
    for (size_t at = 0; at < text.length;)
        TRY(utf8_append(small, utf8_to_lower(utf8_next(text.data, text.length, &at)), error));
    *search = (Search){.text = text, .small = bytes_view(small)};
    return STATUS_OK;
}

static void step(const Search *search, size_t *at, size_t *small_at)
{
    (void)utf8_next(search->text.data, search->text.length, at);
    (void)utf8_next(search->small.data, search->small.length, small_at);
}

// The longest term that begins first, at a word, and has none of the spans (count), and its place; NULL:
// there is no more.
static const StringMapEntry *find_next(const Glossary *glossary, Search *search, const Span *spans,
                                       size_t count, Span *place)
{
    const StringMapEntry *found = NULL;
    while (!found && search->at < search->text.length) {
        Span span = {search->at, search->at}, small = {search->small_at, search->small_at};
        step(search, &search->at, &search->small_at);
        if (utf8_is_inside_word(search->text, span.begin)) continue;
        for (size_t n = 1; n <= MAX_TERM_CHARACTERS && span.end < search->text.length; n++) {
            step(search, &span.end, &small.end);
            if (!glossary->lengths[n] || utf8_is_inside_word(search->text, span.end) ||
                spans_overlap(spans, count, span))
                continue;
            const StringMapEntry *term = string_map_find(
                &glossary->written, search->text.data + span.begin, span.end - span.begin);
            if (!term)
                term = string_map_find(&glossary->small, search->small.data + small.begin,
                                       small.end - small.begin);
            if (!term) continue;
            found = term;
            *place = span;
            search->at = span.end;
            search->small_at = small.end;
        }
    }
    return found;
}

static Status require(const Glossary *glossary, const Bytes *translation, Constraints *constraints,
                      Error *error)
{
    FREED_BY(bytes_free) Bytes capital = {0};
    char title[4];
    uint32_t first;
    size_t rest = utf8_decode(translation->data, translation->length, &first, NULL);
    const TextView written = bytes_view(translation);
    TRY(phrase_add(constraints, PHRASE_NEW, glossary->vocabulary, written, error));
    if (utf8_to_title(first) == first) return STATUS_OK;
    Writer out = writer_start(&capital, error);
    writer_bytes(&out, title, utf8_encode(utf8_to_title(first), title));
    writer_bytes(&out, translation->data + rest, translation->length - rest);
    TRY(out.status);
    return phrase_add(constraints, PHRASE_INITIAL, glossary->vocabulary, bytes_view(&capital),
                      error);
}

Status glossary_require(const Glossary *glossary, const Reading *reading, const Subwords *subwords,
                        Constraints *constraints, Error *error)
{
    FREED_BY(bytes_free) Bytes small = {0};
    Search search;
    Span place;
    size_t length = subwords_begin(subwords, subwords->count);
    TRY(search_begin(&search, &small, (TextView){reading->given.text.data, length}, error));
    while (constraints->count < MAX_PHRASES) {
        const StringMapEntry *found =
            find_next(glossary, &search, reading->placed, reading->placed_count, &place);
        if (!found) break;
        TRY(require(glossary, &glossary->translations[found->value], constraints, error));
        phrase_place(constraints, subwords, place);
        constraints->loose |= (uint64_t)1 << (constraints->count - 1);
    }
    return STATUS_OK;
}

bool glossary_holds(const Glossary *glossary, TextView said, size_t place)
{
    for (size_t i = 0; i < glossary->count; i++) {
        const TextView term = bytes_view(&glossary->translations[i]);
        for (size_t rest = 1; rest < term.length && rest <= said.length - place; rest++) {
            if (place + rest < term.length) continue;
            const char *begin = said.data + place + rest - term.length; // there with a capital
            if (ascii_to_small(*begin) == ascii_to_small(*term.data) &&
                memcmp(begin + 1, term.data + 1, term.length - 1) == 0)
                return true;
        }
    }
    return false;
}

static Status find_terms(const Glossary *glossary, Spans *terms, TextView text, Error *error)
{
    FREED_BY(bytes_free) Bytes small = {0};
    Search search;
    Span place;
    TRY(search_begin(&search, &small, text, error));
    while (find_next(glossary, &search, NULL, 0, &place)) TRY(spans_add(terms, place, error));
    return STATUS_OK;
}

// The step: a word that the model does not know stays as it is only if it is no term.
static bool applies(const Reading *reading)
{
    return reading->glossary && reading_has_placeholders(reading);
}

// Whether a span is a term, of digits alone: then it does not stay as it is.
static bool is_number(TextView text, const Spans *terms, Span span)
{
    const Span *term = spans_beginning_at(terms->items, terms->count, span.begin);
    return term && term->end == span.end && text_view_is_digits(span_text(text, span));
}

static Status read(Reading *reading, Error *error)
{
    FREED_BY(spans_free) Spans terms = {0};
    Spans *spans = &reading->spans;
    const NormalView *given = &reading->given;
    TRY(find_terms(reading->glossary, &terms, given->text, error));
    size_t left = 0;
    for (size_t i = 0; i < spans->count; i++)
        if (!is_number(given->text, &terms, spans->items[i]) &&
            (spans_overlap(given->spans, given->span_count, spans->items[i]) ||
             !spans_overlap(terms.items, terms.count, spans->items[i])))
            spans->items[left++] = spans->items[i];
    spans->count = left;
    spans_leave_out(&reading->phrases, &terms);
    for (size_t i = left = 0; i < terms.count; i++)
        if (is_number(given->text, &terms, terms.items[i])) terms.items[left++] = terms.items[i];
    terms.count = left;
    if (left > 0) TRY(spans_merge(&reading->phrases, &terms, error));
    return STATUS_OK;
}

const ReadingStep glossary_step = {"glossary", applies, read, NULL};

// What is wrong with a term, of so many characters, and its translation in normal form.
static Status check(const Glossary *glossary, const Bytes *term, size_t characters,
                    const Bytes *translation, Error *error)
{
    if (characters == 0) return error_set(error, STATUS_FORMAT, "the term is empty");
    if (characters > MAX_TERM_CHARACTERS)
        return error_set(error, STATUS_FORMAT, "the term has more than %d characters",
                         MAX_TERM_CHARACTERS);
    if (translation->length == 0)
        return error_set(error, STATUS_FORMAT, "the translation of \"%s\" is empty", term->data);
    for (size_t at = 0; at < translation->length;)
        if (placeholder_next(bytes_text(translation), translation->length, &at) < MAX_PLACEHOLDERS)
            return error_set(error, STATUS_FORMAT,
                             "the translation of \"%s\" has a character from U+E000 to U+E003, "
                             "which stands for what stays as it is",
                             term->data);
    FREED_BY(subwords_free) Subwords subwords = {0};
    TRY(vocabulary_encode(glossary->vocabulary, translation->data, translation->length, &subwords,
                          error));
    if (subwords.count > MAX_PHRASE_TOKENS)
        return error_set(error, STATUS_FORMAT,
                         "the translation of \"%s\" has %zu subwords, more than %d", term->data,
                         subwords.count, MAX_PHRASE_TOKENS);
    return STATUS_OK;
}

// Takes over the translation, if it adds the term.
static Status add(Glossary *glossary, const Bytes *term, size_t characters, Bytes *translation,
                  Error *error)
{
    bool added, is_small = true;
    for (size_t at = 0; at < term->length && is_small;) {
        uint32_t c = utf8_next(term->data, term->length, &at);
        is_small = utf8_to_lower(c) == c;
    }
    TRY(array_reserve(&glossary->translations, &glossary->capacity, glossary->count + 1,
                      "a glossary", error));
    const StringMapEntry *entry =
        string_map_put(is_small ? &glossary->small : &glossary->written, term->data, term->length,
                       (int64_t)glossary->count, &added);
    if (!entry) return error_memory(error, term->length, "a glossary");
    if (added) {
        glossary->lengths[characters] = true;
        glossary->translations[glossary->count++] = *translation;
        *translation = (Bytes){0};
        return STATUS_OK;
    }
    const Bytes *there = &glossary->translations[entry->value];
    if (text_view_equal(bytes_view(there), bytes_view(translation))) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "\"%s\" is translated by \"%s\" here and by \"%s\" before; keep one of them",
                     term->data, translation->data, there->data);
}

Status glossary_add(Glossary *glossary, TextView term, TextView translation, Error *error)
{
    FREED_BY(bytes_free) Bytes given = {0}, wanted = {0};
    size_t characters = 0;
    TRY(normalise(&given, term.data, term.length, NULL, error));
    TRY(normalise(&wanted, translation.data, translation.length, NULL, error));
    for (size_t at = 0; at < given.length; characters++)
        (void)utf8_next(given.data, given.length, &at);
    TRY(check(glossary, &given, characters, &wanted, error));
    return add(glossary, &given, characters, &wanted, error);
}
