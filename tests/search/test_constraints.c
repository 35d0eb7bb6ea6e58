// What of given phrases a text has said, token by token.
#include "search/constraints.h"

#include "search/phrases.h"
#include "search/table_model.h"
#include "support/failing_malloc.h"

static Phrases drawn_phrases(uint64_t *state)
{
    Phrases phrases = {.count = 1 + (size_t)(draw(state) * MOST_ALTERNATIVES)};
    for (size_t i = 0; i < phrases.count; i++) {
        Phrase *phrase = &phrases.items[i];
        phrase->phrase = i == 0 ? 0 : phrases.items[i - 1].phrase + (draw(state) < 0.6);
        phrase->initial =
            i > 0 && phrase->phrase == phrases.items[i - 1].phrase && draw(state) < 0.3;
        phrase->length = 1 + (size_t)(draw(state) * LONGEST_PHRASE);
        for (size_t t = 0; t < phrase->length; t++)
            phrase->tokens[t] = 4 + (int32_t)(draw(state) * 2);
    }
    return phrases;
}

TEST(states)
{
    enum { LENGTH = 24 };
    uint64_t seed = 1;
    for (size_t trial = 0; trial < 2000; trial++) {
        const Phrases phrases = drawn_phrases(&seed);
        Constraints constraints = constraints_of(&phrases);
        ConstraintState state = {0};
        int32_t text[LENGTH];
        unsigned char edges[WORDS] = {0};
        for (size_t token = 4; token < WORDS; token++)
            edges[token] = (unsigned char)(draw(&seed) * 4);
        if (trial % 3) constraints.edges = edges;
        for (size_t t = 0; t < LENGTH; t++) {
            text[t] = 4 + (int32_t)(draw(&seed) * 2.2);
            state = constraints_advance(&constraints, state, text + t - state.open, text[t]);
            const int32_t *open = text + t + 1 - state.open;
            bool complete = constraints_complete(&constraints, state, open);
            ck_assert(complete == has_all_with(&phrases, constraints.edges, text, t + 1));
            ck_assert_uint_le(state.done, constraints.length);
            ck_assert(state.done < constraints.length || complete);
        }
        constraints_free(&constraints);
    }
}

// What is wished for is no part of the constraints until a text lacks it.
TEST(wishes)
{
    static const int32_t text[] = {5, 9, 6, 7};
    Constraints constraints = {0};
    assert_ok(constraints_add(&constraints, PHRASE_NEW, (const int32_t[]){5}, 1, NULL));
    assert_ok(constraints_add(&constraints, PHRASE_NEW, (const int32_t[]){6, 7}, 2, NULL));
    assert_ok(constraints_add(&constraints, PHRASE_ALTERNATIVE, (const int32_t[]){8}, 1, NULL));
    constraints_wish(&constraints, 1);
    for (size_t length = 4; length > 2; length--) {
        ck_assert_uint_eq(constraints.count, 1);
        ck_assert_uint_eq(constraints.alternative_count, 1);
        ck_assert_uint_eq(constraints.length, 1);
        ck_assert(constraints_demand(&constraints, text, length) == (length < 4));
    }
    ck_assert_uint_eq(constraints.count, 2);
    ck_assert_uint_eq(constraints.alternative_count, 3);
    ck_assert_uint_eq(constraints.length, 3);
    ck_assert(!constraints_demand(&constraints, text, 1)); // there are no more wishes
    constraints_free(&constraints);
}

