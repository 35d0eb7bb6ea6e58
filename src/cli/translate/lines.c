#include "cli/translate/translate.h"

#include "base/array.h"
#include "render/beam_tree.h"
#include "text/code_fence.h"
#include "text/utf8.h"
#include "translate/translation_json.h"

#include <stdio.h>

enum {
    LINE_BYTES = 256,       // of long lines fewer are read ahead
    LONGEST_LINE = 1 << 20, // some hours of work
    FIRST_LINES = 1000,     // in which a NUL says that the file is not text
};

/* Lines of a file that have been read and not yet used. Start from {0}; one that was never opened
 * has no lines. */
typedef struct LineWindow {
    LineReader *reader;
    Bytes text;      // one after another
    TextView *views; // (count, room for as many as the run translates together) line_window_views
    size_t count;
} LineWindow;

typedef struct LinesRun {
    TranslateRun *run;
    LineWindow input, prefixes; // of each line
    bool is_file;               // not standard input, of which every line is answered
    bool keeps;                 // blocks of code and what lines are indented by stay
    CodeFence fence;
    size_t *kept;              // (run->window) how much at a line's beginning stays: all of one of
                               // code, or what it is indented by
    size_t first;              // number of the window's first line, from 1
    Translation *translations; // (run->window)
} LinesRun;

static Status add_line(LineWindow *window, const Line *line, Error *error)
{
    TRY(bytes_append(&window->text, line->text, line->length, error));
    window->views[window->count++].length = line->length;
    return STATUS_OK;
}

// The lines as texts, which are valid until the next is added; NULL if there is no file.
static const TextView *line_window_views(LineWindow *window)
{
    const char *text = bytes_text(&window->text);
    for (size_t i = 0; i < window->count; i++) {
        window->views[i].data = text;
        text += window->views[i].length;
    }
    return window->views;
}

static void line_window_clear(LineWindow *window)
{
    window->count = 0;
    bytes_clear(&window->text);
}

static void line_window_close(LineWindow *window)
{
    close_text(window->reader, "translate");
    bytes_free(&window->text);
    memory_free(window->views);
}

// Reads the prefix of the next line, if there are any.
static Status read_prefix(LineWindow *prefixes, Error *error)
{
    Line line;
    bool more;
    if (!prefixes->reader) return STATUS_OK;
    TRY(line_reader_next(prefixes->reader, &line, &more, error));
    if (more) return add_line(prefixes, &line, error);
    return error_set(error, STATUS_FORMAT,
                     "%s: the input has more lines than this file; give one prefix for each "
                     "line, or an empty line for none",
                     line_reader_name(prefixes->reader));
}

// At the end of an input of so many lines.
static Status finish_prefixes(LineWindow *prefixes, size_t count, Error *error)
{
    Line line;
    bool more;
    if (!prefixes->reader) return STATUS_OK;
    TRY(line_reader_next(prefixes->reader, &line, &more, error));
    if (!more) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s: has more lines than the input, which has %zu; give one prefix for each "
                     "line of input",
                     line_reader_name(prefixes->reader), count);
}

/* text, or text ||| links, or number ||| text ||| score [||| links] */
static void write_plain(Writer *out, TranslateRun *run, TextView kept,
                        const Translation *translation, const Rendering *rendering, size_t number)
{
    if (run->lists) writer_format(out, "%zu ||| ", number - 1);
    writer_bytes(out, kept.data, kept.length);
    if (run->doubts)
        doubts_write(out, run, translation, rendering);
    else
        writer_bytes(out, rendering->text.data, rendering->text.length);
    if (run->lists) writer_format(out, " ||| %.6f", rendering->score);
    if (run->translate.search.with_alpha && (translation->count || run->lists)) {
        writer_string(out, " ||| ");
        if (!out->status)
            out->status = alignment_set(&run->alignment.alignment, translation, rendering,
                                        run->alignment.units, &run->alignment.reading, out->error);
        links_write(out, &run->alignment.alignment.links);
    }
    writer_string(out, "\n");
}

