/* The step for words that a model cannot know, which stay as they are:
 *
 *     with a character that its vocabulary lacks         今日は in an English text
 *     names: with a capital, of three subwords or more,  Mr. Lindqvist lives in Osaka.
 *     unless the lexicon has another word for it
 *
 * A name's parts all have capitals: Jean-Luc, not Pourriez-vous. The first word of a sentence has
 * one anyway: it is a name if it has another inside, or four subwords or more in small letters,
 * too. A capital inside is enough: iPhone. In capitals or title case (reading/letter_case.h) and in
 * a language whose nouns have capitals, there are no names, nor are Monday and May. Neighbours, with
 * a space between or none, are one span: Ingrid Solberg. */
#include "base/writer.h"
#include "reading/reading.h"
#include "reading/senses.h"
#include "reading/word.h"
#include "text/utf8.h"

enum { UNKNOWN_SUBWORDS = 3, UNKNOWN_FIRST_SUBWORDS = 4 };

typedef struct Search {
    TextView text;
    const ReadingContext *context;
    bool wants_names;
    const Spans *kept; // spans that stay as they are anyway
    Subwords subwords;
    Bytes small; // a word in small letters
    Spans found;
    Spans names; // that the lexicon has
} Search;

static bool has_bytes(const Subwords *subwords)
{
    for (size_t i = 0; i < subwords->count; i++)
        if (subwords->ids[i] < TOKEN_FIRST) return true;
    return false;
}

// Whether a capital is in a word other than at the beginning of one of its parts: NASA, iPhone.
static bool has_inner_capital(const Search *search, const Word *word)
{
    uint32_t before = '-', c;
    for (size_t at = word->begin; at < word->end; before = c) {
        c = utf8_next(search->text.data, word->end, &at);
        if (before != '-' && utf8_is_upper(c)) return true;
    }
    return false;
}

// Whether a word may be a name: all its parts have capitals, unlike those of Pourriez-vous.
static bool may_be_name(const Search *search, const Word *word)
{
    const char *text = search->text.data, *spelling = text + word->begin;
    const Language *language = search->context->languages[0];
    const size_t length = word->end - word->begin;
    if (!search->wants_names || word->letters < 2) return false;
    if (language_has_word(language, WORDS_CAPITAL, spelling, length) ||
        language_has_word(language, WORDS_MONTHS, spelling, length))
        return false;
    if (has_inner_capital(search, word)) return true;
    for (size_t at = word->begin; at < word->end;)
        if (utf8_next(text, word->end, &at) == '-') {
            size_t part = at;
            if (utf8_is_lower(utf8_next(text, word->end, &part))) return false;
        }
    return word->capital;
}

// Whether the lexicon has another word for a word, whose small letters are search->small.
static Status is_translated(Search *search, TextView word, bool *translated, Error *error)
{
    const ReadingContext *context = search->context;
    const Vocabulary *const vocabularies[2] = {context->source, context->target};
    const TextView small = bytes_view(&search->small);
    Senses senses = {.count = 0};
    if (context->lexicon) TRY(senses_find(&senses, context->lexicon, vocabularies, word, error));
    const char *best = senses.items->word;
    *translated = senses.count > 0 && !text_view_equal(small, text_view_of(best));
    return STATUS_OK;
}

// `first`: a capital at its beginning says nothing, being that of the sentence.
static Status is_unknown(Search *search, const Word *word, bool first, bool *unknown, Error *error)
{
    const char *text = search->text.data + word->begin;
    const Vocabulary *vocabulary = search->context->source;
    size_t length = word->end - word->begin;
    Subwords *subwords = &search->subwords;
    *unknown = false;
    if (spans_overlap(search->kept->items, search->kept->count, (Span){word->begin, word->end}))
        return STATUS_OK;
    bytes_clear(&search->small);
    TRY(utf8_append_lowercase(&search->small, text, length, error));
    TRY(vocabulary_encode(vocabulary, bytes_text(&search->small), search->small.length, subwords,
                          error));
    *unknown = has_bytes(subwords);
    bool capital = !first || has_inner_capital(search, word);
    bool rare = capital || subwords->count >= UNKNOWN_FIRST_SUBWORDS;
    if (*unknown || !rare || !may_be_name(search, word)) return STATUS_OK;
    TRY(vocabulary_encode(vocabulary, text, length, subwords, error));
    if (subwords->count < UNKNOWN_SUBWORDS) return STATUS_OK;
    bool translated;
    TRY(is_translated(search, (TextView){text, length}, &translated, error));
    *unknown = !translated;
    return translated ? spans_add(&search->names, (Span){word->begin, word->end}, error)
                      : STATUS_OK;
}

static bool are_neighbours(const Search *search, size_t end, size_t begin)
{
    return begin == end || (begin == end + 1 && search->text.data[end] == ' ');
}

static Status find(Search *search, Error *error)
{
    Word word;
    bool unknown, first = true;
    for (size_t at = 0; word_next(search->text.data, search->text.length, at, &word);
         at = word.end) {
        Spans *found = &search->found;
        TRY(is_unknown(search, &word, first, &unknown, error));
        first = false;
        if (!unknown) continue;
        Span *last = found->count > 0 ? &found->items[found->count - 1] : NULL;
        if (last && are_neighbours(search, last->end, word.begin))
            last->end = word.end;
        else
            TRY(spans_add(found, (Span){word.begin, word.end}, error));
    }
    return STATUS_OK;
}

// Whether the text outside of what stays as it is, such as a file name, has the case of a sentence.
static Status is_sentence(const Search *search, bool *sentence, Error *error)
{
    const TextView text = search->text;
    FREED_BY(bytes_free) Bytes rest = {0};
    Writer out = writer_start(&rest, error);
    size_t at = 0;
    for (size_t i = 0; i < search->kept->count; at = search->kept->items[i++].end)
        writer_bytes(&out, text.data + at, search->kept->items[i].begin - at);
    writer_bytes(&out, text.data + at, text.length - at);
    *sentence = letter_case_of(bytes_text(&rest), rest.length) == CASE_SENTENCE;
    return out.status;
}

static Status read(Reading *reading, Error *error)
{
    const Language *language = reading->context->languages[0];
    Search search = {
        .text = reading->given.text, .context = reading->context, .kept = &reading->spans};
    Status status = is_sentence(&search, &search.wants_names, error);
    search.wants_names &= !language || !language->nouns_have_capitals;
    if (!status) status = find(&search, error);
    if (!status && search.found.count > 0)
        status = spans_merge(&reading->spans, &search.found, error);
    reading->names = search.names;
    subwords_free(&search.subwords);
    bytes_free(&search.small);
    spans_free(&search.found);
    return status;
}

const ReadingStep unknown_words_step = {"unknown words", reading_has_placeholders, read, NULL};
