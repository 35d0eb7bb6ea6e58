#include "search/constraints.h"

#include "base/array.h"
#include "base/memory.h"
#include "text/special_tokens.h"

#include <assert.h>
#include <string.h>

static Status add(Constraints *constraints, uint32_t phrase, const int32_t *tokens, size_t length,
                  Error *error)
{
    static const char purpose[] = "constraints";
    assert(length >= 1 && length <= MAX_PHRASE_TOKENS);
    TRY(array_reserve(&constraints->tokens, &constraints->token_capacity,
                      constraints->token_count + length, purpose, error));
    TRY(array_reserve(&constraints->alternatives, &constraints->alternative_capacity,
                      constraints->alternative_count + 1, purpose, error));
    memcpy(constraints->tokens + constraints->token_count, tokens, length * sizeof *tokens);
    constraints->alternatives[constraints->alternative_count++] =
        (PhraseTokens){phrase, (uint32_t)constraints->token_count, (uint32_t)length};
    constraints->token_count += length;
    if (length > constraints->longest[phrase]) {
        constraints->length += length - constraints->longest[phrase];
        constraints->longest[phrase] = (uint8_t)length;
    }
    return STATUS_OK;
}

Status constraints_add(Constraints *constraints, const int32_t *tokens, size_t length, Error *error)
{
    assert(constraints->count < MAX_PHRASES);
    return add(constraints, (uint32_t)constraints->count++, tokens, length, error);
}

Status constraints_add_alternative(Constraints *constraints, const int32_t *tokens, size_t length,
                                   Error *error)
{
    assert(constraints->count > 0);
    return add(constraints, (uint32_t)constraints->count - 1, tokens, length, error);
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

// Whether an alternative and a text agree in their first `count` tokens.
static bool agrees(const Constraints *constraints, const PhraseTokens *alternative,
                   const int32_t *text, size_t count)
{
    const int32_t *tokens = constraints->tokens + alternative->begin;
    return memcmp(tokens, text, count * sizeof *text) == 0;
}

// Whether a text is the beginning of an alternative that is not met and is longer.
static bool begins_one(const Constraints *constraints, uint64_t met, const int32_t *text,
                       size_t length)
{
    for (size_t i = 0; i < constraints->alternative_count; i++) {
        const PhraseTokens *alternative = &constraints->alternatives[i];
        if (!is_met(alternative, met) && alternative->length > length &&
            agrees(constraints, alternative, text, length))
            return true;
    }
    return false;
}

// The longest alternative, not met, with which a text begins, the first of those; NULL: none.
static const PhraseTokens *longest_at(const Constraints *constraints, uint64_t met,
                                      const int32_t *text, size_t length)
{
    const PhraseTokens *found = NULL;
    for (size_t i = 0; i < constraints->alternative_count; i++) {
        const PhraseTokens *alternative = &constraints->alternatives[i];
        if (!is_met(alternative, met) && alternative->length <= length &&
            (!found || alternative->length > found->length) &&
            agrees(constraints, alternative, text, alternative->length))
            found = alternative;
    }
    return found;
}

/* The open tokens and the new one are read from the left as far as it is certain what they are: where
 * they may yet become a longer phrase, reading waits. */
ConstraintState constraints_advance(const Constraints *constraints, ConstraintState state,
                                    const int32_t *open_tokens, int32_t token)
{
    int32_t text[MAX_PHRASE_TOKENS];
    size_t begin = 0, length = state.open + 1;
    assert(length <= MAX_PHRASE_TOKENS);
    if (state.open > 0) memcpy(text, open_tokens, state.open * sizeof *text);
    text[length - 1] = token;
    state.done -= state.open;
    while (begin < length && !begins_one(constraints, state.met, text + begin, length - begin)) {
        const PhraseTokens *met = longest_at(constraints, state.met, text + begin, length - begin);
        begin += met ? met->length : 1;
        if (!met) continue;
        state.met |= (uint64_t)1 << met->phrase;
        state.done += constraints->longest[met->phrase];
    }
    state.open = (uint32_t)(length - begin);
    state.done += state.open;
    return state;
}

bool constraints_complete(const Constraints *constraints, ConstraintState state,
                          const int32_t *open_tokens)
{
    // no phrase has </s>, so that nothing stays open behind it
    state = constraints_advance(constraints, state, open_tokens, TOKEN_EOS);
    return state.done == constraints->length;
}

int32_t constraints_next(const Constraints *constraints, size_t alternative, ConstraintState state,
                         const int32_t *open_tokens, size_t open)
{
    const PhraseTokens *tokens = &constraints->alternatives[alternative];
    if (is_met(tokens, state.met) || tokens->length <= open) return -1;
    if (open > 0 && !agrees(constraints, tokens, open_tokens, open)) return -1;
    return constraints->tokens[tokens->begin + open];
}
