#include "reading/sentences.h"

#include "text/utf8.h"

// Bounds of what is looked at around a mark, so that a line takes linear time.
enum { MAX_OPENING = 16, MAX_SPEAKER = 10, MAX_INITIALS = 32 };
enum { MAX_LIST_NUMBER = 3, MAX_ORDINAL = 2, MAX_ROMAN = 4 };
enum { ELLIPSIS = 0x2026, ELLIPSIS_STOPS = 3, CLOSING_GUILLEMET = 0xBB, WIDE_COLON = 0xFF1A };

typedef struct Splitter {
    const char *text;
    size_t length;
    const Language *language;
    bool cased;       // the text has a capital, so that a sentence begins with one
    size_t last_word; // where the last letter or number of the text stands
    // since the sentence began:
    size_t first_word; // where its first word begins; the length if there is none
    size_t word;       // where the word at hand begins
    uint32_t before;   // the character before
    bool bracket;      // the last bracket was opened behind a word
    bool quotation;    // the last quotation was opened right behind a letter
} Splitter;

// The marks that may end a sentence, with what closes behind them.
typedef struct Ending {
    size_t end;
    size_t stops;                   // full stops, if nothing else; an ellipsis is several
    bool strong;                    // ! or ?
    bool wide;                      // a Chinese mark, which needs no space
    bool bracket, quotation, title; // one is closed behind the last mark
} Ending;

// What follows an ending.
typedef struct Next {
    bool space;      // before it
    size_t word;     // where its first word begins
    uint32_t letter; // that begins there, or a number; 0 if something else does
} Next;

static bool is_wide_mark(uint32_t c)
{
    return c >= 0x3000 && utf8_is_among(c, "。！？；｡");
}

static bool is_mark(uint32_t c)
{
    return c == '.' || c == '!' || c == '?' || c == ELLIPSIS || is_wide_mark(c);
}

static bool opens(uint32_t c)
{
    return utf8_is_among(c, "([{（【《〈\"'“‘„‚«‹「『¿¡-–—•*#@$€£¥");
}

static size_t skip_spaces(const Splitter *splitter, size_t at)
{
    return utf8_run_end(splitter->text, splitter->length, at, utf8_is_space);
}

// The character at a place, 0 at the end.
static uint32_t character(const Splitter *splitter, size_t at)
{
    return utf8_at(splitter->text, splitter->length, at);
}

static void add_mark(Ending *ending, uint32_t c)
{
    ending->bracket = ending->quotation = ending->title = false;
    ending->strong |= c == '!' || c == '?';
    ending->wide |= is_wide_mark(c);
    ending->stops += c == '.' ? 1 : c == ELLIPSIS ? ELLIPSIS_STOPS : 0;
}

// Whether a character continues an ending; a space does if « Oui ! » goes on behind it, or an
// emoji.
static bool extend_ending(Ending *ending, const Splitter *splitter, size_t *at)
{
    size_t from = skip_spaces(splitter, *at);
    bool space = from > *at;
    uint32_t c = character(splitter, from);
    if (from == splitter->length) return false;
    if (space && c != CLOSING_GUILLEMET && c != '!' && c != '?' && !utf8_is_symbol(c)) return false;
    bool bracket = utf8_is_among(c, ")]}）】"), quotation = utf8_is_among(c, "\"'”’»›」』");
    bool title = utf8_is_among(c, "》〉"), closes = bracket || quotation || title;
    if (!is_mark(c) && !closes && !utf8_is_symbol(c) && !utf8_extends(c)) return false;
    if (is_mark(c)) add_mark(ending, c);
    ending->bracket |= bracket;
    ending->quotation |= quotation;
    ending->title |= title;
    *at = from;
    (void)utf8_next(splitter->text, splitter->length, at);
    return true;
}

static Ending read_ending(const Splitter *splitter, size_t at)
{
    Ending ending = {0};
    while (extend_ending(&ending, splitter, &at)) continue;
    ending.end = at;
    return ending;
}

static Next read_next(const Splitter *splitter, size_t at)
{
    Next next = {.word = skip_spaces(splitter, at)};
    next.space = next.word > at;
    for (size_t i = 0; i < MAX_OPENING && next.word < splitter->length; i++) {
        uint32_t c = character(splitter, next.word);
        if (utf8_is_word(c)) next.letter = c;
        if (!opens(c) && !utf8_is_symbol(c)) break;
        (void)utf8_next(splitter->text, splitter->length, &next.word);
        next.word = skip_spaces(splitter, next.word);
    }
    return next;
}

static size_t word_end(const Splitter *splitter, size_t at)
{
    return utf8_run_end(splitter->text, splitter->length, at, utf8_is_word);
}

static bool word_at(const Splitter *splitter, LanguageWords list, size_t at)
{
    size_t end = word_end(splitter, at);
    // the J of J.-C. is no j'
    if (list == WORDS_STARTING && character(splitter, end) == '.') return false;
    return language_has_word(splitter->language, list, splitter->text + at, end - at);
}

