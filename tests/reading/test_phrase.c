// What the translation of a sentence must have, may have, and must not have.
#include "reading/phrase.h"

#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/learned_vocabulary.h"
#include "support/reading_case.h"
#include "support/word_lexicon.h"

#include <string.h>

static Vocabulary *vocabulary;
static unsigned char *edges;

static void set_up(void)
{
    static const char *const texts[] = {
        "0123456789 0 1 2 3 4 5 6 7 8 9 mai juin March 月日年 \ue000 "
        "\ue001 \ue002 \ue003 a"};
    vocabulary = learned_vocabulary(texts, 1, 400);
    assert_ok(phrase_edges_new(&edges, vocabulary, language_of("zh"), NULL));
}

static void tear_down(void)
{
    memory_free(edges);
    vocabulary_free(vocabulary);
}

TESTS_SHARE(set_up, .remove = tear_down)

// The phrases of a text, in brackets those that must be said, in parentheses those that may be.
static void check(const char *from, const char *to, const char *text, const char *expected)
{
    const ReadingContext context = {.source = vocabulary,
                                    .target = vocabulary,
                                    .languages = {language_of(from), language_of(to)},
                                    .placeholders = 1};
    Reading reading = reading_of(&context, text);
    Constraints constraints = {.edges = edges};
    Subwords subwords = {0};
    Bytes found = {0};
    const char *seven = strchr(text, '7'); // is a span that stays as it is
    const size_t place = seven ? (size_t)(seven - text) : 0;
    if (seven) assert_ok(spans_add(&reading.spans, (Span){place, place + 1}, NULL));
    assert_ok(vocabulary_encode(vocabulary, text, strlen(text), &subwords, NULL));
    assert_ok(phrases_bind(&constraints, &reading, &subwords, NULL));
    for (size_t i = 0, before = constraints.count; i < constraints.alternative_count; i++) {
        const PhraseTokens *phrase = &constraints.alternatives[i];
        bool optional = constraints.optional >> phrase->phrase & 1;
        if (phrase->phrase == before) continue; // behind a space or not
        before = phrase->phrase;
        assert_ok(bytes_append_string(&found, optional ? "(" : "[", NULL));
        assert_ok(vocabulary_decode(vocabulary, constraints.tokens + phrase->begin, phrase->length,
                                    &found, NULL));
        assert_ok(bytes_append_string(&found, optional ? ")" : "]", NULL));
        ck_assert_uint_lt(constraints.sources[phrase->phrase].begin,
                          constraints.sources[phrase->phrase].end);
    }
    ck_assert_str_eq(bytes_text(&found), expected);
    ck_assert(!(constraints.bound & TOKEN_HAS_DIGIT) == !strpbrk(text, "0123456789"));
    ck_assert(constraints.bound & TOKEN_HAS_PLACEHOLDER);
    constraints_free(&constraints);
    subwords_free(&subwords);
    bytes_free(&found);
    reading_free(&reading);
}

TEST(digits)
{
    check("en", "fr", "the 6th of 7, 21st", "(6)(21)");
    check("en", "fr", "no number", "");
    check(NULL, NULL, "6th May 5", "(6)(5)");
}

// Digits are free where phrases have no room for all of them, or for one.
TEST(many_digits)
{
    for (size_t i = 0; i < 4; i++) {
        char text[3 * MAX_PHRASES + 8];
        const size_t length = 2 * MAX_PHRASES + (i % 2 ? 2 : -2);
        for (size_t at = 0; at < length; at++) text[at] = i > 1 || at % 2 ? '1' : ' ';
        const TextView given = {text, length};
        const ReadingContext context = {.source = vocabulary, .target = vocabulary};
        const Reading reading = {.context = &context, .given = {.text = given}};
        Constraints constraints = {.edges = edges};
        Subwords subwords = {0};
        assert_ok(vocabulary_encode(vocabulary, text, length, &subwords, NULL));
        assert_ok(phrases_bind(&constraints, &reading, &subwords, NULL));
        ck_assert_uint_eq(constraints.count, i > 1 ? 0 : MAX_PHRASES - (i == 0));
        ck_assert(!(constraints.bound & TOKEN_HAS_DIGIT) == (i > 0));
        constraints_free(&constraints);
        subwords_free(&subwords);
    }
}

// The month of a date, and no verb.
TEST(months)
{
    check("en", "fr", "on 7 May", "[mai]");
    check("en", "fr", "May I come at 7?", "");
    check("en", "fr", "I may come. June 1st", "[juin](1)");
    check("en", "fr", "7 Mayors", "");
    check("fr", "en", "le 1er mars 7", "(1)[March]");
    check("en", "zh", "June 7", "[6月]");
    check("zh", "en", "3月7日", "[March]");
    check("zh", "fr", "13月", "(13)");
    check("en", "de", "May 7", "");
}

// How many phrases are wished for in "a March", of which the second word or all is a name, by a lexicon that has
// this of it.
static size_t wishes_of(const char *name, const char *translation, Span phrase)
{
    const Lexicon lexicon = word_lexicon(vocabulary, name, translation);
    const ReadingContext context = {
        .source = vocabulary, .target = vocabulary, .lexicon = &lexicon};
    Reading reading = reading_of(&context, "a March");
    Constraints constraints = {.edges = edges};
    Subwords subwords = {0};
    assert_ok(spans_add(&reading.names, (Span){strlen(name) > 5 ? 0 : 2, 7}, NULL));
    if (phrase.end > 0) assert_ok(spans_add(&reading.phrases, phrase, NULL));
    assert_ok(vocabulary_encode(vocabulary, "a March", 7, &subwords, NULL));
    assert_ok(phrases_wish(&constraints, &reading, &subwords, NULL));
    const size_t count = constraints.wished;
    constraints_free(&constraints);
    subwords_free(&subwords);
    reading_free(&reading);
    return count;
}

// Names of the lexicon are wished for in Han, unless a phrase is there already.
TEST(names)
{
    ck_assert_uint_eq(wishes_of("March", "月", (Span){0, 0}), 1);
    ck_assert_uint_eq(wishes_of("March", "月", (Span){2, 7}), 0);
    ck_assert_uint_eq(wishes_of("March", "mai", (Span){0, 0}), 0);
    // of several words also in letters
    ck_assert_uint_eq(wishes_of("a March", "mai", (Span){0, 0}), 1);
}

TEST(kinds_of_tokens)
{
    static const char *const texts[] = {"7", "\ue001", "a", "年"};
    static const unsigned char kinds[] = {TOKEN_HAS_DIGIT, TOKEN_HAS_PLACEHOLDER, 0,
                                          TOKEN_MEASURES};
    for (size_t i = 0; i < 4; i++) {
        int32_t id = vocabulary_find(vocabulary, texts[i], strlen(texts[i]));
        ck_assert_int_ge(id, 0);
        ck_assert_uint_eq(edges[id] & (TOKEN_HAS_DIGIT | TOKEN_HAS_PLACEHOLDER | TOKEN_MEASURES),
                          kinds[i]);
    }
}

TEST(out_of_memory)
{
    const ReadingContext context = {.source = vocabulary,
                                    .target = vocabulary,
                                    .languages = {language_of("en"), language_of("fr")}};
    while (failing_malloc_next()) {
        Constraints constraints = {0};
        const Subwords none = {0};
        const char text[] = "May 3rd";
        Reading reading = {.context = &context, .given = {.text = text_view_of(text)}};
        failing_malloc_expect(phrases_bind(&constraints, &reading, &none, NULL));
        constraints_free(&constraints);
    }
}
