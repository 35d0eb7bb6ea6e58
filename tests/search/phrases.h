// Phrases written down, and whether a text has them: what the tests of constraints compare with.
#pragma once

#include "search/constraints.h"
#include "support/suite.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_ALTERNATIVES = 6, LONGEST_PHRASE = 4 };

// Phrases written down: alternatives of the same phrase are neighbours.
typedef struct Phrase {
    uint32_t phrase;
    bool initial;
    size_t length;
    int32_t tokens[LONGEST_PHRASE];
} Phrase;

typedef struct Phrases {
    Phrase items[MOST_ALTERNATIVES];
    size_t count;
} Phrases;

static Constraints constraints_of(const Phrases *phrases)
{
    Constraints constraints = {0};
    for (size_t i = 0; i < phrases->count; i++) {
        const Phrase *phrase = &phrases->items[i];
        PhraseKind kind = phrase->phrase == constraints.count ? PHRASE_NEW
                          : phrase->initial                   ? PHRASE_INITIAL
                                                              : PHRASE_ALTERNATIVE;
        Status status = constraints_add(&constraints, kind, phrase->tokens, phrase->length, NULL);
        assert_ok(status);
    }
    return constraints;
}

// Whether a word goes on from one token to the next.
static bool goes_on(const unsigned char *edges, int32_t before, int32_t token)
{
    return edges && edges[before] & TOKEN_ENDS_IN_WORD && edges[token] & TOKEN_BEGINS_IN_WORD;
}

static bool is_at(const Phrase *phrase, const unsigned char *edges, const int32_t *text,
                  size_t length, size_t at)
{
    size_t end = at + phrase->length;
    return end <= length && !(phrase->initial && at > 0) &&
           !memcmp(phrase->tokens, text + at, phrase->length * sizeof *text) &&
           !(at > 0 && goes_on(edges, text[at - 1], text[at])) &&
           !(end < length && goes_on(edges, text[end - 1], text[end]));
}

// Whether a text has all phrases, written down as the header says it.
static bool has_all_with(const Phrases *phrases, const unsigned char *edges, const int32_t *text,
                         size_t length)
{
    uint64_t met = 0;
    for (size_t at = 0; at < length;) {
        const Phrase *found = NULL;
        for (size_t i = 0; i < phrases->count; i++) {
            const Phrase *phrase = &phrases->items[i];
            if (met >> phrase->phrase & 1 || (found && found->length >= phrase->length)) continue;
            if (is_at(phrase, edges, text, length, at)) found = phrase;
        }
        if (found) met |= (uint64_t)1 << found->phrase;
        at += found ? found->length : 1;
    }
    return met == ((uint64_t)2 << phrases->items[phrases->count - 1].phrase) - 1;
}