// “Why?” Anna asked. Of the two words behind the first, one is a verb of speech.
static bool latin_speech_follows(const Splitter *splitter, size_t at)
{
    for (int i = 0; i < 2; i++) {
        at = skip_spaces(splitter, word_end(splitter, at));
        if (word_at(splitter, WORDS_OF_SPEECH, at)) return true;
    }
    return false;
}

/* “为什么？”小明问道， The characters up to the next mark end with a verb of speech. Behind a colon it
 * is what follows that is said. */
static bool han_speech_follows(const Splitter *splitter, size_t at)
{
    const size_t begin = at;
    for (int i = 0; i <= MAX_SPEAKER && at < splitter->length; i++) {
        const size_t end = at;
        uint32_t c = utf8_next(splitter->text, splitter->length, &at);
        if (!utf8_is_han(c))
            return c != WIDE_COLON &&
                   language_ends_in_speech((TextView){splitter->text + begin, end - begin});
    }
    return false;
}

static bool ends_wide(const Splitter *splitter, const Ending *ending, const Next *next)
{
    if (ending->title || (ending->bracket && splitter->bracket)) return false;
    bool goes_on = splitter->quotation && utf8_is_letter(character(splitter, ending->end));
    return !ending->quotation || (!goes_on && !han_speech_follows(splitter, next->word));
}

static bool is_number(const char *text, size_t length, size_t most)
{
    return length > 0 && length <= most && strspn(text, "0123456789") >= length;
}

// 1. and A. and IV. at the beginning of a sentence.
static bool is_list_number(const Splitter *splitter, const char *word, size_t length)
{
    if (splitter->word != splitter->first_word) return false;
    if (is_number(word, length, MAX_LIST_NUMBER)) return true;
    if (length == 1) return utf8_is_word((unsigned char)*word);
    return length <= MAX_ROMAN && strspn(word, "IVXivx") >= length;
}

// J and U.S and J.-C: single letters with full stops and hyphens between, the first a capital.
static bool is_initials(const Splitter *splitter, const char *word, size_t length)
{
    bool letter = false;
    if (length > MAX_INITIALS) return false;
    for (size_t at = 0; at < length;) {
        uint32_t c = utf8_next(word, length, &at);
        bool separates = c == '.' || c == '-';
        if (separates != letter) return false;
        if (!separates && !utf8_is_letter(c)) return false;
        letter = !separates;
        if (c == '.' && word[at] == '-') at++; // another mark is behind the word
    }
    if (language_has_word(splitter->language, WORDS_CAPITAL, word, length)) return false;
    return letter && (length > 2 || utf8_is_upper(character(splitter, splitter->word)));
}

// Whether the full stop at `stop` belongs to the word before it.
static bool is_abbreviation(const Splitter *splitter, size_t stop, const Next *next)
{
    const char *word = splitter->text + splitter->word;
    size_t length = stop - splitter->word;
    const Language *language = splitter->language;
    if (is_list_number(splitter, word, length)) return true;
    if (language_has_ordinals(language) && is_number(word, length, MAX_ORDINAL)) return true;
    if (language_has_word(language, WORDS_BEFORE_NAME, word, length)) return true;
    bool doubtful = is_initials(splitter, word, length) ||
                    language_has_word(language, WORDS_DOUBTFUL, word, length);
    if (utf8_is_number(next->letter))
        return doubtful || language_has_word(language, WORDS_BEFORE_NUMBER, word, length);
    return doubtful && !(splitter->cased && word_at(splitter, WORDS_STARTING, next->word));
}

// I… I do not know: the word before comes again, or is followed by what always has a capital.
static bool hesitates(const Splitter *splitter, size_t stop, const Next *next)
{
    size_t length = word_end(splitter, next->word) - next->word;
    if (stop - splitter->word == length &&
        !memcmp(splitter->text + splitter->word, splitter->text + next->word, length))
        return true;
    return word_at(splitter, WORDS_CAPITAL, next->word);
}

static bool ends_latin(const Splitter *splitter, size_t stop, const Ending *ending,
                       const Next *next)
{
    bool han = utf8_is_han(next->letter);
    if (!next->space && !(han && (ending->strong || utf8_is_han(splitter->before)))) return false;
    if (ending->bracket && splitter->bracket) return false;
    if (utf8_is_lower(next->letter) &&
        (splitter->cased || ending->quotation || (!ending->strong && ending->stops > 1)))
        return false;
    if (ending->strong) return !ending->quotation || !latin_speech_follows(splitter, next->word);
    if (ending->stops > 1) return !hesitates(splitter, stop, next) && (next->space || !han);
    return stop == splitter->word || !is_abbreviation(splitter, stop, next);
}