static Status write_rendering(TranslateRun *run, TextView kept, const Translation *translation,
                              const Rendering *rendering, size_t number, Error *error)
{
    if (run->draws) {
        AlignedPair pair;
        bool subwords = alignment_format_shows_subwords(run->writer.format);
        TRY(model_alignment_set(&run->alignment, &pair, translation, rendering, subwords, error));
        return alignment_writer_add(&run->writer, &pair, error);
    }
    Writer out = output_start(run->output, error);
    write_plain(&out, run, kept, translation, rendering, number);
    return output_end(run->output, &out);
}

// What the search for a line tried.
static Status write_tree(TranslateRun *run, const Translation *translation, size_t number,
                         Error *error)
{
    const BeamTreeView view = {&translation->tree, run->model.translator.target_vocabulary};
    if (run->values->beam_tree == BEAM_TREE_SVG)
        return beam_tree_svg_add(&run->trees, &view, error);
    return output_json(
        run->output,
        json_pack("{sI so}", "line", (json_int_t)number - 1, "nodes", beam_tree_json(&view)),
        JSON_COMPACT | JSON_REAL_PRECISION(6), error);
}

static Status write_translation(TranslateRun *run, TextView kept, const Translation *translation,
                                size_t number, Error *error)
{
    if (translation->cut)
        report_warning("translate",
                       "line %zu is longer than %d subwords; the rest is not translated", number,
                       MAX_TRANSLATION_SUBWORDS);
    if (translation->prefix_cut)
        report_warning("translate",
                       "line %zu: its prefix is longer than %d subwords; the rest is not used",
                       number, MAX_TRANSLATION_SUBWORDS);
    if (translation->invalid)
        report_warning("translate", "line %zu: %zu invalid UTF-8 sequence%s replaced by U+FFFD",
                       number, translation->invalid, plural(translation->invalid));
    if (run->glossary && translation->count > 0 && translation->renderings->incomplete)
        report_warning("translate", "line %zu: its translation lacks a term of the glossary",
                       number);
    if (run->values->beam_tree) return write_tree(run, translation, number, error);
    if (run->values->json) {
        Writer out = output_start(run->output, error);
        const TranslationParts parts = {
            .units = run->translate.search.with_alpha ? run->alignment.units : NULL,
            .reading = &run->alignment.reading,
            .translator = &run->model.translator,
            .words = run->alignment.units[1]};
        translation_json_write(&out, translation, number - 1, &parts);
        writer_string(&out, "\n");
        return output_end(run->output, &out);
    }
    const Rendering none = {0};
    if (translation->count == 0)
        return write_rendering(run, kept, translation, &none, number, error);
    for (size_t i = 0; i < translation->count; i++)
        TRY(write_rendering(run, kept, translation, &translation->renderings[i], number, error));
    return STATUS_OK;
}

static Status translate_window(LinesRun *lines, Error *error)
{
    TranslateRun *run = lines->run;
    const size_t count = lines->input.count;
    const TextView *texts = line_window_views(&lines->input);
    for (size_t i = 0; i < count; i++)
        lines->input.views[i] = text_view_from(texts[i], lines->kept[i]);
    TRY(language_watch_add(&run->language, texts, count, error));
    run->translate.prefixes = line_window_views(&lines->prefixes);
    run->translate.search.sampling.first = lines->first - 1;
    work_progress_reach(&run->progress, line_reader_share(lines->input.reader));
    work_progress_begin(&run->progress, count);
    Status status = session_translate(run->model.session, texts, count, &run->translate,
                                      lines->translations, error);
    work_progress_end(&run->progress);
    for (size_t i = 0; i < count && !status; i++)
        status = write_translation(run, (TextView){texts[i].data - lines->kept[i], lines->kept[i]},
                                   &lines->translations[i], lines->first + i, error);
    for (size_t i = 0; i < count; i++) translation_free(&lines->translations[i]);
    lines->first += count;
    line_window_clear(&lines->input);
    line_window_clear(&lines->prefixes);
    return status;
}

