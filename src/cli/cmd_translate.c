// regard translate: standard input to standard output, one line per line, in order.

#include "base/array.h"
#include "base/memory.h"
#include "cli/alignment_format.h"
#include "cli/model_options.h"
#include "cli/verbs.h"
#include "io/line_reader.h"
#include "translate/translation_json.h"

typedef struct TranslateValues {
    ModelOptions model;
    TranslateOptions translate;
    AlignmentFormat alignment;
    bool json;
    UnitChoice units[2]; // source, target
} TranslateValues;

static const Option options[] = {
    MODEL_OPTION(TranslateValues),
    SEARCH_OPTIONS(TranslateValues),
    OPTION_SIZE(TranslateValues, translate.n_best, "n-best", "N", 1, MAX_BEAM,
                "print the N best translations of each line: line number from 0 ||| text ||| score",
                .otherwise = "only the best, without score"),
    OPTION_CHOICE(TranslateValues, alignment, "alignment", alignment_formats,
                  "show which source units each target unit attends to. Alone or as pharaoh: links "
                  "after the text, text ||| 0-0 1-2. Instead of the text: soft, JSON lines with "
                  "the whole matrix; heatmap, a picture for the terminal; svg, a drawing of all "
                  "lines; html, an interactive page of all lines",
                  .implied = "pharaoh", .otherwise = "none"),
    UNIT_OPTIONS(TranslateValues),
    OPTION_FLAG(TranslateValues, json, "json", "print one JSON object for each line"),
    SPEED_OPTIONS(TranslateValues),
};

enum { WINDOW_BATCHES = 16 }; // batches read ahead, so that lines of like length can be found

// Lines read and not yet translated.
typedef struct Window {
    Bytes text;      // one after another
    TextView *texts; // (count, room for most) their lengths; translate_window sets where they begin
    size_t count, most;
    size_t first; // number of the first line, from 1
} Window;

typedef struct TranslateRun {
    const TranslateValues *values;
    TranslateOptions translate;
    OpenModel model;
    LineReader *reader;
    Window window;
    Translation *translations; // (window.most)
    bool lists;                // several translations of each line
    bool draws;                // alignments instead of the texts
    AlignmentWriter writer;    // for that
    Alignment alignment;
    UnitKind units[2];
    Output *output;
} TranslateRun;

/* text, or text ||| links, or number ||| text ||| score [||| links] */
static void write_plain(Writer *out, TranslateRun *run, const Translation *translation,
                        const Rendering *rendering, size_t number)
{
    if (run->lists) writer_format(out, "%zu ||| ", number - 1);
    writer_bytes(out, rendering->text.data, rendering->text.length);
    if (run->lists) writer_format(out, " ||| %.6f", rendering->score);
    if (run->translate.search.with_alpha && (translation->count || run->lists)) {
        writer_string(out, " ||| ");
        if (!out->status)
            out->status = alignment_set(&run->alignment, translation, rendering, run->units,
                                        linking_default(), out->error);
        links_write(out, &run->alignment.links);
    }
    writer_string(out, "\n");
}

static Status write_json(TranslateRun *run, const Translation *translation, size_t number,
                         Error *error)
{
    Writer out = output_start(run->output, error);
    translation_json_write(&out, translation, number - 1,
                           run->translate.search.with_alpha ? run->units : NULL);
    writer_string(&out, "\n");
    return output_end(run->output, &out);
}

static Status write_rendering(TranslateRun *run, const Translation *translation,
                              const Rendering *rendering, size_t number, Error *error)
{
    if (run->draws)
        return alignment_writer_write(&run->writer, translation, rendering, run->output, error);
    Writer out = output_start(run->output, error);
    write_plain(&out, run, translation, rendering, number);
    return output_end(run->output, &out);
}

static Status write_translation(TranslateRun *run, const Translation *translation, size_t number,
                                Error *error)
{
    if (translation->cut)
        report_warning("translate",
                       "line %zu is longer than %d subwords; the rest is not translated", number,
                       MAX_TRANSLATION_SUBWORDS);
    if (translation->invalid)
        report_warning("translate", "line %zu: %zu invalid UTF-8 sequence%s replaced by U+FFFD",
                       number, translation->invalid, translation->invalid == 1 ? "" : "s");
    if (run->values->json) return write_json(run, translation, number, error);
    static const Rendering nothing = {0}; // what an empty line becomes
    if (translation->count == 0) return write_rendering(run, translation, &nothing, number, error);
    for (size_t i = 0; i < translation->count; i++)
        TRY(write_rendering(run, translation, &translation->renderings[i], number, error));
    return STATUS_OK;
}

