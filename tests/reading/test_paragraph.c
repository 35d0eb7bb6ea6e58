/* Texts of several sentences: what comes back is what their sentences give, put together. */

#include "reading/paragraph.h"

#include "base/array.h"
#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/sentence_case.h"
#include "translate/alignment.h"

#include <math.h>
#include <string.h>

static void expect_equal(const Rendering *a, const Rendering *b)
{
    ck_assert_str_eq(bytes_text(&a->text), bytes_text(&b->text));
    ck_assert(a->score == b->score && a->log_p == b->log_p);
    ck_assert_uint_eq(a->subwords.count, b->subwords.count);
    ck_assert_mem_eq(a->subwords.ends, b->subwords.ends,
                     a->subwords.count * sizeof *a->subwords.ends);
}

TEST(one_sentence_is_not_changed)
{
    static const char *const lines[] = {"das Haus ist klein",
                                        " Die  Katze. ",
                                        "",
                                        "x",
                                        "\xff",
                                        "Das kostet 3.50 oder z.B. mehr ..."};
    enum { LINES = sizeof lines / sizeof *lines };
    TextView texts[LINES];
    Translation whole[LINES], split[LINES];
    set_up(6);
    open_session(2);
    for (size_t i = 0; i < LINES; i++) texts[i] = text_view_of(lines[i]);
    translate_all(texts, LINES, options_of(SPLIT_NONE, 3), whole);
    translate_all(texts, LINES, options_of(SPLIT_SENTENCES, 3), split);
    for (size_t i = 0; i < LINES; i++) {
        ck_assert_uint_eq(split[i].sentence_count, 0);
        ck_assert_uint_eq(split[i].count, whole[i].count);
        ck_assert_uint_eq(split[i].invalid, whole[i].invalid);
        for (size_t k = 0; k < whole[i].count; k++)
            expect_equal(&split[i].renderings[k], &whole[i].renderings[k]);
    }
    free_all(whole, LINES);
    free_all(split, LINES);
    tear_down();
}

TEST(sentences_are_joined)
{
    Translation sentences[3], line;
    Bytes text = {0}, source = {0};
    double log_p = 0, score = 0;
    set_up(6);
    open_session(2);
    translate_three(1, sentences, &line);
    for (size_t i = 0; i < 3; i++) {
        const Rendering *one = &sentences[i].renderings[0];
        ck_assert_int_eq(bytes_append_format(&text, NULL, "%s%s", i ? " " : "", one->text.data), 0);
        ck_assert_int_eq(bytes_append_format(&source, NULL, "%s%s", i ? " " : "", three[i]), 0);
        log_p += one->log_p;
        score += one->score / 3;
    }
    const Rendering *joined = &line.renderings[0];
    const Subwords *subwords = &joined->subwords;
    ck_assert_str_eq(line.source.data, source.data);
    ck_assert_str_eq(joined->text.data, text.data);
    ck_assert_double_eq_tol(joined->log_p, log_p, 1e-9);
    ck_assert_double_eq_tol(joined->score, score, 1e-9);
    ck_assert_uint_eq(subwords->ends[subwords->count - 1], joined->text.length);
    ck_assert_uint_eq(line.source_subwords.ends[line.source_subwords.count - 1],
                      line.source.length);
    bytes_free(&text);
    bytes_free(&source);
    free_all(sentences, 3);
    translation_free(&line);
    tear_down();
}

// Sorted by score, none twice, each of renderings that the sentences have.
TEST(best_combinations)
{
    Translation sentences[3], line;
    set_up(6);
    open_session(2);
    translate_three(4, sentences, &line);
    ck_assert_uint_eq(line.count, 4);
    for (size_t k = 0; k < line.count; k++) {
        const Rendering *rendering = &line.renderings[k];
        double score = 0;
        for (size_t i = 0; i < 3; i++) {
            ck_assert_uint_lt(rendering->places[i].rendering, sentences[i].count);
            score += sentences[i].renderings[rendering->places[i].rendering].score / 3;
        }
        ck_assert_double_eq_tol(rendering->score, score, 1e-9);
        if (k) ck_assert_double_le(rendering->score, line.renderings[k - 1].score);
    }
    free_all(sentences, 3);
    translation_free(&line);
    tear_down();
}

// Whatever stands beside them in a call, samples are the same; the first sentence's are the text's
// own.
TEST(samples)
{
    Translation first, line, among[3];
    TextView text = text_view_of(line_of_three), start = text_view_of(three[0]);
    TextView texts[3] = {text, text_view_of("Das. Die. Der."), text_view_of("das Haus")};
    TranslateOptions options = options_of(SPLIT_SENTENCES, 5);
    options.search.sampling = (Sampling){.wanted = true, .temperature = 1, .seed = 7};
    set_up(6);
    open_session(2);
    translate_all(&start, 1, options, &first);
    translate_all(&text, 1, options, &line);
    options.search.batch = 1;
    translate_all(texts, 3, options, among);
    ck_assert_uint_eq(line.count, among[0].count);
    for (size_t k = 0; k < line.count; k++) {
        const char *sampled = first.renderings[k].text.data;
        expect_equal(&line.renderings[k], &among[0].renderings[k]);
        ck_assert_int_eq(strncmp(line.renderings[k].text.data, sampled, strlen(sampled)), 0);
    }
    translation_free(&first);
    translation_free(&line);
    free_all(among, 3);
    tear_down();
}

