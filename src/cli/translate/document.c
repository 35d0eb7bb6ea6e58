#include "cli/translate/translate.h"

#include "base/array.h"
#include "html/charset.h"
#include "html/markdown.h"
#include "html/translation.h"
#include "io/byte_stream.h"

enum { HTML_LIMIT = 1 << 26 }; // bytes of a document

static Status read_stream(Bytes *html, ByteStream *stream, Error *error)
{
    enum { BLOCK = 1 << 16 };
    size_t length = 1;
    TRY(bytes_append(html, "", 0, error));
    while (length > 0) {
        TRY(bytes_reserve(html, html->length + BLOCK, error));
        TRY(byte_stream_read(stream, html->data + html->length, BLOCK, true, &length, error));
        html->length += length;
        if (html->length > HTML_LIMIT)
            return error_set(error, STATUS_FORMAT,
                             "%s: longer than %d MiB; translate its parts one by one",
                             byte_stream_name(stream), HTML_LIMIT >> 20);
    }
    return STATUS_OK;
}

static Status read_document(Bytes *html, const char *path, Error *error)
{
    FREED_BY(byte_stream_close_at) ByteStream *stream = NULL;
    TRY(byte_stream_open(&stream, path, error));
    char charset[CHARSET_SIZE];
    TRY(read_stream(html, stream, error));
    TRY(html_decode(html, charset, error));
    if (charset[0])
        report_warning("translate", "%s: read as %s; the translation is in UTF-8",
                       byte_stream_name(stream), charset);
    return STATUS_OK;
}

static void warn_of_segment(const TranslateRun *run, const Translation *translation)
{
    if (translation->cut)
        report_warning("translate",
                       "a paragraph is longer than %d subwords; the rest is not translated",
                       MAX_TRANSLATION_SUBWORDS);
    if (run->glossary && translation->count > 0 && translation->renderings->incomplete)
        report_warning("translate", "the translation of a paragraph lacks a term of the glossary");
}

static Status watch_language(TranslateRun *run, const HtmlDocument *document, Span segments,
                             Error *error)
{
    const size_t count = segments.end - segments.begin;
    FREED TextView *texts = NULL;
    TRY(array_new(&texts, count, "HTML", error));
    for (size_t i = 0; i < count; i++)
        texts[i] = html_segment_text(document, &document->segments[segments.begin + i]);
    return language_watch_add(&run->language, texts, count, error);
}

// Translates and writes a window of segments; a document may have none.
static Status translate_window(TranslateRun *run, HtmlDocument *document, Span segments,
                               Error *error)
{
    const size_t count = segments.end - segments.begin;
    const Translator *translator = &run->model.translator;
    const HtmlTranslation html = {.document = document,
                                  .reading = &run->alignment.reading,
                                  .session = run->model.session,
                                  .options = &run->translate,
                                  .confidence = run->doubts ? &translator->confidence : NULL,
                                  .words = translator->target_units};
    FREED Translation *translations = NULL;
    TRY(array_new(&translations, count, "HTML", error));
    TRY(watch_language(run, document, segments, error));
    work_progress_reach(&run->progress, (double)segments.end / (double)document->count);
    work_progress_begin(&run->progress, count);
    Status status = html_segments_translate(&html, segments, translations, error);
    work_progress_end(&run->progress);
    for (size_t i = 0; i < count && !status; i++) warn_of_segment(run, &translations[i]);
    Writer out = output_start(run->output, error);
    if (!status) html_translation_write(&out, &html, segments, translations);
    if (!status) status = output_end(run->output, &out);
    for (size_t i = 0; i < count; i++) translation_free(&translations[i]);
    return status;
}

static Status translate_windows(TranslateRun *run, HtmlDocument *document, Error *error)
{
    size_t first = 0;
    if (document->invalid)
        report_warning("translate", "%zu invalid UTF-8 sequence%s replaced by U+FFFD",
                       document->invalid, plural(document->invalid));
    do {
        size_t left = document->count - first, count = left < run->window ? left : run->window;
        TRY(translate_window(run, document, (Span){first, first + count}, error));
        TRY(output_flush(run->output, error));
        first += count;
    } while (first < document->count);
    return STATUS_OK;
}

Status translate_document(TranslateRun *run, const char *path, Error *error)
{
    FREED_BY(bytes_free) Bytes html = {0};
    FREED_BY(html_document_free)
    HtmlDocument document = {.syntax = run->values->markdown ? markdown_syntax : &html_syntax,
                             .language = run->model.translator.languages[0],
                             .attributes_stay = run->values->attributes_stay,
                             .attributes.language = run->model.translator.languages[1]};
    if (!document.syntax)
        return error_set(error, STATUS_ARGUMENT,
                         "--markdown needs cmark, which this program was built without; install "
                         "libcmark-dev and build it again");
    terminal_invite("translate", path, "a document");
    TRY(read_document(&html, path, error));
    TRY(html_document_read(&document, bytes_view(&html), error));
    return translate_windows(run, &document, error);
}
