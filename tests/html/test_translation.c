// HTML and Markdown translated by a small model of random weights: what is around the text stays.
#include "html/translation.h"

#include "base/array.h"
#include "base/memory.h"
#include "html/markdown.h"
#include "support/failing_malloc.h"
#include "support/small_session.h"

// What is translated and how.
typedef struct Job {
    const HtmlSyntax *syntax;
    const char *document;
    bool uncertain; // words are marked
    size_t rank;
} Job;

static Status translate(Bytes *out, const Job *job, const Glossary *glossary, Error *error)
{
    HtmlDocument document = {.syntax = job->syntax, .attributes.language = "en"};
    const LinkReading reading = reading_of_aligner(NULL);
    const TranslateOptions options = {.search = {.beam = 2, .batch = 2, .length_normalization = 1},
                                      .n_best = 2,
                                      .glossary = glossary};
    const ConfidenceWeights doubting = {.word = {-100}};
    const HtmlTranslation html = {.document = &document,
                                  .reading = &reading,
                                  .rank = job->rank,
                                  .session = session,
                                  .options = &options,
                                  .confidence = job->uncertain ? &doubting : NULL};
    Translation *translations = NULL;
    Writer writer = writer_start(out, error);
    Status status = html_document_read(&document, text_view_of(job->document), error);
    const size_t count = document.count;
    if (!status) status = array_new(&translations, count, "a test", error);
    if (!status) status = html_segments_translate(&html, (Span){0, count}, translations, error);
    if (!status) html_translation_write(&writer, &html, (Span){0, count}, translations);
    for (size_t i = 0; i < count && translations; i++) translation_free(&translations[i]);
    memory_free(translations);
    html_document_free(&document);
    return status ? status : writer_end(&writer);
}

static void begin(void)
{
    more_sentences[0] = more_sentences[1] = PLACEHOLDER_SENTENCE;
    set_up(2);
    open_session(1);
}

static const char page[] = "<html><body title='die Katze'><p>das <b>Haus</b> ist <code>x_y</code> "
                           "<i> <img> klein</i></p>42<td>die Katze</td>";

TEST(documents)
{
    static const Job jobs[] = {{.document = page}, {.document = page, .rank = 1}};
    begin();
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        Bytes out = {0};
        assert_ok(translate(&out, &jobs[i], NULL, NULL));
        assert_contains(out.data, "<html lang=\"en\"><body title='");
        assert_contains(out.data, "<code>x_y</code>");
        assert_contains(out.data, "</p>42<td>");
        assert_contains(out.data, "<img>");
        bytes_free(&out);
    }
    tear_down();
}

// An accent has joined what stays as it is with what is beside it: the parts are translated by themselves.
TEST(parts)
{
    static const char html[] = "<p><b> das Haus</b> <code>e</code>\xCC\x81 <i>die Katze </i></p>";
    Bytes out = {0};
    begin();
    assert_ok(translate(&out, &(Job){.document = html}, NULL, NULL));
    assert_contains(out.data, "<code>e</code>");
    ck_assert_int_eq(strncmp(out.data, "<p>", 3), 0);
    bytes_free(&out);
    tear_down();
}

TEST(words_in_doubt)
{
    Bytes out = {0};
    begin();
    assert_ok(translate(&out, &(Job){.document = page, .uncertain = true}, NULL, NULL));
    assert_contains(out.data, "<span class=\"uncertain\">");
    bytes_free(&out);
    assert_ok(translate(&out, &(Job){.document = "<title>die Katze</title>", .uncertain = true},
                        NULL, NULL));
    ck_assert_ptr_null(strstr(out.data, "<span"));
    bytes_free(&out);
    tear_down();
}

TEST(markdown)
{
    static const char text[] =
        "# die *Katze*\n\n- `x_y` ist __klein__ [das Haus](u)\n\n```\ncode\n```\n";
    Bytes out = {0};
    begin();
    if (markdown_syntax) {
        assert_ok(translate(&out, &(Job){markdown_syntax, text, false, 0}, NULL, NULL));
        ck_assert_int_eq(strncmp(out.data, "# ", 2), 0);
        assert_contains(out.data, "`x_y`");
        assert_contains(out.data, "](u)");
        assert_contains(out.data, "\n\n```\ncode\n```\n");
    }
    bytes_free(&out);
    tear_down();
}

TEST(short_memory, .seconds = 60)
{
    static const Job jobs[] = {{.document = "<p title='die'>das <b>Haus</b> <code>x_y</code>"},
                               {.document = "<b>die</b> Katze<p>das", .uncertain = true},
                               {.document = "<b> das <code>e</code>\xCC\x81 </b>"}};
    Glossary *glossary;
    begin();
    assert_ok(glossary_new(&glossary, translator.target_vocabulary, NULL));
    assert_ok(glossary_add(glossary, text_view_of("Haus"), text_view_of("house"), NULL));
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        while (failing_malloc_next()) {
            Bytes out = {0};
            Error error = {0};
            bool failed = failing_malloc_expect(translate(&out, &jobs[i], glossary, &error));
            ck_assert(failed == (out.length == 0));
            bytes_free(&out);
        }
    glossary_free(glossary);
    tear_down();
}