// What a part of a sentence has at most: with a comma, without, of spans.
enum { PART = 50, BARE_PART = 25, PART_SPANS = MAX_PLACEHOLDERS };

// A long sentence is parted at commas, and nothing is left out.
TEST(long_sentence)
{
    Bytes text = {0};
    Translation line;
    TranslateOptions options = options_of(SPLIT_SENTENCES, 1);
    options.search.beam = 1;
    set_up(6);
    open_session(2);
    for (int i = 0; i < 900; i++)
        ck_assert_int_eq(bytes_append_string(&text, i % 7 ? "die Katze " : "Haus, ", NULL), 0);
    TextView view_of_text = {text.data, text.length};
    translate_all(&view_of_text, 1, options, &line);
    ck_assert(!line.cut);
    ck_assert_uint_gt(line.sentence_count, 1);
    size_t end = 0, longest = 0;
    for (size_t i = 0; i < line.sentence_count; i++) {
        const Translation *part = &line.sentences[i];
        if (part->source_subwords.count > longest) longest = part->source_subwords.count;
        ck_assert_uint_le(part->source_subwords.count, PART);
        ck_assert_uint_ge(part->source_subwords.count, PART / 4);
        ck_assert_uint_eq(part->begin, i ? end + 1 : 0);
        end = part->begin + part->source.length;
        if (i + 1 < line.sentence_count)
            ck_assert_int_eq(part->source.data[part->source.length - 1], ',');
    }
    ck_assert_uint_eq(end, line.source.length);
    ck_assert_uint_gt(longest, BARE_PART);
    bytes_free(&text);
    translation_free(&line);
    tear_down();
}

// Without a comma it is parted where words join clauses, and often: it is several sentences.
TEST(run_on_sentence)
{
    Bytes text = {0};
    Paragraphs paragraphs = {.splits = true, .languages = {language_of("fr"), NULL}};
    set_up(6);
    paragraphs.vocabulary = small.source_vocabulary;
    for (int i = 0; i < 30; i++)
        assert_ok(bytes_append_string(&text, i % 3 ? "die Katze " : "parce que das Haus ", NULL));
    const TextView view_of_text = {text.data, text.length};
    assert_ok(
        paragraphs_read(&paragraphs, &(GivenTexts){.texts = &view_of_text, .count = 1}, NULL));
    ck_assert_uint_gt(paragraphs.count, 2);
    Subwords subwords = {0};
    for (size_t i = 0; i < paragraphs.count; i++) {
        const TextView part = paragraphs.views[i].text;
        ck_assert(!strncmp(part.data, "parce que ", 10));
        assert_ok(
            vocabulary_encode(small.source_vocabulary, part.data, part.length, &subwords, NULL));
        ck_assert_uint_le(subwords.count, BARE_PART);
        ck_assert(paragraphs.views[i].of_sentence);
    }
    subwords_free(&subwords);
    paragraphs_free(&paragraphs);
    bytes_free(&text);
    small_translator_free(&small);
}

// A sentence of many spans that stay as they are has a few of them in each part; one of no more
// stays whole.
TEST(many_spans)
{
    static const char *const parts[] = {"a&zz;", "a@b.de ", "\U0001F600 x", "12 and "};
    for (size_t i = 0; i < 2 * sizeof parts / sizeof *parts; i++) {
        Bytes text = {0};
        Paragraphs paragraphs = {.splits = true, .placeholders = MAX_PLACEHOLDERS};
        size_t many = i % 2 ? 300 : PART_SPANS, found = 0, bytes = 0;
        set_up(6);
        paragraphs.vocabulary = small.source_vocabulary;
        for (size_t k = 0; k < many; k++) assert_ok(bytes_append_string(&text, parts[i / 2], NULL));
        const TextView view_of_text = {text.data, text.length};
        assert_ok(
            paragraphs_read(&paragraphs, &(GivenTexts){.texts = &view_of_text, .count = 1}, NULL));
        for (size_t k = 0; k < paragraphs.count; k++) {
            ck_assert_uint_le(paragraphs.views[k].span_count, PART_SPANS);
            ck_assert(!paragraphs.views[k].of_sentence || paragraphs.count > 1);
            found += paragraphs.views[k].span_count;
            bytes += paragraphs.views[k].text.length;
        }
        ck_assert_uint_eq(found, many);
        ck_assert_uint_ge(bytes + paragraphs.count, text.length - 1);
        ck_assert_uint_eq(paragraphs.count == 1, i % 2 == 0);
        paragraphs_free(&paragraphs);
        bytes_free(&text);
        small_translator_free(&small);
    }
}

