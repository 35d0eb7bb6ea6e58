/* Placeholders: what stays as it is comes out of every translation once, and all that is said of a
 * text and its translation is said of the texts themselves. The model's weights are random. */

#include "reading/placeholders.h"

#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/small_session.h"
#include "translate/alignment.h"

#include <string.h>

static const char all_four[] = PLACEHOLDER_SENTENCE " D";

static void set_up_with(const char *source, const char *target)
{
    more_sentences[0] = source;
    more_sentences[1] = target;
    set_up(2);
    open_session(2);
}

static TranslateOptions options_of(size_t n_best)
{
    const SearchOptions search = {
        .beam = 4, .batch = 3, .length_normalization = 1, .with_alpha = true};
    return (TranslateOptions){.search = search, .n_best = n_best, .split = SPLIT_SENTENCES};
}

static Translation translate(const char *text, const TranslateOptions *options)
{
    Translation translation;
    const TextView given = text_view_of(text);
    translate_all(&given, 1, *options, &translation);
    return translation;
}

static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static void expect_ends(const Subwords *subwords, const Bytes *text)
{
    uint32_t before = 0;
    for (size_t i = 0; i < subwords->count; i++) {
        ck_assert_uint_ge(subwords->ends[i], before);
        before = subwords->ends[i];
    }
    ck_assert_uint_eq(before, text->length);
}

// Every rendering has each of the spans once and no placeholder, and its subwords have its text.
static void expect_spans(const Translation *translation, const char *const *spans, size_t count)
{
    ck_assert_uint_gt(translation->count, 0);
    for (size_t k = 0; k < translation->count; k++) {
        const Rendering *rendering = &translation->renderings[k];
        for (size_t i = 0; i < count; i++)
            ck_assert_msg(occurrences(rendering->text.data, spans[i]) == 1, "%s",
                          rendering->text.data);
        ck_assert_ptr_null(strstr(rendering->text.data, "\xee\x80"));
        expect_ends(&rendering->subwords, &rendering->text);
    }
    expect_ends(&translation->source_subwords, &translation->source);
}

static const char line[] = "Die Katze ist 😀 https://x.org/a. das Haus ls@x.org, 90817";
static const char *const spans_of_line[] = {"😀", "https://x.org/a", "ls@x.org", "90817"};

TEST(models_that_know_them)
{
    static const struct {
        const char *source, *target;
        size_t known;
    } cases[] = {{PLACEHOLDER_SENTENCE, PLACEHOLDER_SENTENCE, 4},
                 {PLACEHOLDER_SENTENCE, "\ue000 \ue001 \ue000 \ue001", 2},
                 {"\ue001 \ue003 \ue001 \ue003", PLACEHOLDER_SENTENCE, 0},
                 {PLACEHOLDER_SENTENCE, "", 0}};
    TranslateOptions options = options_of(1);
    options.split = SPLIT_NONE;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_up_with(cases[i].source, cases[i].target);
        Translation translation = translate("a 11111 a 22222 a 33333 a 44444", &options);
        ck_assert_uint_eq(placeholders_read(&translation), cases[i].known);
        translation_free(&translation);
        translation = translate("90817", &options);
        bool unchanged = !strcmp(translation.renderings[0].text.data, "90817");
        ck_assert(unchanged == (cases[i].known > 0)); // else the model has tried
        translation_free(&translation);
        tear_down();
    }
}

TEST(source)
{
    const TranslateOptions options = options_of(1);
    set_up_with(all_four, all_four);
    Translation translation = translate("das  90817 Haus (@a) 😀", &options);
    static const char *const subwords[] = {"das", " 90817", " Haus", " (@a)", " 😀"};
    ck_assert_str_eq(translation.source.data, "das 90817 Haus (@a) 😀");
    ck_assert_uint_eq(placeholders_read(&translation), 3);
    const Subwords *source = &translation.source_subwords;
    for (size_t i = 0, s = 0, end = 0; i < 5; i++) {
        end += strlen(subwords[i]);
        while (s < source->count && source->ends[s] < end) s++;
        ck_assert_msg(s < source->count && source->ends[s] == end, "%s", subwords[i]);
    }
    ck_assert_uint_lt(source->count, 14); // a span is one of them
    translation_free(&translation);
    tear_down();
}

TEST(every_span_once)
{
    set_up_with(all_four, all_four);
    for (int split = 0; split < 2; split++) {
        TranslateOptions options = options_of(3);
        options.split = split ? SPLIT_SENTENCES : SPLIT_NONE;
        Translation translation = translate(line, &options);
        ck_assert_str_eq(translation.source.data, line);
        expect_spans(&translation, spans_of_line, 4);
        translation_free(&translation);
        options.search.beam = options.n_best = 1;
        translation = translate(line, &options);
        expect_spans(&translation, spans_of_line, 4);
        translation_free(&translation);
    }
    tear_down();
}

