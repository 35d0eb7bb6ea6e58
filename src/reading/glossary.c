#include "reading/glossary.h"

#include "base/array.h"
#include "base/string_map.h"
#include "base/writer.h"
#include "reading/phrase.h"
#include "reading/placeholders.h"
#include "text/normalise.h"
#include "text/utf8.h"

struct Glossary {
    const Vocabulary *vocabulary;
    unsigned char *edges; // (vocabulary) of search/constraints.h
    /* Of each term its place in `translations`: of terms as they are written, and of those without
     * capitals, in small letters. */
    StringMap written, small;
    Bytes *translations; // (count) in normal form
    size_t count, capacity;
    bool lengths[MAX_TERM_CHARACTERS + 1]; // whether a term has so many characters
};

Status glossary_new(Glossary **out, const Vocabulary *target, Error *error)
{
    Glossary *glossary;
    TRY(array_new(&glossary, 1, "a glossary", error));
    glossary->vocabulary = target;
    Status status = phrase_edges_new(&glossary->edges, target, error);
    if (status)
        glossary_free(glossary);
    else
        *out = glossary;
    return status;
}

void glossary_free(Glossary *glossary)
{
    if (!glossary) return;
    for (size_t i = 0; i < glossary->count; i++) bytes_free(&glossary->translations[i]);
    memory_free(glossary->translations);
    memory_free(glossary->edges);
    string_map_free(&glossary->written);
    string_map_free(&glossary->small);
    memory_free(glossary);
}

// A text, character by character.
typedef struct Characters {
    const char *text;
    size_t count;
    size_t *begins;       // (count + 1) where each begins
    Bytes small;          // the text in small letters
    size_t *small_begins; // (count + 1)
} Characters;

static void characters_free(Characters *characters)
{
    memory_free(characters->begins);
    memory_free(characters->small_begins);
    bytes_free(&characters->small);
}

// To be freed even after a failure.
static Status characters_read(Characters *characters, const char *text, size_t length, Error *error)
{
    *characters = (Characters){.text = text};
    TRY(array_new(&characters->begins, length + 1, "a glossary", error));
    TRY(array_new(&characters->small_begins, length + 1, "a glossary", error));
    for (size_t at = 0; at < length;) {
        uint32_t c = utf8_next(text, length, &at);
        TRY(utf8_append(&characters->small, utf8_to_lower(c), error));
        characters->begins[++characters->count] = at;
        characters->small_begins[characters->count] = characters->small.length;
    }
    return STATUS_OK;
}

// Whether no word goes on from the character before to the i-th.
static bool is_boundary(const Characters *characters, size_t i)
{
    const TextView text = {characters->text, characters->begins[characters->count]};
    return !utf8_is_inside_word(text, characters->begins[i]);
}

// The entry of the characters from `begin` to `end`; NULL if they are no term.
static const StringMapEntry *find(const Glossary *glossary, const Characters *characters,
                                  size_t begin, size_t end)
{
    const size_t *at = characters->begins, *small_at = characters->small_begins;
    if (!glossary->lengths[end - begin] || !is_boundary(characters, end)) return NULL;
    const StringMapEntry *found =
        string_map_find(&glossary->written, characters->text + at[begin], at[end] - at[begin]);
    if (found) return found;
    return string_map_find(&glossary->small, bytes_text(&characters->small) + small_at[begin],
                           small_at[end] - small_at[begin]);
}

static Status require(const Glossary *glossary, const Bytes *translation, Constraints *constraints,
                      Error *error)
{
    Bytes capital = {0};
    char title[4];
    uint32_t first;
    size_t rest = utf8_decode(translation->data, translation->length, &first, NULL);
    const TextView written = bytes_view(translation);
    TRY(phrase_add(constraints, PHRASE_NEW, glossary->vocabulary, written, error));
    if (utf8_to_title(first) == first) return STATUS_OK;
    Writer out = writer_start(&capital, error);
    writer_bytes(&out, title, utf8_encode(utf8_to_title(first), title));
    writer_bytes(&out, translation->data + rest, translation->length - rest);
    Status status = out.status;
    if (!status)
        status = phrase_add(constraints, PHRASE_INITIAL, glossary->vocabulary, bytes_view(&capital),
                            error);
    bytes_free(&capital);
    return status;
}

// The longest term that begins with the first character it can from *begin on, and has none of the
// spans (count): from character *begin to *end; NULL: none.
static const StringMapEntry *find_next(const Glossary *glossary, const Characters *characters,
                                       const Span *spans, size_t count, size_t *begin, size_t *end)
{
    for (; *begin < characters->count; ++*begin) {
        size_t left = characters->count - *begin;
        if (!is_boundary(characters, *begin)) continue;
        *end = *begin + (left < MAX_TERM_CHARACTERS ? left : MAX_TERM_CHARACTERS);
        for (; *end > *begin; --*end) {
            const StringMapEntry *found = find(glossary, characters, *begin, *end);
            const Span span = {characters->begins[*begin], characters->begins[*end]};
            if (found && !spans_overlap(spans, count, span)) return found;
        }
    }
    return NULL;
}

