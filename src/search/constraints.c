#include "search/constraints.h"

#include "base/array.h"
#include "text/special_tokens.h"

Status constraints_add(Constraints *constraints, PhraseKind kind, const int32_t *tokens,
                       size_t length, Error *error)
{
    static const char purpose[] = "constraints";
    assert(length >= 1 && length <= MAX_PHRASE_TOKENS);
    const bool is_new = kind == PHRASE_NEW || kind == PHRASE_OPTIONAL;
    assert(is_new ? constraints->count < MAX_PHRASES : constraints->count > 0);
    constraints->count += is_new;
    const uint32_t phrase = (uint32_t)constraints->count - 1;
    if (kind == PHRASE_OPTIONAL) constraints->optional |= (uint64_t)1 << phrase;
    TRY(array_reserve(&constraints->tokens, &constraints->token_capacity,
                      constraints->token_count + length, purpose, error));
    TRY(array_reserve(&constraints->alternatives, &constraints->alternative_capacity,
                      constraints->alternative_count + 1, purpose, error));
    memcpy(constraints->tokens + constraints->token_count, tokens, length * sizeof *tokens);
    constraints->alternatives[constraints->alternative_count++] = (PhraseTokens){
        phrase, (uint32_t)constraints->token_count, (uint32_t)length, kind == PHRASE_INITIAL};
    constraints->token_count += length;
    if (length > constraints->longest[phrase] && !(constraints->optional >> phrase & 1)) {
        constraints->length += length - constraints->longest[phrase];
        constraints->longest[phrase] = (uint8_t)length;
    }
    return STATUS_OK;
}

void constraints_place(Constraints *constraints, size_t begin, size_t end)
{
    assert(constraints->count > 0 && begin <= end);
    constraints->sources[constraints->count - 1] = (PhraseSource){(uint32_t)begin, (uint32_t)end};
}

void constraints_name(Constraints *constraints)
{
    assert(constraints->count > 0);
    constraints->names |= (uint64_t)1 << (constraints->count - 1);
}

void constraints_wish(Constraints *constraints, size_t count)
{
    for (; constraints->count > count; constraints->wished++)
        constraints->length -= constraints->longest[--constraints->count];
    while (constraints->alternative_count > 0 &&
           constraints->alternatives[constraints->alternative_count - 1].phrase >= count) {
        constraints->alternative_count--;
        constraints->wished_alternatives++;
    }
}

bool constraints_demand(Constraints *constraints, const int32_t *text, size_t length)
{
    const size_t count = constraints->count;
    ConstraintState state = {0};
    if (constraints->wished == 0) return false;
    for (; constraints->wished > 0; constraints->wished--)
        constraints->length += constraints->longest[constraints->count++];
    constraints->alternative_count += constraints->wished_alternatives;
    constraints->wished_alternatives = 0;
    for (size_t i = 0; i < length; i++)
        state = constraints_advance(constraints, state, text + i - state.open, text[i]);
    if (state.done != constraints->length) return true;
    constraints_wish(constraints, count);
    return false;
}

void constraints_free(Constraints *constraints)
{
    memory_free(constraints->tokens);
    memory_free(constraints->alternatives);
    *constraints = (Constraints){0};
}

static bool is_met(const PhraseTokens *alternative, uint64_t met)
{
    return met >> alternative->phrase & 1;
}

static unsigned char edges_of(const Constraints *constraints, int32_t token)
{
    return constraints->edges ? constraints->edges[token] : 0;
}

/* Whether a phrase must not begin or end between tokens of these edges: a word goes on there or, as
 * an optional one may be a part of a word, such as 6 of 6th, a bound token. */
static bool is_divided(const Constraints *constraints, const PhraseTokens *alternative,
                       unsigned char before, unsigned char behind)
{
    if (!(before & TOKEN_ENDS_IN_WORD) || !(behind & TOKEN_BEGINS_IN_WORD)) return false;
    bool optional = constraints->optional >> alternative->phrase & 1;
    return !optional || (before & behind & constraints->bound);
}

// Whether an alternative and a text agree in their first `count` tokens.
static bool agrees(const Constraints *constraints, const PhraseTokens *alternative,
                   const int32_t *text, size_t count)
{
    const int32_t *tokens = constraints->tokens + alternative->begin;
    return memcmp(tokens, text, count * sizeof *text) == 0;
}

// Tokens to be read, after others.
typedef struct TokenText {
    const int32_t *tokens; // (length)
    size_t length;
    bool begun;           // as in ConstraintState
    unsigned char before; // likewise
} TokenText;

// Whether an alternative is still wanted, and counts where a text begins.
static bool is_wanted(const Constraints *constraints, const PhraseTokens *alternative, uint64_t met,
                      const TokenText *text)
{
    return !is_met(alternative, met) && !(alternative->initial && text->begun) &&
           !is_divided(constraints, alternative, text->before,
                       edges_of(constraints, *text->tokens));
}