// A number beside a character that the model does not know is a part of that one's span.
TEST(joined_spans)
{
    const TranslateOptions options = options_of(1);
    set_up_with(all_four, all_four);
    Translation translation = translate("Die Katze 名90817 ist klein", &options);
    ck_assert_uint_eq(placeholders_read(&translation), 1);
    expect_spans(&translation, (const char *const[]){"名90817"}, 1);
    expect_spans(&translation, (const char *const[]){"90817"}, 1);
    translation_free(&translation);
    tear_down();
}

// What is before an item of a list stays before its translation.
TEST(markers_of_lists)
{
    static const char *const markers[] = {"•", "2)", "-", "b)", "> >", "#"};
    const TranslateOptions options = options_of(2);
    set_up_with(all_four, all_four);
    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++) {
        char item[100];
        snprintf(item, sizeof item, "%s Die Katze ist klein", markers[i]);
        Translation translation = translate(item, &options),
                    sentence = translate(item + strlen(markers[i]) + 1, &options);
        ck_assert_uint_eq(translation.sentence_count, 2);
        snprintf(item, sizeof item, "%s %s", markers[i], sentence.renderings[0].text.data);
        ck_assert_str_eq(translation.renderings[0].text.data, item);
        translation_free(&translation);
        translation_free(&sentence);
    }
    tear_down();
}

TEST(sentences_number_their_own)
{
    static const char *const spans[] = {"11111", "22222", "33333", "44444", "55555", "66666"};
    TranslateOptions options = options_of(2);
    set_up_with(all_four, all_four);
    Translation translation = translate(
        "Die 11111 Katze 22222 ist 33333. Das Haus 44444 ist 55555 klein 66666!", &options);
    ck_assert_uint_eq(translation.sentence_count, 2);
    expect_spans(&translation, spans, 6);
    translation_free(&translation);
    // without a boundary the sentence is parted
    static const char many[] = "a 11111 a 22222 a 33333 a 44444 a 55555";
    translation = translate(many, &options);
    ck_assert_uint_eq(placeholders_read(&translation), 5);
    expect_spans(&translation, spans, 5);
    translation_free(&translation);
    // if it may not be, only four are placeholders; the fifth is a phrase
    options.split = SPLIT_NONE;
    translation = translate(many, &options);
    ck_assert_uint_eq(placeholders_read(&translation), 4);
    expect_spans(&translation, spans, 4);
    assert_contains(translation.renderings[0].text.data, "55555");
    translation_free(&translation);
    // numbers only beside what a model cannot say
    options.split = SPLIT_SENTENCES;
    translation = translate("a 11111, 22222, 33333, 44444, ls@x.org 😀", &options);
    expect_spans(&translation, (const char *const[]){"11111", "22222", "ls@x.org", "😀"}, 4);
    translation_free(&translation);
    tear_down();
}

// Which of two numbers goes with which noun is seen by their digits: short ones are read as they stand.
TEST(short_numbers)
{
    const TranslateOptions options = options_of(1);
    set_up_with(PLACEHOLDER_SENTENCE " D 1804 35 1804 35", all_four);
    Translation translation = translate("Die 35 Katze 1804 ist klein", &options);
    ck_assert_uint_eq(placeholders_read(&translation), 0);
    expect_spans(&translation, (const char *const[]){"35", "1804"}, 2);
    translation_free(&translation);
    translation = translate("Die 35 Katze 18041 ist 3.5 klein", &options);
    ck_assert_uint_eq(placeholders_read(&translation), 2);
    expect_spans(&translation, (const char *const[]){"35", "18041", "3.5"}, 3);
    translation_free(&translation);
    tear_down();
}

TEST(nothing_else)
{
    static const char *const texts[] = {" https://x.org  ls@x.org ", "😀!", "(\ue000)", "`a b`"};
    static const char *const expected[] = {"https://x.org ls@x.org", "😀!", "(\ue000)", "`a b`"};
    const UnitKind kinds[2] = {UNITS_WORDS, UNITS_CHARACTERS};
    const LinkReading reading = reading_of_aligner(NULL);
    TranslateOptions options = options_of(3);
    Alignment alignment = {0};
    set_up_with(all_four, all_four);
    for (size_t i = 0; i < 4; i++) {
        Translation translation = translate(texts[i], &options);
        const Rendering *only = &translation.renderings[0];
        ck_assert_uint_eq(translation.count, 1);
        ck_assert_str_eq(only->text.data, expected[i]);
        ck_assert_str_eq(translation.source.data, expected[i]);
        ck_assert(only->score == 0 && only->log_p == 0);
        assert_ok(alignment_set(&alignment, &translation, only, kinds, &reading, NULL));
        ck_assert_uint_eq(alignment.links.count, alignment.target_units.count);
        translation_free(&translation);
    }
    alignment_free(&alignment);
    options.search.sampling = (Sampling){.wanted = true, .temperature = 1, .seed = 1};
    options.search.beam = 3;
    Translation samples = translate(texts[0], &options);
    ck_assert_uint_eq(samples.count, 3);
    translation_free(&samples);
    tear_down();
}

