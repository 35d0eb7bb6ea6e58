// Names and characters that a vocabulary does not have.

#include "support/learned_vocabulary.h"
#include "support/reading_case.h"
#include "support/word_lexicon.h"

#include <string.h>
#include <time.h>

static Vocabulary *vocabulary;
static Lexicon lexicon; // of some tests

static void learn(void)
{
    static const char *const texts[] = {
        "Tom lives in Paris.", "Mr. Tom met me.",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz -,?\"。0123456789"};
    vocabulary = learned_vocabulary(texts, sizeof texts / sizeof *texts, 600);
}

static void forget(void)
{
    vocabulary_free(vocabulary);
}

// Adds the unknown words of a text to its spans.
static Spans find(const char *language, const char *text, Spans spans)
{
    const ReadingContext context = {.source = vocabulary,
                                    .target = vocabulary,
                                    .languages = {language_of(language), NULL},
                                    .placeholders = 2,
                                    .lexicon = &lexicon};
    Reading reading = reading_of(&context, text);
    reading.spans = spans;
    ck_assert(unknown_words_step.applies(&reading));
    assert_ok(unknown_words_step.read(&reading, NULL));
    spans = reading.spans;
    reading.spans = (Spans){0};
    reading_free(&reading);
    return spans;
}

// `expected` is the text with its spans in brackets; spans that begin with a digit are given.
static void check_in(const char *language, const char *expected)
{
    char text[200], found[200];
    size_t length = 0, out = 0;
    Spans spans = {0};
    for (const char *c = expected; *c; c++) {
        if (*c == '[' && c[1] >= '0' && c[1] <= '9') {
            size_t digits = strspn(c + 1, "0123456789");
            assert_ok(spans_add(&spans, (Span){length, length + digits}, NULL));
        }
        if (*c != '[' && *c != ']') text[length++] = *c;
    }
    text[length] = '\0';
    spans = find(language, text, spans);
    for (size_t i = 0, span = 0; i <= length; i++) {
        if (span < spans.count && spans.items[span].end == i) {
            found[out++] = ']';
            span++;
        }
        if (span < spans.count && spans.items[span].begin == i) found[out++] = '[';
        found[out++] = i < length ? text[i] : '\0';
    }
    ck_assert_str_eq(found, expected);
    spans_free(&spans);
}

static void check(const char *expected)
{
    check_in("en", expected);
}

TESTS_SHARE(learn, .remove = forget)

TEST(names)
{
    check("Tom met [Lindqvist] in Paris.");
    check("Mr. [Lindqvist] met me in [Ouagadougou].");
    check("Tom met [Ingrid Solberg], me and [Jean-Luc].");
    check("[Ingrid Solberg] met me.");
    check("Tom met [McDonald].");
    check("Tom met Mets-vous.");
    check("Mets-vous in Paris.");
}

// The vocabulary lacks apostrophes.
TEST(contractions)
{
    check("Wouldn[']t Tom met me? Wouldn[’]t me?");
    check("Lorsqu[']il");
    check("[Refrigerators']s, [Lindqvist']");
    check("[Lindqvist] met [O'Lindqvist].");
    check_in("fr", "[Lindqvist] met me, L[']Paris.");
}

// A name that has another form in the target is translated.
TEST(names_of_the_lexicon)
{
    lexicon = word_lexicon(vocabulary, "Lisbon", "Paris");
    check("Tom met [Lindqvist] in Lisbon.");
    lexicon = word_lexicon(vocabulary, "Lisbon", "Lisbon");
    check("Tom met [Lindqvist] in [Lisbon].");
    lexicon = word_lexicon(vocabulary, "Lisbon", "Paris");
    check("Tom met me in Tom-Lisbon, [Tom-Lindqvist].");
    lexicon = (Lexicon){0};
}

// Beside a name there may be more of it that the lexicon lacks, and two subwords make one.
TEST(parts_of_names)
{
    check("me met Tom [Lindqvist] and Tomi.");
    lexicon = word_lexicon(vocabulary, "Lisbon", "Paris");
    check("me met [Tom Lindqvist] and [Tomi], Tom in Lisbon.");
    check("[Tom Lindqvist Tom] met me.");
    check("Tom Tom met me in Lisbon, and me.");
    lexicon = (Lexicon){0};
}

// A name of several words that the lexicon has is no unknown word, though its words alone are.
TEST(names_of_several_words)
{
    lexicon = word_lexicon(vocabulary, "Gulf of Lindqvist", "Paris");
    check("me in Gulf of Lindqvist.");
    check("Gulf of Lindqvist met [Lindqvist].");
    check("me in [Gulf] of [Lindqvists], met [Gulf], of [Lindqvist].");
    lexicon = (Lexicon){0};
}

// What has a capital wherever it stands.
TEST(days_and_months)
{
    check("Tom met me in September, on Wednesday.");
    check_in("fr", "Tom met me in [September], on [Wednesday].");
}

TEST(beginning)
{
    check("[Refrigerators] met me.");
    check("Lives in Paris.");
    check("Met me in Paris.");
    check("\"[Zbigniew] met me.\"");
    check("[UNESCO] met me. [iPhone]");
}

// With a lexicon, the first word is a name if it has several subwords and the lexicon lacks it.
TEST(beginning_with_a_lexicon)
{
    lexicon = word_lexicon(vocabulary, "lisbon", "Paris");
    check("Lisbon met me.");
    check("[Tomi] met me.");
    check("Met [Tomi] me?");
    check("Met me in Paris.");
    lexicon = (Lexicon){0};
}

TEST(characters)
{
    check("Tom met [今日] in [Łódź] [1990].");
    check("[Где находится вокзал]?");
    check("[我们在大阪]。Tom");
    check("TOM [ЖИВЁТ] IN PARIS");
    check("TOM LIVES IN OUAGADOUGOU [1990]");
    check("[\xff] Tom");
}

// Signs, and the last of them with what is between, if there are no more placeholders.
TEST(signs)
{
    check("Tom[{@}] met [我] me.");
    check("Tom [{] met [我们 in Paris, @] me.");
    check("Tom “met” me;\u200b - –");
}

TEST(titles)
{
    check("The Refrigerators Are In Paris");
    lexicon = word_lexicon(vocabulary, "the refrigerators are", "Paris");
    check("Tom Met [Lindqvist] In Paris");
    lexicon = (Lexicon){0};
    check_in("de", "Ich kenne den Eisschrank von Tom.");
    check("");
}

TEST(given)
{
    check("Tom met [1984] and [Lindqvist] in [2013].");
    check("me [7] [8] Tom");
}

// The seconds for a text of so many words, with as many spans.
static double seconds_for(size_t words)
{
    Bytes text = {0};
    Spans spans = {0};
    for (size_t i = 0; i < words; i++) {
        assert_ok(spans_add(&spans, (Span){text.length, text.length + 1}, NULL));
        assert_ok(bytes_append_string(&text, "7 a ", NULL));
    }
    clock_t begin = clock();
    spans = find("en", text.data, spans);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    ck_assert_uint_eq(spans.count, words);
    bytes_free(&text);
    spans_free(&spans);
    return seconds;
}

// Ten times the words would take a hundred times as long in quadratic time.
TEST(linear_time)
{
    ck_assert_double_lt(seconds_for(200000), 40 * seconds_for(20000));
}
