#include "align/detokenise.h"

#include "text/utf8.h"

// A token, as the running text spells it, and what the rules need of it.
typedef struct Token {
    TextView text;
    size_t characters;
    uint32_t first, last, before_last; // before_last is 0 if there is one character alone
    bool closes, opens;                // is nothing but closing marks; is an opening one
} Token;

static bool spells(const Token *token, const char *text)
{
    return text_view_equal(token->text, text_view_of(text));
}

const char *treebank_unescaped(TextView token)
{
    static const char *const escapes[][2] = {
        {"-LRB-", "("}, {"-RRB-", ")"}, {"-LSB-", "["}, {"-RSB-", "]"},
        {"-LCB-", "{"}, {"-RCB-", "}"}, {"``", "\""},   {"''", "\""},
    };
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
        if (text_view_equal(token, text_view_of(escapes[i][0]))) return escapes[i][1];
    return NULL;
}

/* `quoted`: whether a straight quote of this line is open. */
static Token token_of(TextView text, bool *quoted)
{
    const char *unescaped = treebank_unescaped(text);
    Token token = {.text = unescaped ? text_view_of(unescaped) : text, .closes = true};
    for (size_t at = 0; at < token.text.length; token.characters++) {
        uint32_t character = utf8_next(token.text.data, token.text.length, &at);
        if (token.characters == 0) token.first = character;
        token.before_last = token.last;
        token.last = character;
        token.closes &= utf8_is_among(character, ".,…%)]}”");
    }
    token.opens = token.characters == 1 && utf8_is_among(token.first, "([{“$");
    if (spells(&token, "\"")) {
        token.closes = *quoted;
        token.opens = !*quoted;
        *quoted = !*quoted;
    }
    return token;
}

static bool is_elided(const Token *token)
{
    if (token->characters < 2 || !utf8_is_apostrophe(token->last) ||
        !utf8_is_letter(token->before_last))
        return false;
    bool ends_in_s = token->before_last == 's' || token->before_last == 'S';
    return !ends_in_s || token->characters == 2;
}

/* 's, 'll, n't, and the apostrophe of "troops '". */
static bool is_contracted(const Token *left, const Token *right)
{
    if (!utf8_is_letter(left->last)) return false;
    if (right->characters == 1)
        return utf8_is_apostrophe(right->first) && (left->last == 's' || left->last == 'S');
    return spells(right, "n't") || spells(right, "n\xE2\x80\x99t") ||
           (utf8_is_apostrophe(right->first) && utf8_is_letter(right->last));
}

// A lone hyphen with a word on either side.
static bool hyphenates(const Token *left, const Token *token, const Token *right)
{
    return token->characters == 1 && token->first == '-' && utf8_is_word(left->last) &&
           utf8_is_word(right->first);
}

/* Whether no space belongs between tokens[1] and tokens[2]; the outer two may be {0}. Every mark
 * keeps the character before it, so that the text stays in normal form. */
static bool joined(const Token tokens[4])
{
    const Token *left = &tokens[1], *right = &tokens[2];
    if (utf8_extends(right->first)) return false;
    if (utf8_is_unspaced(left->last) || utf8_is_unspaced(right->first)) return true;
    if (left->opens || right->closes) return true;
    if (hyphenates(left, right, &tokens[3]) || hyphenates(&tokens[0], left, right)) return true;
    return (is_elided(left) && utf8_is_word(right->first)) || is_contracted(left, right);
}

static Status append(DetokenisedText *out, size_t unit, const Token *token, bool space,
                     Error *error)
{
    if (space) TRY(bytes_append(&out->text, " ", 1, error));
    const size_t begin = out->text.length;
    TRY(bytes_append(&out->text, token->text.data, token->text.length, error));
    out->units.items[unit] = (Span){begin, out->text.length};
    return STATUS_OK;
}

Status detokenise(DetokenisedText *out, const char *line, size_t length, Error *error)
{
    bytes_clear(&out->text);
    Spans *units = &out->units; // places in the line, and token by token those in the text
    Status status = units_split(units, UNITS_WORDS, line, length, error);
    Token tokens[4] = {{.characters = 0}}; // the current one is tokens[1]
    bool quoted = false, glued = false;
    for (size_t i = 0; i < units->count + 2 && !status; i++) { // reads token i, writes i - 2
        memmove(tokens, tokens + 1, 3 * sizeof *tokens);
        tokens[3] = (Token){0};
        if (i < units->count)
            tokens[3] = token_of(span_text((TextView){line, length}, units->items[i]), &quoted);
        if (i < 2) continue;
        status = append(out, i - 2, &tokens[1], i > 2 && !glued, error);
        glued = joined(tokens);
    }
    if (status) {
        bytes_clear(&out->text);
        units->count = 0;
    }
    return status;
}
