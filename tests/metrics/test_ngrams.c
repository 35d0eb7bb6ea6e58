#include "base/random.h"
#include "metrics/ngrams.h"
#include "support/suite.h"

#include <string.h>

enum { ORDERS = 6, LONGEST = 30, MAX_REFERENCES = 3 };

// How often the n-gram at `gram` stands in a text.
static size_t occurrences(const uint32_t *gram, size_t n, SymbolText text)
{
    size_t found = 0;
    for (size_t i = 0; i < ngrams_total(text.length, n); i++)
        found += !memcmp(gram, text.symbols + i, n * sizeof *gram);
    return found;
}

/* The definition, without any table: the sum over distinct n-grams of min(in hypothesis, most in a
 * reference). */
static size_t matches_by_definition(SymbolText hypothesis, const SymbolText *references,
                                    size_t count, size_t n)
{
    size_t matches = 0;
    for (size_t i = 0; i < ngrams_total(hypothesis.length, n); i++) {
        const uint32_t *gram = hypothesis.symbols + i;
        SymbolText before = {hypothesis.symbols, i + n - 1};
        size_t most = 0;
        for (size_t r = 0; r < count; r++) {
            size_t here = occurrences(gram, n, references[r]);
            if (here > most) most = here;
        }
        matches += occurrences(gram, n, before) < most; // the next of its kind is still allowed
    }
    return matches;
}

static SymbolText random_text(Random *random, uint32_t symbols[LONGEST], uint32_t alphabet)
{
    SymbolText text = {symbols, (size_t)random_below(random, LONGEST + 1)};
    for (size_t i = 0; i < text.length; i++) symbols[i] = (uint32_t)random_below(random, alphabet);
    return text;
}

TEST(is_the_definition)
{
    Random random = random_from(7, 0);
    for (uint32_t round = 0; round < 2000; round++) {
        uint32_t symbols[1 + MAX_REFERENCES][LONGEST], alphabet = 1 + round % 5;
        SymbolText hypothesis = random_text(&random, symbols[0], alphabet), references[3];
        size_t count = 1 + (size_t)random_below(&random, MAX_REFERENCES), matches[ORDERS];
        for (size_t r = 0; r < count; r++)
            references[r] = random_text(&random, symbols[1 + r], alphabet);
        assert_ok(ngrams_matches(hypothesis, references, count, ORDERS, matches, NULL));
        for (size_t n = 1; n <= ORDERS; n++)
            ck_assert_uint_eq(matches[n - 1],
                              matches_by_definition(hypothesis, references, count, n));
    }
}

TEST(long_texts_take_linear_time)
{
    enum { LENGTH = 1000000 };
    static uint32_t same[LENGTH], different[LENGTH]; // one n-gram a million times; a million once
    for (uint32_t i = 0; i < LENGTH; i++) different[i] = i;
    SymbolText texts[] = {{same, LENGTH}, {different, LENGTH}};
    for (size_t i = 0; i < 2; i++) {
        size_t matches[4];
        assert_ok(ngrams_matches(texts[i], &texts[i], 1, 4, matches, NULL));
        for (size_t n = 1; n <= 4; n++) ck_assert_uint_eq(matches[n - 1], ngrams_total(LENGTH, n));
    }
}

TEST(refuses_what_cannot_be_numbered)
{
    uint32_t symbol = 0;
    Error error = {0};
    size_t matches[4];
    SymbolText one = {&symbol, 1}, huge = {&symbol, (size_t)1 << 31};
    ck_assert_int_eq(ngrams_matches(one, &huge, 1, 4, matches, &error), STATUS_ARGUMENT);
    ck_assert_int_eq(ngrams_matches(huge, &one, 1, 4, matches, &error), STATUS_ARGUMENT);
    assert_contains(error.text, "split it into lines");
}

TEST(totals)
{
    ck_assert_uint_eq(ngrams_total(0, 1), 0);
    ck_assert_uint_eq(ngrams_total(3, 1), 3);
    ck_assert_uint_eq(ngrams_total(3, 3), 1);
    ck_assert_uint_eq(ngrams_total(3, 4), 0);
}
