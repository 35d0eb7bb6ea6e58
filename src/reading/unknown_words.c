/* The step for words that a model cannot know, which stay as they are:
 *
 *     with a character that its vocabulary lacks         今日は in an English text; or signs, § and {
 *     names: with a capital, and a part of two subwords  Mr. Lindqvist lives in Osaka.
 *     or more for which the lexicon has no other word;
 *     without a lexicon, of three or more
 *
 * A name's parts all have capitals, Jean-Luc, not Pourriez-vous, and behind an apostrophe it has at
 * most an s: Lindqvist's, not Couldn't or Lorsqu'il. The first word of a sentence has one anyway: it is
 * a name if it has another inside, or several subwords in small letters, too, which the lexicon lacks;
 * four if there is none. In title case (reading/letter_case.h) every word is like the first. A capital
 * inside is enough: iPhone. In capitals, in title case without a lexicon, and in a language whose nouns
 * have capitals, there are no names, nor are Monday and May. Neighbours, with a space between or none,
 * are one span, and with them what might be a name and is not in the lexicon, other than a first word
 * that is one subword in small letters, too: Anna Solberg. If there are more spans that cannot be read
 * than placeholders, the last are one, with what is between. Names of several words that the lexicon
 * has, World War II, are found, to be wished for. */
#include "base/ascii.h"
#include "base/writer.h"
#include "reading/abbreviation.h"
#include "reading/pattern.h"
#include "reading/reading.h"
#include "reading/senses.h"
#include "reading/variants.h"
#include "reading/word.h"
#include "text/utf8.h"

// As many subwords a rare word has: in any place, where there is no lexicon, and at the beginning.
enum { RARE_SUBWORDS = 2, RARE_WITHOUT_LEXICON = 3, RARE_FIRST_SUBWORDS = 4 };
enum { MOST_WORDS = 6 }; // of a name

typedef struct Search {
    TextView text;
    const ReadingContext *context;
    LetterCase letter_case; // of the text
    bool wants_names;
    const Spans *kept; // spans that stay as they are anyway
    Subwords subwords;
    Bytes small; // a word in small letters
    Spans found;
    Spans *names; // that the lexicon has; of the reading
} Search;

static void search_free(Search *search)
{
    subwords_free(&search->subwords);
    bytes_free(&search->small);
    spans_free(&search->found);
}

// Whether a word has a letter of a class where one of its parts begins, or anywhere else.
static bool has_letter(TextView word, bool (*is)(uint32_t), bool at_beginning)
{
    uint32_t before = '-', c;
    for (size_t at = 0; at < word.length; before = c) {
        c = utf8_next(word.data, word.length, &at);
        if ((before == '-') == at_beginning && is(c)) return true;
    }
    return false;
}

// NASA, iPhone
static bool has_inner_capital(TextView word)
{
    return has_letter(word, utf8_is_upper, false);
}

// Whether a word is the beginning of one that goes on behind an apostrophe, with more than an s.
static bool is_contracted(TextView text, Span word)
{
    size_t at = word.end;
    if (at == text.length || !utf8_is_apostrophe(utf8_next(text.data, text.length, &at)))
        return false;
    const size_t end = utf8_run_end(text.data, text.length, at, utf8_is_letter);
    return end > at && !(end == at + 1 && text.data[at] == 's');
}

// Whether a word may be a name: all its parts have capitals, unlike those of Pourriez-vous.
static bool may_be_name(const Search *search, const Word *word)
{
    const Language *language = search->context->languages[0];
    const TextView text = span_text(search->text, word->span);
    size_t end = word->span.begin;
    (void)abbreviation_at(search->text, &end, language);
    if (!search->wants_names || word->letters < 2 || end > word->span.begin ||
        is_contracted(search->text, word->span))
        return false;
    if (language_has_word(language, WORDS_CAPITAL, text.data, text.length) ||
        pattern_is_month(text, language))
        return false;
    return has_inner_capital(text) || (word->capital && !has_letter(text, utf8_is_lower, true));
}

// Whether the lexicon has another word for a word, or for a part of one.
static Status is_translated(Search *search, TextView word, bool *translated, Error *error)
{
    const ReadingContext *context = search->context;
    const Vocabulary *const vocabularies[2] = {context->source, context->target};
    Senses senses = {.count = 0};
    bytes_clear(&search->small);
    TRY(utf8_append_lowercase(&search->small, word.data, word.length, error));
    if (context->lexicon)
        TRY(senses_find(&senses, context->lexicon, vocabularies, word, false, error));
    const TextView best = text_view_of(senses.items->word);
    *translated = senses.count > 0 && !text_view_equal(bytes_view(&search->small), best);
    return STATUS_OK;
}