static Status translate_window(TranslateRun *run, Error *error)
{
    Window *window = &run->window;
    const char *line = bytes_text(&window->text);
    for (size_t i = 0; i < window->count; i++) {
        window->texts[i].data = line;
        line += window->texts[i].length;
    }
    Status status = session_translate(run->model.session, window->texts, window->count,
                                      &run->translate, run->translations, error);
    for (size_t i = 0; i < window->count && !status; i++)
        status = write_translation(run, &run->translations[i], window->first + i, error);
    for (size_t i = 0; i < window->count; i++) translation_free(&run->translations[i]);
    window->first += window->count;
    window->count = 0;
    bytes_clear(&window->text);
    return status;
}

/* Reads until the window is full or reading would block: a program that writes a line and waits for
 * its translation must get it. */
static Status read_window(TranslateRun *run, bool *more, Error *error)
{
    Window *window = &run->window;
    // two lines of the greatest length are no window
    while (window->count < window->most && window->text.length < LINE_LIMIT) {
        if (window->count > 0 && line_reader_would_block(run->reader)) break;
        Line line;
        Status status = line_reader_next(run->reader, &line, more, error);
        if (status || !*more) return status;
        if (line.cut)
            report_warning("translate", "line %zu is longer than %d MiB; the rest is not read",
                           line.number, LINE_LIMIT >> 20);
        TRY(bytes_append(&window->text, line.text, line.length, error));
        window->texts[window->count++].length = line.length;
    }
    return STATUS_OK;
}

static Status translate_input(TranslateRun *run, Error *error)
{
    bool more = true;
    while (more) {
        Status status = read_window(run, &more, error);
        // lines before an unreadable one are still translated
        if (run->window.count > 0) {
            Status done = translate_window(run, status ? NULL : error);
            if (!done) done = output_flush(run->output, status ? NULL : error);
            if (!status) status = done;
        }
        if (status) return status;
    }
    return STATUS_OK;
}

static Status prepare(TranslateRun *run, Error *error)
{
    const TranslateValues *values = run->values;
    const SearchOptions *search = &run->translate.search;
    if (run->translate.n_best > search->beam)
        return error_set(error, STATUS_ARGUMENT,
                         "--n-best %zu is more than --beam %zu; a beam of n gives at most n "
                         "translations",
                         run->translate.n_best, search->beam);
    if (run->draws && values->json)
        return error_set(error, STATUS_ARGUMENT,
                         "--json and --alignment=%s conflict; give only one",
                         alignment_formats[values->alignment]);
    run->window.most = search->batch * WINDOW_BATCHES;
    run->window.first = 1;
    TRY(array_new(&run->window.texts, run->window.most, "lines", error));
    TRY(array_new(&run->translations, run->window.most, "lines", error));
    TRY(open_model(&run->model, &values->model, search->shortlist, error));
    const Translator *translator = &run->model.translator;
    choose_units(run->units, values->units, translator);
    alignment_writer_start(&run->writer, &(AlignmentSetup){.format = values->alignment,
                                                           .linking = linking_default(),
                                                           .units = {run->units[0], run->units[1]},
                                                           .translator = translator,
                                                           .model = values->model.path});
    TRY(line_reader_open(&run->reader, "-", error));
    line_reader_cut_long(run->reader);
    return STATUS_OK;
}

static Status translate(const Arguments *arguments, Output *output, Error *error)
{
    const TranslateValues *values = arguments->values;
    TranslateRun run = {.values = values, .translate = values->translate, .output = output};
    run.lists = options_given(arguments, "n-best");
    run.translate.search.with_alpha = options_given(arguments, "alignment");
    run.draws = run.translate.search.with_alpha && values->alignment != ALIGNMENT_PHARAOH;
    Status status = prepare(&run, error);
    if (!status) status = translate_input(&run, error);
    if (run.draws) status = alignment_writer_finish(&run.writer, status, output, error);
    alignment_writer_free(&run.writer);
    line_reader_close(run.reader);
    close_model(&run.model);
    alignment_free(&run.alignment);
    bytes_free(&run.window.text);
    memory_free(run.window.texts);
    memory_free(run.translations);
    return status;
}

static const TranslateValues defaults = {.model = MODEL_OPTIONS_DEFAULT,
                                         .translate = TRANSLATE_OPTIONS_DEFAULT};

const Verb verb_translate = {
    .syntax =
        {
            .verb = "translate",
            .summary = "translate standard input to standard output, line by line",
            .description = "Prints one line for each line of input, in order; an empty line stays "
                           "empty. Lines are cut at 1000 subwords, with a warning; a translation "
                           "has at most 2 S + 10 subwords for S source subwords.",
            SYNTAX_OPTIONS(options, defaults),
            .reads_standard_input = true,
            .examples =
                "Translate a file, line by line:\n"
                "  regard translate --model model.safetensors <input.en >output.fr\n"
                "The three best translations of each line, with their scores:\n"
                "  regard translate --model model.safetensors --n-best 3 <input.en\n"
                "Translations with links from source words to target words:\n"
                "  regard translate --model model.safetensors --alignment <input.en\n"
                "A page that shows where the model looked for each word of its translations:\n"
                "  regard translate --model fr.safetensors --alignment=html <input.en >fr.html\n",
        },
    .run = translate,
};
