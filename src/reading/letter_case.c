#include "reading/letter_case.h"

#include "reading/reading.h"
#include "reading/word.h"
#include "text/utf8.h"

enum { LONG_WORD = 4, TITLE_WORDS = 3 };

// Among Chinese, capitals are a name: CNN报道.
static bool is_in_capitals(const char *text, size_t length)
{
    return utf8_has(text, length, utf8_is_upper) && !utf8_has(text, length, utf8_is_lower) &&
           !utf8_has(text, length, utf8_is_unspaced);
}

// A letter with an apostrophe beside it is a part of another word: O'Neill, Don't.
static bool is_beside_apostrophe(const char *text, size_t length, const Word *word)
{
    return word->letters == 1 && (utf8_is_apostrophe(utf8_before(text, word->span.begin)) ||
                                  utf8_is_apostrophe(utf8_at(text, length, word->span.end)));
}

static bool is_title(const char *text, size_t length)
{
    bool has_stop = utf8_before(text, length) == '.'; // then a small word is of a sentence
    size_t capitals = 0, others = 0;
    Word word;
    for (size_t at = 0; word_next(text, length, at, &word); at = word.span.end) {
        if (is_beside_apostrophe(text, length, &word)) continue;
        if (word.han || (word.letters >= LONG_WORD && !word.capital)) return false;
        // a small word of a title has another behind it, not a mark: Excuse me, Miss Lee.
        if (!word.capital && text_view_at((TextView){text, length}, word.span.end) != ' ')
            return false;
        *(word.capital ? &capitals : &others) += 1;
    }
    return capitals >= TITLE_WORDS && capitals >= 2 * others && !(has_stop && others);
}

LetterCase letter_case_of(const char *text, size_t length)
{
    if (is_in_capitals(text, length)) return CASE_CAPITALS;
    return is_title(text, length) ? CASE_TITLE : CASE_SENTENCE;
}

// Writes another case of the character of `size` bytes at `text`, if that has as many.
static void replace(char *text, size_t size, uint32_t other)
{
    char bytes[4];
    if (utf8_encode(other, bytes) == size) memcpy(text, bytes, size);
}

void letter_case_to_capitals(char *text, size_t length)
{
    for (size_t at = 0, begin = 0; at < length; begin = at) {
        uint32_t c = utf8_next(text, length, &at);
        if (utf8_is_lower(c)) replace(text + begin, at - begin, utf8_to_upper(c));
    }
}

static bool opens(uint32_t c)
{
    return utf8_is_among(c, " \"'“‘«‹„([（「『¿¡");
}

void letter_case_begin(char *text, size_t length)
{
    size_t begin = utf8_run_end(text, length, 0, opens), at = begin;
    uint32_t c = begin < length ? utf8_next(text, length, &at) : 0;
    if (utf8_is_lower(c)) replace(text + begin, at - begin, utf8_to_title(c));
}

// A word in small letters, the first of them spared where it is to be a capital.
static void make_small(char *word, size_t length, bool capital)
{
    for (size_t at = 0, begin = 0; at < length; begin = at) {
        uint32_t c = utf8_next(word, length, &at);
        if (begin > 0 || !capital) replace(word + begin, at - begin, utf8_to_lower(c));
    }
}

typedef struct WordForms {
    const Vocabulary *vocabulary;
    Subwords subwords;
    Bytes given, form; // of a word
    bool known;        // whether the form taken is a single subword
} WordForms;

static void forms_free(WordForms *forms)
{
    subwords_free(&forms->subwords);
    bytes_free(&forms->given);
    bytes_free(&forms->form);
}

// Puts a word into the form that has the fewest subwords: its own, or in small letters but for the
// first, which is a capital or not, as is likelier at its place.
static Status rewrite_word(WordForms *forms, char *word, size_t length, bool first, Error *error)
{
    size_t fewest = SIZE_MAX, as_it_is;
    forms->known = false;
    bytes_clear(&forms->given);
    TRY(bytes_append(&forms->given, word, length, error));
    TRY(vocabulary_encode(forms->vocabulary, word, length, &forms->subwords, error));
    as_it_is = forms->subwords.count;
    if (length == 1 && *word == 'I') return STATUS_OK;
    for (int i = 0; i < 2; i++) {
        bytes_clear(&forms->form);
        TRY(bytes_append(&forms->form, forms->given.data, length, error));
        make_small(forms->form.data, length, first == (i == 0));
        TRY(vocabulary_encode(forms->vocabulary, forms->form.data, length, &forms->subwords,
                              error));
        if (forms->subwords.count >= fewest) continue;
        fewest = forms->subwords.count;
        memcpy(word, forms->form.data, length);
    }
    forms->known = fewest == 1;
    if (as_it_is < fewest) memcpy(word, forms->given.data, length);
    return STATUS_OK;
}