// Whether a sentence ends with the marks that begin at `stop`.
static bool is_boundary(const Splitter *splitter, size_t stop, const Ending *ending)
{
    if (splitter->first_word == splitter->length || ending->end > splitter->last_word) return false;
    const Next next = read_next(splitter, ending->end);
    // “我不知道……”“没关系。”
    bool answered = ending->quotation && utf8_is_among(character(splitter, ending->end), "“「『");
    if (ending->wide || answered) return ends_wide(splitter, ending, &next);
    return next.letter != 0 && ends_latin(splitter, stop, ending, &next);
}

// A character that is no mark.
static void step(Splitter *splitter, size_t begin, size_t end, uint32_t c)
{
    if (utf8_is_word(c)) {
        if (splitter->first_word == splitter->length) splitter->first_word = splitter->word;
    } else if (utf8_is_among(c, "([{（【")) {
        splitter->bracket = splitter->first_word < begin;
    } else if (utf8_is_among(c, "“「『《«")) {
        splitter->quotation = utf8_is_letter(splitter->before);
    }
    if (utf8_is_space(c) || utf8_is_apostrophe(c) || opens(c)) {
        // a hyphen inside a word does not begin one: J.-C.
        if (c != '-' || begin == splitter->word) splitter->word = end;
    }
    splitter->before = c;
}

static void begin_sentence(Splitter *splitter, size_t at)
{
    splitter->word = at;
    splitter->first_word = splitter->length;
    splitter->before = 0;
    splitter->bracket = splitter->quotation = false;
}

static Status split(Spans *sentences, Splitter *splitter, Error *error)
{
    size_t sentence = skip_spaces(splitter, 0), end = sentence;
    begin_sentence(splitter, sentence);
    for (size_t at = sentence; at < splitter->length;) {
        size_t begin = at;
        uint32_t c = utf8_next(splitter->text, splitter->length, &at);
        if (!is_mark(c)) {
            step(splitter, begin, at, c);
            if (!utf8_is_space(c)) end = at;
            continue;
        }
        const Ending ending = read_ending(splitter, begin);
        bool boundary = is_boundary(splitter, begin, &ending);
        end = at = ending.end;
        splitter->before = c;
        if (!boundary) continue;
        TRY(spans_append(sentences, (Span){sentence, end}, error));
        sentence = at = skip_spaces(splitter, at);
        begin_sentence(splitter, sentence);
    }
    return end > sentence ? spans_append(sentences, (Span){sentence, end}, error) : STATUS_OK;
}

// What is known of the text as a whole.
static Splitter survey(const Language *language, const char *text, size_t length)
{
    Splitter splitter = {.text = text, .length = length, .language = language};
    for (size_t at = 0; at < length;) {
        size_t begin = at;
        uint32_t c = utf8_next(text, length, &at);
        if (utf8_is_word(c)) splitter.last_word = begin;
        splitter.cased |= utf8_is_upper(c);
    }
    return splitter;
}

Status sentences_split(Spans *sentences, const Language *language, const char *text, size_t length,
                       Error *error)
{
    Splitter splitter = survey(language, text, length);
    sentences->count = 0;
    Status status = split(sentences, &splitter, error);
    if (status) sentences->count = 0;
    return status;
}

// Whether a word that joins clauses begins at a place; of Han it has two characters.
static bool joins(const char *text, size_t length, size_t at, const Language *language)
{
    size_t end = at, han = 0;
    for (size_t next = at; next < length && han < 2; end = next) {
        uint32_t c = utf8_next(text, length, &next);
        if (!utf8_is_letter(c)) break;
        han += utf8_is_han(c);
    }
    return language_has_word(language, WORDS_JOINING, text + at, end - at);
}

size_t clause_end(const char *text, size_t length, size_t most, const Language *language)
{
    size_t clause = 0, comma = 0, joint = 0, word = 0, character = 0;
    for (size_t at = 0; at < length && at < most;) {
        size_t begin = at;
        uint32_t c = utf8_next(text, length, &at);
        if (at > most) break;
        if (utf8_is_space(c) && begin > 0) word = begin;
        if (begin > 0 && (utf8_is_space(c) || utf8_is_han(c)) &&
            joins(text, length, utf8_is_space(c) ? at : begin, language))
            joint = begin;
        if (!utf8_is_space(c)) character = at;
        bool wide = utf8_is_among(c, "；：，、");
        if (!wide && (at == length || !utf8_is_space((unsigned char)text[at]))) continue;
        if (utf8_is_among(c, ";:；：")) clause = at;
        if (utf8_is_among(c, ",，、")) comma = at;
    }
    const size_t places[] = {clause, comma, joint};
    for (size_t share = 2; share <= 4; share *= 2)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            if (places[i] > 0 && places[i] >= most / share) return places[i];
    if (word > 0) return word;
    return character > 0 ? character : most;
}
