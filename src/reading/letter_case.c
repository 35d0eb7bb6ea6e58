#include "reading/letter_case.h"

#include "reading/reading.h"
#include "reading/word.h"
#include "text/utf8.h"

enum { LONG_WORD = 4, TITLE_WORDS = 3 };

// More capitals than characters of a script without cases, where a few are a name: 128GB的内存.
static bool is_in_capitals(const char *text, size_t length)
{
    size_t capitals = 0, without_case = 0;
    for (size_t at = 0; at < length;) {
        uint32_t c = utf8_next(text, length, &at);
        if (utf8_is_lower(c)) return false;
        capitals += utf8_is_upper(c);
        without_case += utf8_is_unspaced(c);
    }
    return capitals > without_case;
}

static bool is_title(const char *text, size_t length)
{
    size_t capitals = 0, others = 0;
    Word word;
    for (size_t at = 0; word_next(text, length, at, &word); at = word.end) {
        if (word.han) continue;
        if (word.letters >= LONG_WORD && !word.capital) return false;
        *(word.capital ? &capitals : &others) += 1;
    }
    return capitals >= TITLE_WORDS && capitals >= 2 * others;
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

void letter_case_begin(char *text, size_t length)
{
    size_t at = 0;
    uint32_t c = length > 0 ? utf8_next(text, length, &at) : 0;
    if (utf8_is_lower(c)) replace(text, at, utf8_to_title(c));
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
    Bytes form; // of a word
    bool known; // whether the form taken is a single subword
} WordForms;

// Tries the word, which stands at the end of `out`, in another form, and takes that if it has fewer
// subwords.
static Status try_form(WordForms *forms, Bytes *out, const char *word, size_t length, bool capital,
                       size_t *fewest, Error *error)
{
    bytes_clear(&forms->form);
    TRY(bytes_append(&forms->form, word, length, error));
    make_small(forms->form.data, length, capital);
    TRY(vocabulary_encode(forms->vocabulary, forms->form.data, length, &forms->subwords, error));
    if (forms->subwords.count >= *fewest) return STATUS_OK;
    *fewest = forms->subwords.count;
    memcpy(out->data + out->length - length, forms->form.data, length);
    return STATUS_OK;
}

static Status append_word(WordForms *forms, Bytes *out, const char *word, size_t length, bool first,
                          Error *error)
{
    size_t fewest = SIZE_MAX, as_it_is;
    TRY(bytes_append(out, word, length, error));
    TRY(vocabulary_encode(forms->vocabulary, word, length, &forms->subwords, error));
    as_it_is = forms->subwords.count;
    forms->known = false;
    if (length == 1 && *word == 'I') return STATUS_OK;
    TRY(try_form(forms, out, word, length, first, &fewest, error));
    TRY(try_form(forms, out, word, length, !first, &fewest, error));
    forms->known = fewest == 1;
    if (as_it_is < fewest) memcpy(out->data + out->length - length, word, length);
    return STATUS_OK;
}

static Status rewrite(WordForms *forms, Bytes *out, const char *text, size_t length, Error *error)
{
    size_t at = 0, words = 0;
    Word word;
    bytes_clear(out);
    for (size_t from = 0; word_next(text, length, from, &word); from = word.end) {
        if (word.han) continue;
        bool first = words++ == 0;
        TRY(bytes_append(out, text + at, word.begin - at, error));
        TRY(append_word(forms, out, text + word.begin, word.end - word.begin, first, error));
        at = word.end;
    }
    TRY(bytes_append(out, text + at, length - at, error));
    if (words == 1 && !forms->known) memcpy(out->data, text, length);
    return STATUS_OK;
}

Status letter_case_to_sentence(Bytes *out, const char *text, size_t length,
                               const Vocabulary *vocabulary, Error *error)
{
    WordForms forms = {.vocabulary = vocabulary};
    Status status = rewrite(&forms, out, text, length, error);
    subwords_free(&forms.subwords);
    bytes_free(&forms.form);
    return status;
}

/* Not of a translation that is begun, nor where a span is not read as a placeholder: capitals would
 * be made of it, too. */
static bool applies(const Reading *reading)
{
    const Bytes *text = &reading->text.text;
    return !reading->begun && reading->given.span_count <= reading->context->placeholders &&
           letter_case_of(bytes_text(text), text->length) != CASE_SENTENCE;
}

static Status read(Reading *reading, Error *error)
{
    Bytes sentence = {0}, *text = &reading->text.text;
    reading->letter_case = letter_case_of(bytes_text(text), text->length);
    Status status = letter_case_to_sentence(&sentence, bytes_text(text), text->length,
                                            reading->context->source, error);
    if (!status) memcpy(text->data, sentence.data, text->length); // as many bytes
    bytes_free(&sentence);
    return status;
}

static Status write(const Reading *reading, MappedText *said, Error *error)
{
    (void)error;
    if (reading->letter_case == CASE_CAPITALS)
        letter_case_to_capitals(said->text.data, said->text.length);
    else
        letter_case_begin(said->text.data, said->text.length);
    return STATUS_OK;
}

const ReadingStep letter_case_step = {"letter case", applies, read, write};