// Whether a name, or a part of it between hyphens, has several subwords and no other word in the lexicon.
static Status has_rare_part(Search *search, TextView name, bool *rare, Error *error)
{
    *rare = false;
    while (name.length > 0 && !*rare) {
        const TextView part = text_view_cut(&name, '-');
        bool translated;
        TRY(vocabulary_encode(search->context->source, part.data, part.length, &search->subwords,
                              error));
        TRY(is_translated(search, part, &translated, error));
        *rare = search->subwords.count >= RARE_SUBWORDS && !translated;
    }
    return STATUS_OK;
}

// What a word is; of neighbours, the most that one of them is.
typedef enum Kind { NO_NAME, POSSIBLE_NAME, UNKNOWN_WORD } Kind;

/* Sets the kind of a word that may be a name, by the subwords that it is as it is written. `rare`: it is
 * not the first of a sentence, or seldom even there. */
static Status kind_of_name(Search *search, const Word *word, bool rare, Kind *kind, Error *error)
{
    const ReadingContext *context = search->context;
    const TextView text = span_text(search->text, word->span);
    const bool has_lexicon = context->lexicon && context->lexicon->count > 0;
    bool translated;
    TRY(vocabulary_encode(context->source, text.data, text.length, &search->subwords, error));
    rare &= search->subwords.count >= (has_lexicon ? RARE_SUBWORDS : RARE_WITHOUT_LEXICON);
    TRY(is_translated(search, text, &translated, error));
    if (translated) return rare ? spans_add(search->names, word->span, error) : STATUS_OK;
    if (rare && has_lexicon) TRY(has_rare_part(search, text, &rare, error));
    *kind = rare ? UNKNOWN_WORD : has_lexicon ? POSSIBLE_NAME : NO_NAME;
    return STATUS_OK;
}

// Whether the first word of a sentence, of which `small` are the subwords in small letters, is rare.
static bool is_rare(const Lexicon *lexicon, const Subwords *small)
{
    if (!lexicon || lexicon->count == 0) return small->count >= RARE_FIRST_SUBWORDS;
    return small->count >= RARE_SUBWORDS && !lexicon_has(lexicon, small->ids, small->count);
}

// `first`: a capital at its beginning says nothing, being that of the sentence; in a title none does.
static Status kind_of(Search *search, const Word *word, bool first, Kind *kind, Error *error)
{
    const TextView text = span_text(search->text, word->span);
    Subwords *subwords = &search->subwords;
    *kind = NO_NAME;
    if (spans_overlap(search->kept->items, search->kept->count, word->span)) return STATUS_OK;
    bytes_clear(&search->small);
    TRY(utf8_append_lowercase(&search->small, text.data, text.length, error));
    TRY(vocabulary_encode(search->context->source, bytes_text(&search->small), search->small.length,
                          subwords, error));
    // in capitals it may be read in small letters
    const bool unread = variants_lack(
        search->context, search->letter_case == CASE_SENTENCE ? text : bytes_view(&search->small));
    if (unread) *kind = UNKNOWN_WORD;
    if (unread || !may_be_name(search, word)) return STATUS_OK;
    const bool title = search->letter_case == CASE_TITLE;
    first = (first || title) && !has_inner_capital(text);
    if (first && subwords->count == 1) return STATUS_OK; // Is Yuki home?
    const bool rare = !first || is_rare(search->context->lexicon, subwords);
    if (title && !rare) return STATUS_OK;
    return kind_of_name(search, word, rare, kind, error);
}

static bool are_neighbours(const Search *search, size_t end, size_t begin)
{
    return begin == end || (begin == end + 1 && search->text.data[end] == ' ');
}

// Where the longest name of several words ends that begins with a word and that the lexicon has, in
// *end; where the word does if there is none.
static Status find_long_name(Search *search, const Word *first, size_t *end, Error *error)
{
    const ReadingContext *context = search->context;
    const TextView text = search->text;
    Subwords *subwords = &search->subwords;
    LexiconRun runs[MAX_UNIT_ENTRIES];
    Word word = *first;
    *end = first->span.end;
    if (!first->capital || !search->wants_names || !context->lexicon) return STATUS_OK;
    for (size_t words = 1; words < MOST_WORDS; words++) {
        const size_t before = word.span.end;
        if (!word_next(text.data, text.length, before, &word) ||
            !are_neighbours(search, before, word.span.begin))
            return STATUS_OK;
        if (!word.capital) continue;
        TRY(vocabulary_encode_part(context->source, text.data + first->span.begin,
                                   word.span.end - first->span.begin, true, subwords, error));
        if (lexicon_find(runs, context->lexicon, subwords->ids, subwords->count) > 0)
            *end = word.span.end;
    }
    return STATUS_OK;
}