// Whether a text may be the beginning of an alternative that is not met, or all of it.
static bool may_become_one(const Constraints *constraints, uint64_t met, const TokenText *text)
{
    unsigned char last = edges_of(constraints, text->tokens[text->length - 1]);
    bool open_end = last & TOKEN_ENDS_IN_WORD;
    for (size_t i = 0; i < constraints->alternative_count; i++) {
        const PhraseTokens *alternative = &constraints->alternatives[i];
        if (is_wanted(constraints, alternative, met, text) &&
            alternative->length + open_end > text->length &&
            agrees(constraints, alternative, text->tokens, text->length))
            return true;
    }
    return false;
}

// Whether a text begins with an alternative, and no word goes on behind it.
static bool begins_with(const Constraints *constraints, const TokenText *text,
                        const PhraseTokens *alternative)
{
    size_t length = alternative->length;
    if (length > text->length || !agrees(constraints, alternative, text->tokens, length))
        return false;
    return length == text->length ||
           !is_divided(constraints, alternative, edges_of(constraints, text->tokens[length - 1]),
                       edges_of(constraints, text->tokens[length]));
}

// The longest alternative, not met, with which a text begins, the first of those; NULL: none.
static const PhraseTokens *longest_at(const Constraints *constraints, uint64_t met,
                                      const TokenText *text)
{
    const PhraseTokens *found = NULL;
    for (size_t i = 0; i < constraints->alternative_count; i++) {
        const PhraseTokens *alternative = &constraints->alternatives[i];
        if (is_wanted(constraints, alternative, met, text) &&
            (!found || alternative->length > found->length) &&
            begins_with(constraints, text, alternative))
            found = alternative;
    }
    return found;
}

/* The open tokens and the new one are read from the left as far as it is certain what they are:
 * where the next token may make a difference, reading waits. */
ConstraintState constraints_advance(const Constraints *constraints, ConstraintState state,
                                    const int32_t *open_tokens, int32_t token)
{
    int32_t tokens[MAX_PHRASE_TOKENS + 1];
    TokenText text = {tokens, state.open + 1, state.begun, state.before};
    assert(state.open <= MAX_PHRASE_TOKENS);
    if (state.open > 0) memcpy(tokens, open_tokens, state.open * sizeof *tokens);
    tokens[state.open] = token;
    state.done -= state.begun_tokens;
    state.astray = false;
    while (text.length > 0 && !may_become_one(constraints, state.met, &text)) {
        const PhraseTokens *met = longest_at(constraints, state.met, &text);
        size_t read = met ? met->length : 1;
        text.tokens += read;
        text.length -= read;
        text.begun = true;
        text.before = edges_of(constraints, text.tokens[-1]);
        state.astray |= !met && text.before & constraints->bound;
        if (!met) continue;
        state.met |= (uint64_t)1 << met->phrase;
        state.done += constraints->longest[met->phrase];
    }
    state.begun = text.begun;
    state.before = text.before;
    state.open = (uint32_t)text.length;
    bool begins =
        text.length > 0 && may_become_one(constraints, state.met | constraints->optional, &text);
    state.begun_tokens = begins ? state.open : 0;
    state.done += state.begun_tokens;
    return state;
}

bool constraints_forbid(const Constraints *constraints, ConstraintState state, int32_t token)
{
    for (size_t i = 0; i < constraints->alternative_count; i++) {
        const PhraseTokens *alternative = &constraints->alternatives[i];
        const int32_t *tokens = constraints->tokens + alternative->begin;
        if (is_met(alternative, state.met)) continue;
        for (size_t j = 0; j < alternative->length; j++)
            if (tokens[j] == token) return false;
    }
    return true;
}

bool constraints_ends_name(const Constraints *constraints, int32_t token)
{
    for (size_t i = 0; i < constraints->alternative_count; i++) {
        const PhraseTokens *alternative = &constraints->alternatives[i];
        if ((constraints->names >> alternative->phrase & 1) &&
            constraints->tokens[alternative->begin + alternative->length - 1] == token)
            return true;
    }
    return false;
}

bool constraints_complete(const Constraints *constraints, ConstraintState state,
                          const int32_t *open_tokens)
{
    // no phrase has </s>, so that nothing stays open behind it
    state = constraints_advance(constraints, state, open_tokens, TOKEN_EOS);
    return state.done == constraints->length && !state.astray;
}

int32_t constraints_next(const Constraints *constraints, size_t alternative, ConstraintState state,
                         const int32_t *open_tokens, size_t open)
{
    const PhraseTokens *tokens = &constraints->alternatives[alternative];
    if (is_met(tokens, state.met) || tokens->length <= open) return -1;
    if (tokens->initial && (state.begun || open != state.open)) return -1;
    if (open > 0 && !agrees(constraints, tokens, open_tokens, open)) return -1;
    return constraints->tokens[tokens->begin + open];
}