static size_t kept_of(LinesRun *lines, TextView line)
{
    if (!lines->keeps) return 0;
    if (code_fence_has(&lines->fence, line)) return line.length;
    size_t indented = utf8_run_end(line.data, line.length, 0, utf8_is_space);
    return indented < line.length ? indented : 0;
}

/* Reads until the window is full or reading would block: a program that writes a line and waits for
 * its translation must get it. */
static Status read_window(LinesRun *lines, bool *more, Error *error)
{
    LineWindow *input = &lines->input;
    size_t most = lines->run->window;
    while (input->count < most && input->text.length < most * LINE_BYTES) {
        if (input->count > 0 && line_reader_would_block(input->reader)) break;
        Line line;
        Status status = line_reader_next(input->reader, &line, more, error);
        if (status || !*more) return status;
        if (line.cut)
            report_warning("translate", "line %zu is longer than %d MiB; the rest is not read",
                           line.number, LONGEST_LINE >> 20);
        if (lines->is_file && line.number <= FIRST_LINES && memchr(line.text, '\0', line.length))
            return error_set(error, STATUS_FORMAT,
                             "%s:%zu: has a NUL byte: this is a binary file, not text",
                             line_reader_name(input->reader), line.number);
        TRY(read_prefix(&lines->prefixes, error));
        TRY(add_line(input, &line, error));
        lines->kept[input->count - 1] = kept_of(lines, (TextView){line.text, line.length});
    }
    return STATUS_OK;
}

static Status translate_all(LinesRun *lines, Error *error)
{
    bool more = true;
    while (more) {
        Status status = read_window(lines, &more, error);
        // lines before an unreadable one are still translated
        if (lines->input.count > 0) {
            Status done = translate_window(lines, status ? NULL : error);
            if (!done) done = output_flush(lines->run->output, status ? NULL : error);
            if (!status) status = done;
        }
        if (status) return status;
    }
    return finish_prefixes(&lines->prefixes, lines->first - 1, error);
}

static Status open_lines(LinesRun *lines, const Arguments *arguments, Error *error)
{
    const TranslateRun *run = lines->run;
    const char *prefix = run->values->prefix;
    const char *tag = run->model.translator.languages[0];
    char sentence[LANGUAGE_SIZE + 32];
    TRY(array_new(&lines->input.views, run->window, "lines", error));
    TRY(array_new(&lines->translations, run->window, "lines", error));
    TRY(array_new(&lines->kept, run->window, "lines", error));
    lines->keeps = !run->values->json && !run->translate.search.with_alpha &&
                   !run->values->beam_tree && !run->translate.what_if;
    if (prefix && strcmp(prefix, "-") == 0)
        return error_set(error, STATUS_ARGUMENT, "--prefix cannot be standard input; name a file");
    if (prefix) {
        TRY(array_new(&lines->prefixes.views, run->window, "prefixes", error));
        TRY(line_reader_open(&lines->prefixes.reader, prefix, error));
    }
    (void)snprintf(sentence, sizeof sentence, tag ? "a sentence in %s" : "a sentence",
                   language_label(tag));
    TRY(open_text(&lines->input.reader, arguments, sentence, error));
    line_reader_cut_long(lines->input.reader, LONGEST_LINE);
    return STATUS_OK;
}

Status translate_lines(TranslateRun *run, const Arguments *arguments, Error *error)
{
    const OptionTexts *files = &arguments->operands;
    LinesRun lines = {.run = run, .first = 1};
    lines.is_file = files->count && strcmp(files->items[0], "-") != 0;
    Status status = open_lines(&lines, arguments, error);
    if (!status) status = translate_all(&lines, error);
    line_window_close(&lines.input);
    line_window_close(&lines.prefixes);
    memory_free(lines.translations);
    memory_free(lines.kept);
    return status;
}