// A word with the letter and the apostrophe before it that are a part of a name: O'Neill, not French l'Oise.
static Span whole_name(const Search *search, Span word)
{
    const char *text = search->text.data;
    const Language *language = search->context->languages[0];
    char bytes[4];
    const uint32_t apostrophe = utf8_before(text, word.begin);
    const size_t end = word.begin - (apostrophe ? utf8_encode(apostrophe, bytes) : 0);
    const bool names = utf8_is_apostrophe(apostrophe) && (!language || !language->elided) &&
                       ascii_is_capital(text_view_at(search->text, end - 1)) &&
                       !utf8_is_in_word(utf8_before(text, end - 1));
    return names ? (Span){end - 1, word.end} : word;
}

static Status find(Search *search, Error *error)
{
    Word word;
    Span run = {0, 0}; // of neighbours that may be one name
    Kind kind, most = NO_NAME;
    bool first = true;
    for (size_t at = 0; word_next(search->text.data, search->text.length, at, &word);
         at = word.span.end) {
        size_t end;
        word.span = whole_name(search, word.span);
        TRY(find_long_name(search, &word, &end, error));
        if (end > word.span.end) {
            TRY(spans_add(search->names, (Span){word.span.begin, end}, error));
            word.span.end = end;
            kind = NO_NAME;
        } else {
            TRY(kind_of(search, &word, first, &kind, error));
        }
        first = false;
        if (kind != NO_NAME && most != NO_NAME &&
            are_neighbours(search, run.end, word.span.begin)) {
            run.end = word.span.end;
            if (kind > most) most = kind;
            continue;
        }
        if (most == UNKNOWN_WORD) TRY(spans_add(&search->found, run, error));
        run = word.span;
        most = kind;
    }
    return most == UNKNOWN_WORD ? spans_add(&search->found, run, error) : STATUS_OK;
}

// The case of the text outside of what stays as it is, such as a file name.
static Status find_case(const Search *search, LetterCase *letter_case, Error *error)
{
    const TextView text = search->text;
    FREED_BY(bytes_free) Bytes rest = {0};
    Writer out = writer_start(&rest, error);
    size_t at = 0;
    for (size_t i = 0; i < search->kept->count; at = search->kept->items[i++].end)
        writer_bytes(&out, text.data + at, search->kept->items[i].begin - at);
    writer_bytes(&out, text.data + at, text.length - at);
    *letter_case = letter_case_of(bytes_text(&rest), rest.length);
    return out.status;
}

// Finds what is no letter and cannot be read.
static Status find_signs(Spans *signs, const ReadingContext *context, TextView text, Error *error)
{
    for (size_t at = 0, begin = 0; at < text.length; begin = at)
        if (!utf8_is_letter(utf8_next(text.data, text.length, &at)) &&
            variants_lack(context, span_text(text, (Span){begin, at})))
            TRY(spans_add(signs, (Span){begin, at}, error));
    return STATUS_OK;
}

// Makes the last of what cannot be read one span, with what is between, if there are too few placeholders.
static void join_surplus(Reading *reading)
{
    Spans *spans = &reading->spans;
    size_t unread = 0, first = 0, last = 0;
    for (size_t i = 0; i < spans->count; i++) {
        if (!variants_lack(reading->context, reading_text(reading, spans->items[i]))) continue;
        if (++unread == reading->context->placeholders) first = i;
        last = i;
    }
    if (unread <= reading->context->placeholders) return;
    spans->items[first].end = spans->items[last].end;
    while (++last < spans->count) spans->items[++first] = spans->items[last];
    spans->count = first + 1;
}

static Status read(Reading *reading, Error *error)
{
    const Language *language = reading->context->languages[0];
    FREED_BY(search_free)
    Search search = {.text = reading->given.text,
                     .context = reading->context,
                     .kept = &reading->spans,
                     .names = &reading->names};
    if (!reading->given.of_sentence) TRY(find_case(&search, &search.letter_case, error));
    const Lexicon *lexicon = reading->context->lexicon;
    const bool has_cases = search.letter_case == CASE_SENTENCE ||
                           (search.letter_case == CASE_TITLE && lexicon && lexicon->count > 0);
    search.wants_names = has_cases && (!language || !language->nouns_have_capitals);
    TRY(find(&search, error));
    TRY(spans_merge(&reading->spans, &search.found, error));
    search.found.count = 0;
    TRY(find_signs(&search.found, reading->context, search.text, error));
    TRY(spans_merge(&reading->spans, &search.found, error));
    join_surplus(reading);
    return STATUS_OK;
}

const ReadingStep unknown_words_step = {"unknown words", reading_has_placeholders, read, NULL};