// Samples are as the model draws them; a span that is missing is at the end.
TEST(samples)
{
    TranslateOptions options = options_of(4);
    set_up_with(all_four, all_four);
    options.search.sampling = (Sampling){.wanted = true, .temperature = 1, .seed = 3};
    Translation samples = translate("Die 11111 Katze 22222 ist.", &options);
    ck_assert_uint_eq(samples.count, 4);
    for (size_t k = 0; k < 4; k++) {
        ck_assert_uint_eq(occurrences(samples.renderings[k].text.data, "11111"), 1);
        ck_assert_uint_eq(occurrences(samples.renderings[k].text.data, "22222"), 1);
    }
    translation_free(&samples);
    tear_down();
}

TEST(prefix)
{
    static const char *const prefixes[] = {
        "the",  "a 90817",        "ls@x.org is ", "it http", "90817 and ls@x.org",
        "9081", "90817,ls@x.org", "ls@x.org l"};
    static const char text[] = "Haus 90817 und https://x.org/a ls@x.org";
    static const char *const spans[] = {"90817", "https://x.org/a", "ls@x.org"};
    TranslateOptions options = options_of(2);
    set_up_with(all_four, all_four);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const TextView prefix = text_view_of(prefixes[i]);
        options.prefixes = &prefix;
        Translation translation = translate(text, &options);
        expect_spans(&translation, spans, 3);
        for (size_t k = 0; k < translation.count; k++)
            ck_assert_msg(!strncmp(translation.renderings[k].text.data, prefixes[i],
                                   prefix.length - (prefix.data[prefix.length - 1] == ' ')),
                          "%s: %s", prefixes[i], translation.renderings[k].text.data);
        translation_free(&translation);
    }
    tear_down();
}

TEST(given_spans)
{
    static const char text[] = " das  Haus.  Die Katze   ist. Ein ls@x.org";
    Span items[] = {{0, 12}, {17, 33}}; // two sentences are divided by no boundary
    const Spans given = {.items = items, .count = 2};
    TranslateOptions options = options_of(2);
    options.spans = &given;
    set_up_with(all_four, all_four);
    Translation translation = translate(text, &options);
    static const char *const spans[] = {"das Haus.", "Katze ist. Ein", "ls@x.org"};
    ck_assert_str_eq(translation.source.data, "das Haus. Die Katze ist. Ein ls@x.org");
    expect_spans(&translation, spans, 3);
    translation_free(&translation);
    tear_down();
    set_up_with("", "");
    items[0] = (Span){0, strlen(text)};
    options.spans = &(Spans){.items = items, .count = 1};
    translation = translate(text, &options);
    ck_assert_str_eq(translation.renderings[0].text.data, translation.source.data);
    translation_free(&translation);
    items[0] = (Span){13, 22};
    translation = translate(text, &options);
    ck_assert_uint_eq(placeholders_read(&translation), 0);
    for (size_t k = 0; k < translation.count; k++)
        assert_contains(translation.renderings[k].text.data, "Die Katze");
    translation_free(&translation);
    // in capitals, too
    options.spans = &(Spans){.items = (Span[]){{4, 8}}, .count = 1};
    translation = translate("DAS Haus IST KLEIN", &options);
    assert_contains(translation.renderings[0].text.data, "Haus");
    translation_free(&translation);
    tear_down();
}

// A sentence longer than the model reads is parted beside a span, not within it.
TEST(long_sentence)
{
    Bytes text = {0};
    Span span;
    assert_ok(bytes_append_string(&text, "q", NULL));
    for (size_t i = 0; i < 440; i++) assert_ok(bytes_append_string(&text, " z", NULL));
    span.begin = text.length + 1;
    for (size_t i = 0; i < 300; i++) assert_ok(bytes_append_string(&text, " q", NULL));
    span.end = text.length;
    for (size_t i = 0; i < 300; i++) assert_ok(bytes_append_string(&text, " z", NULL));
    set_up_with(all_four, all_four);
    const Spans given = {.items = &span, .count = 1};
    TranslateOptions options = options_of(1);
    options.spans = &given;
    options.search.beam = 1;
    Translation translation = translate(text.data, &options);
    ck_assert(!translation.cut);
    size_t found = 0;
    for (size_t i = 0; i < translation.sentence_count; i++)
        found += occurrences(translation.sentences[i].source.data, " q q") > 0;
    ck_assert_uint_eq(found, 1);
    text.data[span.end] = '\0';
    assert_contains(translation.renderings[0].text.data, text.data + span.begin);
    translation_free(&translation);
    bytes_free(&text);
    tear_down();
}

TEST(out_of_memory)
{
    const TextView text = text_view_of("😀 90817 a"), prefix = text_view_of("90");
    Span items[] = {{5, 10}};
    const Spans given = {.items = items, .count = 1};
    TranslateOptions options = options_of(1);
    options.prefixes = &prefix;
    options.spans = &given;
    options.search.beam = 1;
    set_up_with(all_four, all_four);
    while (failing_malloc_next()) {
        Translation translation;
        failing_malloc_expect(session_translate(session, &text, 1, &options, &translation, NULL));
        translation_free(&translation);
    }
    tear_down();
}