Status glossary_require(const Glossary *glossary, const Reading *reading, const Subwords *subwords,
                        Constraints *constraints, Error *error)
{
    Characters characters;
    const StringMapEntry *found;
    size_t length = subwords->count > 0 ? subwords->ends[subwords->count - 1] : 0;
    Status status = characters_read(&characters, reading->given.text.data, length, error);
    constraints->edges = glossary->edges;
    for (size_t begin = 0, end; !status && constraints->count < MAX_PHRASES; begin = end) {
        found =
            find_next(glossary, &characters, reading->placed, reading->placed_count, &begin, &end);
        if (!found) break;
        status = require(glossary, &glossary->translations[found->value], constraints, error);
        if (!status)
            phrase_place(constraints, subwords,
                         (Span){characters.begins[begin], characters.begins[end]});
    }
    characters_free(&characters);
    return status;
}

static Status find_terms(const Glossary *glossary, Spans *terms, TextView text, Error *error)
{
    Characters characters;
    Status status = characters_read(&characters, text.data, text.length, error);
    for (size_t begin = 0, end; !status; begin = end) {
        if (!find_next(glossary, &characters, NULL, 0, &begin, &end)) break;
        status = spans_add(terms, (Span){characters.begins[begin], characters.begins[end]}, error);
    }
    characters_free(&characters);
    return status;
}

// The step: a word that the model does not know stays as it is only if it is no term.
static bool applies(const Reading *reading)
{
    return reading->glossary && reading->context->placeholders > 0;
}

static Status read(Reading *reading, Error *error)
{
    Spans terms = {0}, *spans = &reading->spans;
    const NormalView *given = &reading->given;
    Status status = find_terms(reading->glossary, &terms, given->text, error);
    size_t left = 0;
    for (size_t i = 0; i < spans->count && !status; i++)
        if (spans_overlap(given->spans, given->span_count, spans->items[i]) ||
            !spans_overlap(terms.items, terms.count, spans->items[i]))
            spans->items[left++] = spans->items[i];
    if (!status) spans->count = left;
    spans_free(&terms);
    return status;
}

const ReadingStep glossary_step = {"glossary", applies, read, NULL};

// What is wrong with a term and its translation in normal form.
static Status check(const Glossary *glossary, const Characters *term, const Bytes *translation,
                    Error *error)
{
    if (term->count == 0) return error_set(error, STATUS_FORMAT, "the term is empty");
    if (term->count > MAX_TERM_CHARACTERS)
        return error_set(error, STATUS_FORMAT, "the term has more than %d characters",
                         MAX_TERM_CHARACTERS);
    if (translation->length == 0)
        return error_set(error, STATUS_FORMAT, "the translation of \"%s\" is empty", term->text);
    for (size_t at = 0; at < translation->length;)
        if (placeholder_next(bytes_text(translation), translation->length, &at) < MAX_PLACEHOLDERS)
            return error_set(error, STATUS_FORMAT,
                             "the translation of \"%s\" has a character from U+E000 to U+E003, "
                             "which stands for what stays as it is",
                             term->text);
    Subwords subwords = {0};
    Status status = vocabulary_encode(glossary->vocabulary, translation->data, translation->length,
                                      &subwords, error);
    size_t count = subwords.count;
    subwords_free(&subwords);
    if (!status && count > MAX_PHRASE_TOKENS)
        return error_set(error, STATUS_FORMAT,
                         "the translation of \"%s\" has %zu subwords, more than %d", term->text,
                         count, MAX_PHRASE_TOKENS);
    return status;
}

// Takes over the translation, if it adds the term.
static Status add(Glossary *glossary, const Characters *term, Bytes *translation, Error *error)
{
    size_t length = term->begins[term->count];
    bool added, is_small = term->small.length == length &&
                           memcmp(term->small.data, term->text, length) == 0;
    TRY(array_reserve(&glossary->translations, &glossary->capacity, glossary->count + 1,
                      "a glossary", error));
    const StringMapEntry *entry =
        string_map_put(is_small ? &glossary->small : &glossary->written, term->text, length,
                       (int64_t)glossary->count, &added);
    if (!entry) return error_memory(error, length, "a glossary");
    if (added) {
        glossary->lengths[term->count] = true;
        glossary->translations[glossary->count++] = *translation;
        *translation = (Bytes){0};
        return STATUS_OK;
    }
    const Bytes *there = &glossary->translations[entry->value];
    if (text_view_equal(bytes_view(there), bytes_view(translation))) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "\"%s\" is translated by \"%s\" here and by \"%s\" before; keep one of them",
                     term->text, translation->data, there->data);
}

Status glossary_add(Glossary *glossary, TextView term, TextView translation, Error *error)
{
    Bytes normal[2] = {{0}, {0}};
    Characters characters = {0};
    Status status = normalise(&normal[0], term.data, term.length, NULL, error);
    if (!status) status = normalise(&normal[1], translation.data, translation.length, NULL, error);
    if (!status)
        status = characters_read(&characters, bytes_text(&normal[0]), normal[0].length, error);
    if (!status) status = check(glossary, &characters, &normal[1], error);
    if (!status) status = add(glossary, &characters, &normal[1], error);
    characters_free(&characters);
    bytes_free(&normal[0]);
    bytes_free(&normal[1]);
    return status;
}
