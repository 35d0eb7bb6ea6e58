#include "align/aligner_tokens.h"

#include "align/detokenise.h"
#include "base/array.h"
#include "text/utf8.h"
#include "text/word_list.h"

static bool is_in_letters(uint32_t character)
{
    return (utf8_is_letter(character) && !utf8_is_han(character)) || utf8_extends(character);
}

static size_t letters_end(const char *text, size_t at, size_t end)
{
    return utf8_run_end(text, end, at, is_in_letters);
}

static size_t number_end(const char *text, size_t at, size_t end)
{
    for (size_t next = at; at < end; at = next) {
        uint32_t character = utf8_next(text, end, &next);
        bool inner =
            (character == '.' || character == ',') && utf8_is_number(utf8_at(text, end, next));
        if (!inner && !utf8_is_number(character) && !utf8_extends(character)) break;
    }
    return at;
}

/* Whether these letters, behind an apostrophe, are an English contraction; none begins a French
 * word with a vowel. */
static bool is_contraction(const char *letters, size_t length)
{
    return word_list_find("s m d ll re ve", letters, length) != NULL;
}

// Where a token that begins with a letter ends.
static size_t word_end(const char *text, size_t at, size_t end)
{
    size_t stop = letters_end(text, at, end), behind = stop;
    if (stop == end || !utf8_is_apostrophe(utf8_next(text, end, &behind))) return stop;
    size_t suffix_end = letters_end(text, behind, end), suffix = suffix_end - behind;
    if (suffix == 1 && (text[behind] | 0x20) == 't' && (text[stop - 1] | 0x20) == 'n')
        return stop - 1 > at ? stop - 1 : suffix_end;
    if (is_contraction(text + behind, suffix)) return stop;
    bool possessive = suffix == 0 && stop - at > 1 && (text[stop - 1] | 0x20) == 's';
    return possessive ? stop : behind;
}

static size_t token_end(const char *text, size_t at, size_t end)
{
    size_t next = at;
    uint32_t character = utf8_next(text, end, &next);
    if (utf8_is_han(character)) return utf8_run_end(text, end, next, utf8_extends);
    if (utf8_is_letter(character)) return word_end(text, at, end);
    if (utf8_is_number(character)) return number_end(text, at, end);
    if (utf8_is_apostrophe(character)) {
        size_t stop = letters_end(text, next, end);
        if (is_contraction(text + next, stop - next)) return stop;
    }
    for (size_t behind = next; next < end; next = behind) {
        uint32_t other = utf8_next(text, end, &behind);
        if (other != character && !utf8_extends(other)) break;
    }
    return next;
}

// The ASCII counterpart of a mark, or the character itself.
static uint32_t fold(uint32_t character)
{
    static const struct {
        uint16_t from, to, ascii;
    } ranges[] = {
        {0x2018, 0x2019, '\''}, {0x201C, 0x201D, '"'}, {0x00AB, 0x00AB, '"'}, {0x00BB, 0x00BB, '"'},
        {0x3001, 0x3001, ','},  {0x3002, 0x3002, '.'}, {0x300A, 0x300F, '"'}, // 《 》 「 」 『 』
    };
    if (0xFF01 <= character && character <= 0xFF5E) return character - 0xFF00 + 0x20;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (ranges[i].from <= character && character <= ranges[i].to) return ranges[i].ascii;
    return character;
}

static Status append_token(AlignerTokens *out, const char *text, size_t begin, size_t end,
                           const char *spelling, Error *error)
{
    TRY(spans_append(&out->places, (Span){begin, end}, error));
    TRY(bytes_append_string(&out->spellings, spelling ? spelling : "", error));
    char folded[4];
    for (size_t at = begin; at < end && !spelling;) {
        size_t length = utf8_encode(fold(utf8_next(text, end, &at)), folded);
        TRY(utf8_append_lowercase(&out->spellings, folded, length, error));
    }
    TRY(array_reserve(&out->spelling_ends, &out->capacity, out->places.count, "tokens", error));
    out->spelling_ends[out->places.count - 1] = out->spellings.length;
    return STATUS_OK;
}

// The tokens of one run without white space.
static Status append_run(AlignerTokens *out, const char *text, size_t begin, size_t end,
                         Error *error)
{
    const char *spelling = treebank_unescaped((TextView){text + begin, end - begin});
    if (spelling) return append_token(out, text, begin, end, spelling, error);
    for (size_t at = begin, next; at < end; at = next) {
        next = token_end(text, at, end);
        TRY(append_token(out, text, at, next, NULL, error));
    }
    return STATUS_OK;
}

static void clear(AlignerTokens *tokens)
{
    tokens->places.count = 0;
    bytes_clear(&tokens->spellings);
}

static bool is_visible(uint32_t character)
{
    return !utf8_is_space(character);
}

// The tokens of text[at … length].
static Status append_text(AlignerTokens *out, const char *text, size_t at, size_t length,
                          Error *error)
{
    while ((at = utf8_run_end(text, length, at, utf8_is_space)) < length) {
        size_t end = utf8_run_end(text, length, at, is_visible);
        TRY(append_run(out, text, at, end, error));
        at = end;
    }
    return STATUS_OK;
}

Status aligner_tokens_set_spans(AlignerTokens *out, TextView text, const Spans *spans, Error *error)
{
    size_t at = 0;
    Status status = STATUS_OK;
    clear(out);
    for (size_t i = 0; i < spans->count && !status; i++) {
        const Span span = spans->items[i];
        status = append_text(out, text.data, at, span.begin, error);
        if (!status) status = append_token(out, text.data, span.begin, span.end, NULL, error);
        at = span.end;
    }
    if (!status) status = append_text(out, text.data, at, text.length, error);
    if (status) clear(out);
    return status;
}

Status aligner_tokens_set(AlignerTokens *out, const char *text, size_t length, Error *error)
{
    return aligner_tokens_set_spans(out, (TextView){text, length}, &(Spans){0}, error);
}

bool aligner_tokens_is_mark(const AlignerTokens *tokens, size_t token)
{
    TextView spelling = aligner_tokens_spelling(tokens, token);
    return !utf8_has(spelling.data, spelling.length, utf8_is_word);
}

void aligner_tokens_free(AlignerTokens *tokens)
{
    spans_free(&tokens->places);
    bytes_free(&tokens->spellings);
    memory_free(tokens->spelling_ends);
    *tokens = (AlignerTokens){0};
}
