// A text is read and a translation written, by every step, however short memory is.
#include "reading/glossary.h"
#include "reading/paragraph.h"
#include "reading/phrase.h"
#include "reading/placeholders.h"
#include "reading/repetition.h"
#include "reading/target_prefix.h"
#include "reading/what_if_request.h"
#include "support/failing_malloc.h"
#include "support/learned_vocabulary.h"
#include "support/suite.h"

#include "base/memory.h"

static Vocabulary *vocabulary;
static ReadingContext context;
static Glossary *glossary;

static void set_up(void)
{
    static const char *const texts[] = {
        "where is the cat of tom now? 12, 3 \ue000 \ue001 \ue002 \ue003 le chat de l'eau mai",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz .,\"'-"};
    const Language *const languages[2] = {language_of("en"), language_of("fr")};
    vocabulary = learned_vocabulary(texts, 2, 420);
    assert_ok(reading_context_set(&context, vocabulary, vocabulary, languages, NULL));
    ck_assert_uint_eq(context.placeholders, MAX_PLACEHOLDERS);
    assert_ok(glossary_new(&glossary, vocabulary, NULL));
    assert_ok(glossary_add(glossary, text_view_of("cat"), text_view_of("matou"), NULL));
}

static void tear_down(void)
{
    glossary_free(glossary);
    reading_context_free(&context);
    vocabulary_free(vocabulary);
}

TESTS_SHARE(set_up, .remove = tear_down)

typedef struct Sentence {
    Reading reading;
    Subwords subwords;
    Prefix prefix;
    Constraints constraints;
    MappedText said;
    bool cut;
} Sentence;

static Status read_all(Sentence *sentence, const char *prefix)
{
    Reading *reading = &sentence->reading;
    Constraints *constraints = &sentence->constraints;
    const Subwords *subwords = &sentence->subwords;
    size_t invalid;
    TRY(reading_read(reading, NULL));
    TRY(reading_encode(reading, &sentence->subwords, &sentence->cut, NULL));
    if (prefix)
        TRY(target_prefix_read(&sentence->prefix, reading, text_view_of(prefix), &invalid,
                               &sentence->cut, NULL));
    TRY(placeholders_require(constraints, reading, subwords, NULL));
    TRY(phrases_require_spans(constraints, reading, subwords, NULL));
    TRY(phrases_bind(constraints, reading, subwords, NULL));
    return glossary_require(glossary, reading, subwords, constraints, NULL);
}

static Status write(Sentence *sentence, const char *said)
{
    bool repeats;
    TRY(mapped_normalise(&sentence->said, said, strlen(said), NULL, NULL));
    TRY(reading_write(&sentence->reading, &sentence->said, NULL));
    return repetition_find(&repeats, said, strlen(said), NULL);
}

static void sentence_free(Sentence *sentence)
{
    reading_free(&sentence->reading);
    subwords_free(&sentence->subwords);
    prefix_free(&sentence->prefix);
    constraints_free(&sentence->constraints);
    mapped_free(&sentence->said);
}

// What becomes of a sentence, of which "@" is given as a span, when a model says something of it.
static void check(const char *text, const char *prefix, const char *said, const char *expected)
{
    const char *at = strchr(text, '@');
    const size_t place = at ? (size_t)(at - text) : 0;
    const Span span = {place, place + 1};
    while (failing_malloc_next()) {
        const NormalView given = {
            .text = text_view_of(text), .spans = at ? &span : NULL, .span_count = at ? 1 : 0};
        Sentence sentence = {.reading = {.context = &context,
                                         .given = given,
                                         .glossary = glossary,
                                         .begun = prefix != NULL}};
        Status status = read_all(&sentence, prefix);
        if (!status) status = write(&sentence, said);
        bool failed = failing_malloc_expect(status);
        if (!failed) ck_assert_str_eq(bytes_text(&sentence.said.text), expected);
        sentence_free(&sentence);
    }
}

TEST(sentences)
{
    check("WHERE IS THE CAT \u201cNOW\u201d?", NULL, "Où est le matou ?", "OÙ EST LE MATOU ?");
    check("The cat of Wojciechowski, on 12 May", NULL, "Le matou d' \ue000. 12 mai.",
          "Le matou de Wojciechowski. 12 mai.");
    check("Is @ - now \u2014 the cat\u2026", NULL, "l' eau d' \ue000. \ue001 le. ",
          "L'eau d' @. le.");
    check("The cat of Wojciechowski @", "le chat de Wojciechowski", "le chat de \ue000 \ue000",
          "le chat de Wojciechowski @");
    check("The cat of Wojciechowski", NULL, "le chat. \ue000", "Le chat Wojciechowski.");
    check("The cat of Wojciechowski", NULL, "le\ue000chat", "Le Wojciechowski chat");
    check("Cat of Wojciechowski", "le chat ", "le chat ", "le chat Wojciechowski");
}

