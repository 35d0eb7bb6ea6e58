#include "translate/unknown_names.h"

#include "text/language.h"
#include "text/letter_case.h"

enum { UNKNOWN_SUBWORDS = 3 };

typedef struct Names {
    const char *text;
    size_t length;
    const Vocabulary *vocabulary;
    const Spans *kept; // spans that stay as they are anyway
    Subwords subwords;
    Spans found;
} Names;

static bool is_kept(const Spans *spans, const Word *word)
{
    for (size_t i = 0; i < spans->count; i++)
        if (spans->items[i].begin < word->end && word->begin < spans->items[i].end) return true;
    return false;
}

static Status is_unknown(Names *names, const Word *word, bool *unknown, Error *error)
{
    *unknown = false;
    if (!word->capital || word->letters < 2 || is_kept(names->kept, word)) return STATUS_OK;
    TRY(vocabulary_encode(names->vocabulary, names->text + word->begin, word->end - word->begin,
                          &names->subwords, error));
    *unknown = names->subwords.count >= UNKNOWN_SUBWORDS;
    return STATUS_OK;
}

// Whether only a space is between two words.
static bool are_neighbours(const Names *names, const Word *first, const Word *second)
{
    return second->begin == first->end + 1 && names->text[first->end] == ' ';
}

static Status find(Names *names, Error *error)
{
    Word word, name = {0}; // the name that has begun
    bool unknown, first = true;
    bool alone =
        true; // no name has begun, or it may be none: the first word, and none behind it yet
    for (size_t at = 0; word_next(names->text, names->length, at, &word);
         at = word.end, first = false) {
        TRY(is_unknown(names, &word, &unknown, error));
        if (unknown && name.letters > 0 && are_neighbours(names, &name, &word)) {
            name.end = word.end;
            alone = false;
            continue;
        }
        if (!alone) TRY(spans_add(&names->found, (Span){name.begin, name.end}, error));
        name = unknown ? word : (Word){0};
        alone = !unknown || first;
    }
    return alone ? STATUS_OK : spans_add(&names->found, (Span){name.begin, name.end}, error);
}

// Adds the spans of `found` to `spans`, in order; none of one overlaps one of the other.
static Status merge(Spans *spans, const Spans *found, Error *error)
{
    Spans all = {0};
    Status status = STATUS_OK;
    for (size_t i = 0, j = 0; i + j < spans->count + found->count && !status;) {
        bool first = j == found->count ||
                     (i < spans->count && spans->items[i].begin < found->items[j].begin);
        status = spans_add(&all, first ? spans->items[i++] : found->items[j++], error);
    }
    if (status) {
        spans_free(&all);
        return status;
    }
    spans_free(spans);
    *spans = all;
    return STATUS_OK;
}

Status unknown_names_add(Spans *spans, const char *text, size_t length, size_t language,
                         const Vocabulary *vocabulary, Error *error)
{
    Names names = {.text = text, .length = length, .vocabulary = vocabulary, .kept = spans};
    if (language == language_of("de") || letter_case_of(text, length) != CASE_SENTENCE)
        return STATUS_OK;
    Status status = find(&names, error);
    if (!status && names.found.count > 0) status = merge(spans, &names.found, error);
    subwords_free(&names.subwords);
    spans_free(&names.found);
    return status;
}