Status letter_case_to_sentence(char *text, size_t length, const Vocabulary *vocabulary,
                               Error *error)
{
    FREED_BY(forms_free) WordForms forms = {.vocabulary = vocabulary};
    const bool capitals = is_in_capitals(text, length);
    size_t words = 0, last = 0;
    Word word;
    for (size_t at = 0; word_next(text, length, at, &word); at = word.span.end) {
        const TextView view = span_text((TextView){text, length}, word.span);
        const bool small =
            capitals || word.letters < 2 || utf8_has(view.data, view.length, utf8_is_lower);
        if (word.han || !small) continue; // BBC among other words
        last = word.span.begin;
        TRY(rewrite_word(&forms, text + last, span_length(word.span), words++ == 0, error));
    }
    if (words == 1 && !forms.known) memcpy(text + last, forms.given.data, forms.given.length);
    return STATUS_OK;
}

// Whether letters change: not where a span is not read as a placeholder, for its letters would, too.
static bool changes(const Reading *reading)
{
    const Bytes *text = &reading->text.text;
    return !reading->given.of_sentence &&
           reading->given.span_count <= reading->context->placeholders &&
           letter_case_of(bytes_text(text), text->length) != CASE_SENTENCE;
}

static uint32_t first_letter(const Reading *reading)
{
    const TextView text = reading->given.text;
    return utf8_at(text.data, text.length, utf8_run_end(text.data, text.length, 0, opens));
}

// Not of a translation that is begun.
static bool applies(const Reading *reading)
{
    uint32_t c = first_letter(reading);
    bool begins = reading->given.goes_on ? !utf8_is_upper(c) : utf8_is_upper(c) || utf8_is_han(c);
    return !reading->begun && (begins || changes(reading));
}

static Status read(Reading *reading, Error *error)
{
    const Bytes *text = &reading->text.text;
    if (!changes(reading)) return STATUS_OK;
    reading->letter_case = letter_case_of(text->data, text->length);
    return letter_case_to_sentence(text->data, text->length, reading->context->source, error);
}

// Whether a text may be chat, which begins with a small letter in other scripts.
static bool is_chat(const Reading *reading)
{
    static const char quote[] = "”";
    const TextView text = bytes_view(&reading->text.text);
    size_t end = text.length;
    if (end >= strlen(quote) && text_view_has_at(text, end - strlen(quote), text_view_of(quote)))
        end -= strlen(quote);
    return utf8_is_han(first_letter(reading)) &&
           !utf8_is_among(utf8_before(text.data, end), "。！？!?.…");
}

// Copies the word with which what is said begins, of which it returns the length; 0: none, or too long.
enum { MAX_FIRST_WORD = 16 };
static size_t first_word(char word[MAX_FIRST_WORD], const Bytes *said)
{
    size_t begin = utf8_run_end(said->data, said->length, 0, opens);
    size_t length = utf8_run_end(said->data, said->length, begin, utf8_is_word) - begin;
    if (length > MAX_FIRST_WORD) return 0;
    memcpy(word, said->data + begin, length);
    return length;
}

// Whether what is said begins with a word that has a capital wherever it stands.
static bool begins_with_capital(const Bytes *said, const Language *language)
{
    char word[MAX_FIRST_WORD];
    size_t length = first_word(word, said);
    letter_case_begin(word, length);
    return language_has_word(language, WORDS_CAPITAL, word, length);
}

// Takes the capital of a word that often begins a sentence, or a clause, from what goes on with one.
static void go_on(Bytes *said, const Language *language)
{
    char word[MAX_FIRST_WORD];
    size_t length = first_word(word, said);
    make_small(word, length, false);
    if (!begins_with_capital(said, language) &&
        (language_has_word(language, WORDS_STARTING, word, length) ||
         language_has_word(language, WORDS_JOINING, word, length)))
        memcpy(said->data + utf8_run_end(said->data, said->length, 0, opens), word, length);
}

static Status write(const Reading *reading, MappedText *said, Error *error)
{
    Bytes *text = &said->text;
    (void)error;
    if (reading->letter_case == CASE_CAPITALS)
        letter_case_to_capitals(text->data, text->length);
    else if (reading->given.goes_on)
        go_on(text, reading->context->languages[1]);
    else if (!is_chat(reading) || begins_with_capital(text, reading->context->languages[1]))
        letter_case_begin(text->data, text->length);
    return STATUS_OK;
}

const ReadingStep letter_case_step = {"letter case", applies, read, write};