// The model reads a placeholder for a long address, which does not part its sentence.
TEST(long_address)
{
    Bytes text = {0};
    Paragraphs paragraphs = {.splits = true, .placeholders = MAX_PLACEHOLDERS};
    set_up(6);
    paragraphs.vocabulary = small.source_vocabulary;
    assert_ok(bytes_append_string(&text, "Die Katze ist auf https://example.org/", NULL));
    for (size_t i = 0; i < PART; i++) assert_ok(bytes_append_string(&text, "xyz/", NULL));
    assert_ok(bytes_append_string(&text, " und schläft.", NULL));
    const TextView view_of_text = {text.data, text.length};
    assert_ok(
        paragraphs_read(&paragraphs, &(GivenTexts){.texts = &view_of_text, .count = 1}, NULL));
    ck_assert_uint_eq(paragraphs.count, 1);
    ck_assert_uint_eq(paragraphs.views[0].span_count, 1);
    paragraphs_free(&paragraphs);
    bytes_free(&text);
    small_translator_free(&small);
}

TEST(prefix_keeps_a_text_whole)
{
    Translation translations[2];
    TextView texts[2] = {text_view_of(line_of_three), text_view_of(line_of_three)};
    TextView prefixes[2] = {text_view_of("the"), text_view_of("")};
    TranslateOptions options = options_of(SPLIT_SENTENCES, 1);
    options.prefixes = prefixes;
    set_up(6);
    open_session(2);
    translate_all(texts, 2, options, translations);
    ck_assert_uint_eq(translations[0].sentence_count, 0);
    ck_assert_int_eq(strncmp(translations[0].renderings[0].text.data, "the", 3), 0);
    ck_assert_uint_eq(translations[1].sentence_count, 3);
    free_all(translations, 2);
    tear_down();
}

// Joins a source's sentences, whose translations are given, NULL last.
static void check_join(const char *language, const char *source, const char *const *targets,
                       const char *expected)
{
    Paragraphs paragraphs = {.splits = true};
    Translation pieces[4], line;
    TextView text = text_view_of(source);
    memset(pieces, 0, sizeof pieces);
    if (language) paragraphs.languages[1] = language_of(language);
    assert_ok(paragraphs_read(&paragraphs, &(GivenTexts){.texts = &text, .count = 1}, NULL));
    for (size_t i = 0; i < paragraphs.count; i++) {
        ck_assert_ptr_nonnull(targets[i]);
        assert_ok(array_new(&pieces[i].renderings, 1, "a test", NULL));
        pieces[i].count = 1;
        assert_ok(bytes_append(&pieces[i].source, paragraphs.views[i].text.data,
                               paragraphs.views[i].text.length, NULL));
        assert_ok(bytes_append_string(&pieces[i].renderings[0].text, targets[i], NULL));
    }
    assert_ok(paragraphs_join(&paragraphs, pieces, 1, false, &line, 1, NULL));
    ck_assert_str_eq(line.renderings[0].text.data, expected);
    translation_free(&line);
    paragraphs_free(&paragraphs);
}

#define CHECK_JOIN(language, source, expected, ...)                                                \
    check_join(language, source, (const char *const[]){__VA_ARGS__, NULL}, expected)

TEST(spaces_between_sentences)
{
    CHECK_JOIN("fr", "Yes. No.", "Oui. Non.", "Oui.", "Non.");
    CHECK_JOIN("zh", "Yes. No.", "是。不。", "是。", "不。");
    CHECK_JOIN(NULL, "Yes. No.", "是。不。", "是。", "不。");
    CHECK_JOIN(NULL, "Yes. No.", "Oui. Non.", "Oui.", "Non.");
    CHECK_JOIN("zh", "“Yes.” “No.”", "“是。”“不。”", "“是。”", "“不。”");
    CHECK_JOIN("zh", "A.b is it. It is C.", "A.b. C.", "A.b.", "C."); // copied: not Chinese
    CHECK_JOIN("en", "是。不。", "Yes. No.", "Yes.", "No.");
    CHECK_JOIN(NULL, "“是。”“不。”", "“Yes.” “No.”", "“Yes.”", "“No.”");
    CHECK_JOIN("fr", "Yes. Beijing. No.", "Oui. 北京。 Non.", "Oui.", "北京。", "Non.");
}

TEST(out_of_memory)
{
    TextView texts[2] = {text_view_of("Die. Das. Der!"), text_view_of("Die Katze")};
    const UnitKind kinds[2] = {UNITS_WORDS, UNITS_WORDS};
    const LinkReading reading = reading_of_aligner(NULL);
    TranslateOptions options = options_of(SPLIT_SENTENCES, 2);
    options.search.beam = 2;
    set_up(6);
    open_session(2);
    while (failing_malloc_next()) {
        Translation translations[2];
        Alignment alignment = {0};
        float *alpha = NULL;
        Status status = session_translate(session, texts, 2, &options, translations, NULL);
        if (!status)
            status = alignment_set(&alignment, translations, translations->renderings, kinds,
                                   &reading, NULL);
        if (!status)
            status = attention_join(&alpha, translations, translations->renderings, 1, NULL);
        failing_malloc_expect(status);
        memory_free(alpha);
        alignment_free(&alignment);
        free_all(translations, 2);
    }
    tear_down();
}