// The digits of 12 and 34 are bound; 34 need not be said. 9 is no digit.
TEST(bound_tokens)
{
    static const struct {
        int32_t tokens[5];
        size_t length;
        bool astray, complete;
    } cases[] = {
        {{9, 5, 6}, 3, false, true},
        {{5, 6, 9, 7, 8}, 5, false, true},
        {{7, 8, 9, 5, 6}, 5, false, true},
        {{7, 8}, 2, false, false},
        {{5}, 1, false, false},   // 1 may become 12
        {{5, 9}, 2, true, false}, // and has not
        {{8}, 1, true, false},
        {{5, 6, 5}, 3, true, true}, // once
        {{5, 6, 7, 9}, 4, true, true},
    };
    unsigned char edges[10] = {0};
    Constraints constraints = {0};
    for (int32_t digit = 5; digit < 9; digit++) edges[digit] = TOKEN_HAS_DIGIT;
    assert_ok(constraints_add(&constraints, PHRASE_NEW, (int32_t[]){5, 6}, 2, NULL));
    assert_ok(constraints_add(&constraints, PHRASE_OPTIONAL, (int32_t[]){7, 8}, 2, NULL));
    constraints.edges = edges;
    constraints.bound = TOKEN_HAS_DIGIT;
    ck_assert_uint_eq(constraints.length, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int32_t *tokens = cases[i].tokens;
        ConstraintState state = {0};
        for (size_t t = 0; t < cases[i].length; t++)
            state = constraints_advance(&constraints, state, tokens + t - state.open, tokens[t]);
        const int32_t *open = tokens + cases[i].length - state.open;
        ck_assert_msg(state.astray == cases[i].astray, "case %zu", i);
        if (!state.astray)
            ck_assert(constraints_complete(&constraints, state, open) == cases[i].complete);
    }
    ck_assert(!constraints_forbid(&constraints, (ConstraintState){0}, 5));
    ck_assert(constraints_forbid(&constraints, (ConstraintState){.met = 1}, 5));
    ck_assert(!constraints_forbid(&constraints, (ConstraintState){.met = 1}, 7));
    constraints_free(&constraints);
}

// 5 6 is a name, 7 a number.
TEST(behind_names)
{
    Constraints constraints = {.bound = TOKEN_HAS_PLACEHOLDER};
    assert_ok(constraints_add(&constraints, PHRASE_NEW, (int32_t[]){5, 6}, 2, NULL));
    constraints_name(&constraints);
    assert_ok(constraints_add(&constraints, PHRASE_NEW, (int32_t[]){7}, 1, NULL));
    ck_assert(constraints_ends_name(&constraints, 6));
    ck_assert(!constraints_ends_name(&constraints, 5));
    ck_assert(!constraints_ends_name(&constraints, 7));
    constraints_free(&constraints);
}

// 5 is the 6 of 6th, 6 is th, 7 another digit, 8 behind a space.
TEST(optional_within_words)
{
    enum { GLUED = TOKEN_BEGINS_IN_WORD | TOKEN_ENDS_IN_WORD };
    static const unsigned char edges[10] = {[5] = GLUED | TOKEN_HAS_DIGIT,
                                            [6] = GLUED,
                                            [7] = GLUED | TOKEN_HAS_DIGIT,
                                            [8] = 2,
                                            [9] = 2};
    static const struct {
        int32_t tokens[4];
        bool met[2]; // of an optional phrase, and one that is not
    } cases[] = {{{9, 5, 6, 9}, {true, false}},  {{8, 5, 6, 9}, {true, false}},
                 {{5, 6, 9, 9}, {true, false}},  {{5, 8, 9, 9}, {true, true}},
                 {{5, 7, 8, 9}, {false, false}}, {{7, 5, 8, 9}, {false, false}}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const int32_t *tokens = cases[i / 2].tokens;
        Constraints constraints = {.edges = edges, .bound = TOKEN_HAS_DIGIT};
        ConstraintState state = {0};
        assert_ok(constraints_add(&constraints, i % 2 ? PHRASE_NEW : PHRASE_OPTIONAL,
                                  (int32_t[]){5}, 1, NULL));
        for (size_t t = 0; t < 4; t++)
            state = constraints_advance(&constraints, state, tokens + t - state.open, tokens[t]);
        ck_assert_msg((state.met > 0) == cases[i / 2].met[i % 2], "case %zu", i);
        constraints_free(&constraints);
    }
}

TEST(out_of_memory)
{
    while (failing_malloc_next()) {
        Constraints constraints = {0};
        Status status = constraints_add(&constraints, PHRASE_NEW, (int32_t[]){4, 5}, 2, NULL);
        if (!status)
            status = constraints_add(&constraints, PHRASE_ALTERNATIVE, (int32_t[]){6}, 1, NULL);
        failing_malloc_expect(status);
        constraints_free(&constraints);
    }
}