// Numbers and dates as the target writes them.
TEST(numbers)
{
    static const struct {
        const char *languages[2], *text;
    } cases[] = {{{"zh", "en"}, "5月12日他有四万本书"},
                 {{"en", "zh"}, "On 12 May 1987 and in June 2.5 million of 300 people, 3 and 5"},
                 {{"zh", "fr"}, "三亿五千万"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ReadingContext other = context;
        for (int side = 0; side < 2; side++)
            other.languages[side] = language_of(cases[i].languages[side]);
        while (failing_malloc_next()) {
            Sentence sentence = {
                .reading = {.context = &other, .given.text = text_view_of(cases[i].text)}};
            bool failed = failing_malloc_expect(read_all(&sentence, NULL));
            ck_assert(failed || sentence.subwords.count > 0);
            sentence_free(&sentence);
        }
    }
}

// Spans behind what a model reads are no placeholders.
TEST(cut)
{
    Bytes text = {0};
    Reading reading = {.context = &context};
    Subwords subwords = {0};
    bool cut = false;
    for (int i = 0; i < MAX_TRANSLATION_SUBWORDS; i++)
        assert_ok(bytes_append_string(&text, "the ", NULL));
    assert_ok(bytes_append_string(&text, "Wojciechowski", NULL));
    reading.given.text = bytes_view(&text);
    assert_ok(reading_read(&reading, NULL));
    ck_assert_uint_eq(reading.placed_count, 1);
    assert_ok(reading_encode(&reading, &subwords, &cut, NULL));
    ck_assert(cut && reading.placed_count == 0);
    reading_free(&reading);
    subwords_free(&subwords);
    bytes_free(&text);
}

// A step that is left out is not taken.
TEST(left_out)
{
    ReadingContext without = context;
    Reading reading = {.context = &without, .given.text = text_view_of("WHERE IS WOJCIECHOWSKI?")};
    without.left_out = (1u << READING_STEPS) - 1;
    assert_ok(reading_read(&reading, NULL));
    ck_assert_str_eq(bytes_text(&reading.text.text), "WHERE IS WOJCIECHOWSKI?");
    ck_assert_uint_eq(reading.applied, 0);
    reading_free(&reading);
}

static Status read_paragraphs(Paragraphs *paragraphs, const char *text, const Spans *spans)
{
    const TextView texts[2] = {text_view_of(text), text_view_of("the cat v1.2 of 1998, R&D")};
    const TextView prefixes[2] = {text_view_of(""), text_view_of("le")};
    const Spans given[2] = {*spans, {0}};
    uint64_t *numbers;
    TRY(paragraphs_read(paragraphs, &(GivenTexts){texts, prefixes, given, 2, NULL}, NULL));
    TRY(paragraphs_number(&numbers, paragraphs, 1, NULL));
    memory_free(numbers);
    return STATUS_OK;
}

// A list's marker, sentences, a long one that is parted not within a span, and a text that is begun.
TEST(paragraphs)
{
    static const char text[] =
        "- Where is the cat? The cat of tom is now where the water of tom is now where the cat of "
        "tom is, where the water is of the cat of tom where the cat is now of the tom water.";
    Spans spans = {0};
    const size_t begin = (size_t)(strstr(text, "where the cat of") - text);
    assert_ok(spans_append(&spans, (Span){begin, begin + 40}, NULL));
    while (failing_malloc_next()) {
        Paragraphs paragraphs = {.vocabulary = vocabulary,
                                 .languages = {context.languages[0], context.languages[1]},
                                 .splits = true,
                                 .placeholders = MAX_PLACEHOLDERS};
        bool failed = failing_malloc_expect(read_paragraphs(&paragraphs, text, &spans));
        if (!failed) {
            ck_assert_uint_gt(paragraphs.count, 3);
            ck_assert(paragraphs.pieces[paragraphs.count - 1].whole);
            for (size_t i = 0; i < 4; i++) {
                ck_assert(paragraphs.pieces[i].mark == (i == 0));
                ck_assert(paragraphs.pieces[i].goes_on == (i == 3));
            }
        }
        paragraphs_free(&paragraphs);
    }
    spans_free(&spans);
}

// Wherever a span is in a long sentence, no part ends within it; a text may be wanted whole.
TEST(parts)
{
    static const char text[] =
        "the cat of tom is now where the water of tom is now where the cat of tom "
        "is now where the water is of the cat of tom where the cat is now of tom "
        "is now where the water of tom is now where the cat is";
    for (size_t begin = 0; begin + 30 < sizeof text; begin += 3) {
        const TextView texts[2] = {text_view_of(text), text_view_of(text)};
        Span span = {begin, begin + 30};
        const Spans given[2] = {{&span, 1, 1}, {0}};
        const bool whole[2] = {false, true};
        Paragraphs paragraphs = {.vocabulary = vocabulary, .splits = true};
        assert_ok(paragraphs_read(&paragraphs, &(GivenTexts){texts, NULL, given, 2, whole}, NULL));
        ck_assert_uint_gt(paragraphs.count, 2);
        for (size_t i = 0; i < paragraphs.count; i++) {
            size_t end = paragraphs.pieces[i].begin + paragraphs.pieces[i].length;
            ck_assert(paragraphs.pieces[i].text == 1 || end <= span.begin || end >= span.end);
        }
        ck_assert(paragraphs.pieces[paragraphs.count - 1].whole);
        paragraphs_free(&paragraphs);
    }
}

TEST(what_if)
{
    const WhatIfRequest request = {{{"cat", "0"}, {"1:1=0.5"}, {"2:chat"}, {"3:eau"}},
                                   {2, 1, 1, 1}};
    Subwords subwords = {0};
    const TextView source = text_view_of("where is the cat of tom now?");
    assert_ok(vocabulary_encode(vocabulary, source.data, source.length, &subwords, NULL));
    while (failing_malloc_next()) {
        WhatIf what_if;
        Error error = {0};
        bool failed = failing_malloc_expect(
            what_if_read(&what_if, &request, source, &subwords, vocabulary, &error));
        if (!failed) ck_assert(what_if.word_count == 2 && what_if.words[0].forced);
    }
    subwords_free(&subwords);
}
