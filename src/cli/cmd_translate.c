// regard translate: text to its translation, one line per line, in order; or an HTML document.

#include "base/array.h"
#include "base/memory.h"
#include "cli/alignment_writer.h"
#include "cli/glossary_file.h"
#include "cli/html_input.h"
#include "cli/languages.h"
#include "cli/model_alignment.h"
#include "cli/model_options.h"
#include "cli/prefix_file.h"
#include "cli/unit_choice.h"
#include "cli/verbs.h"
#include "cli/work_progress.h"
#include "translate/translation_json.h"

typedef struct TranslateValues {
    ModelOptions model;
    TranslateOptions translate;
    size_t samples, seed;
    const char *prefix, *glossary;
    AlignmentFormat alignment;
    bool json, html;
    LinkSource from;
    UnitChoice units;
} TranslateValues;

// The forms of the command: a search or samples, of lines of text or of a document.
enum { SEARCHES = 1, SAMPLES = 2, LINES = 4 };

// Why an option that is only for these is refused elsewhere, in their order.
static const char *const reasons[] = {
    "and --sample conflict; give only one",
    "is for --sample N",
    "and --html conflict; give only one",
};

static const Option options[] = {
    MODELS_OPTION(TranslateValues, "the model", .required = true, MODEL_FIELDS),
    BEAM_OPTION(TranslateValues, SEARCHES),
    LENGTH_OPTION(TranslateValues, 0),
    OPTION_SIZE(TranslateValues, translate.n_best, "n-best", "N", 1, MAX_BEAM,
                "print the N best translations of each line: line number from 0 ||| text ||| score",
                .otherwise = "only the best, without score", .only = SEARCHES | LINES),
    OPTION_CHOICE(TranslateValues, translate.split, "split", text_splits,
                  "translate a line of several sentences sentence by sentence, and join their "
                  "translations; alignments are of the whole line, its N best are the likeliest "
                  "combinations. A line with a prefix is never split"),
    OPTION_TEXT(TranslateValues, prefix, "prefix", "FILE",
                "each translation begins with the text in the same line of FILE, which may end "
                "within a word unless white space follows; an empty line: with anything",
                .otherwise = "none", .only = LINES),
    OPTION_TEXT(TranslateValues, glossary, "glossary", "FILE",
                "where a line has a term of FILE as whole words, its translation has what stands "
                "behind the tab in the term's line",
                .otherwise = "none", .only = SEARCHES),
    OPTION_SIZE(TranslateValues, samples, "sample", "N", 1, MAX_BEAM,
                "sample N translations of each line from the model's distribution instead of "
                "searching for the best; printed like those of --n-best, in the order drawn",
                .otherwise = "beam search", .only = LINES),
    OPTION_REAL(TranslateValues, translate.search.sampling.temperature, "temperature", "T", 0.01,
                100,
                "with --sample: subwords are drawn in proportion to p^(1/T); T < 1 favours likely "
                "ones",
                .only = SAMPLES),
    OPTION_SIZE(TranslateValues, seed, "seed", "N", 0, 4000000000u, "with --sample: random seed",
                .only = SAMPLES),
    OPTION_CHOICE(TranslateValues, alignment, "alignment", alignment_formats,
                  "show which source units each target unit attends to. Alone or as pharaoh: links "
                  "after the text, text ||| 0-0 1-2. Instead of the text: soft, JSON lines with "
                  "the whole matrix; heatmap, a picture for the terminal; svg, a drawing of all "
                  "lines; html, an interactive page of all lines",
                  .implied = "pharaoh", .otherwise = "none", .only = LINES),
    FROM_OPTION(TranslateValues, 0),
    UNITS_OPTION(TranslateValues, "the model's", .only = LINES),
    OPTION_FLAG(TranslateValues, json, "json", "print one JSON object for each line",
                .only = LINES),
    OPTION_FLAG(
        TranslateValues, html, "html",
        "the input is one HTML document, not lines: its text is translated, inline tags are "
        "placed by the alignment, and all else stays as it is, with what is in code, pre, "
        "kbd, samp, var, script, style, textarea, translate=\"no\" and "
        "class=\"notranslate\""),
    SHORTLIST_OPTION(TranslateValues, 0),
    OPTION_SIZE(TranslateValues, translate.search.batch, "batch", "N", 1, 10000,
                "lines translated together"),
    THREADS_OPTION(TranslateValues, 0),
    PRECISION_OPTION(TranslateValues, 0),
};

enum { WINDOW_BATCHES = 16 }; // batches read ahead, so that lines of like length can be found
enum { LINE_BYTES = 256 };    // of long lines fewer are read ahead

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
    WorkProgress progress;
    LanguageWatch language;
    Window window;
    PrefixFile prefixes; // of the window's lines
    GlossaryFile glossary;
    Translation *translations; // (window.most)
    bool lists;                // several translations of each line
    bool draws;                // alignments instead of the texts
    AlignmentWriter writer;    // for that
    ModelAlignment shown;      // likewise
    Alignment alignment;
    LinkReading reading;
    bool from_given;
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
                                        &run->reading, out->error);
        links_write(out, &run->alignment.links);
    }
    writer_string(out, "\n");
}

static Status write_json(TranslateRun *run, const Translation *translation, size_t number,
                         Error *error)
{
    Writer out = output_start(run->output, error);
    translation_json_write(&out, translation, number - 1,
                           run->translate.search.with_alpha ? run->units : NULL, &run->reading);
    writer_string(&out, "\n");
    return output_end(run->output, &out);
}

static Status write_rendering(TranslateRun *run, const Translation *translation,
                              const Rendering *rendering, size_t number, Error *error)
{
    if (run->draws) {
        AlignedPair pair;
        bool subwords = alignment_format_shows_subwords(run->writer.format);
        TRY(model_alignment_set(&run->shown, &pair, translation, rendering, subwords, error));
        return alignment_writer_add(&run->writer, &pair, error);
    }
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
    if (translation->prefix_cut)
        report_warning("translate",
                       "line %zu: its prefix is longer than %d subwords; the rest is not used",
                       number, MAX_TRANSLATION_SUBWORDS);
    if (translation->invalid)
        report_warning("translate", "line %zu: %zu invalid UTF-8 sequence%s replaced by U+FFFD",
                       number, translation->invalid, translation->invalid == 1 ? "" : "s");
    if (run->glossary.glossary && translation->count > 0 && translation->renderings->incomplete)
        report_warning("translate", "line %zu: its translation lacks a term of the glossary",
                       number);
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
    TRY(language_watch_add(&run->language, window->texts, window->count, error));
    run->translate.prefixes = prefix_file_views(&run->prefixes);
    run->translate.search.sampling.first = window->first - 1;
    work_progress_reach(&run->progress, line_reader_share(run->reader, 0));
    work_progress_begin(&run->progress, window->count);
    Status status = session_translate(run->model.session, window->texts, window->count,
                                      &run->translate, run->translations, error);
    work_progress_end(&run->progress);
    for (size_t i = 0; i < window->count && !status; i++)
        status = write_translation(run, &run->translations[i], window->first + i, error);
    for (size_t i = 0; i < window->count; i++) translation_free(&run->translations[i]);
    window->first += window->count;
    window->count = 0;
    bytes_clear(&window->text);
    prefix_file_forget(&run->prefixes);
    return status;
}

/* Reads until the window is full or reading would block: a program that writes a line and waits for
 * its translation must get it. */
static Status read_window(TranslateRun *run, bool *more, Error *error)
{
    Window *window = &run->window;
    while (window->count < window->most && window->text.length < window->most * LINE_BYTES) {
        if (window->count > 0 && line_reader_would_block(run->reader)) break;
        Line line;
        Status status = line_reader_next(run->reader, &line, more, error);
        if (status || !*more) return status;
        if (line.cut)
            report_warning("translate", "line %zu is longer than %d MiB; the rest is not read",
                           line.number, LINE_LIMIT >> 20);
        TRY(prefix_file_next(&run->prefixes, error));
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
    return prefix_file_finish(&run->prefixes, run->window.first - 1, error);
}

static Status translate_html(TranslateRun *run, const Arguments *arguments, Error *error)
{
    const OptionTexts *files = &arguments->operands;
    const HtmlInput input = {.path = files->count ? files->items[0] : "-",
                             .session = run->model.session,
                             .translate = run->translate,
                             .reading = &run->reading,
                             .window = run->window.most,
                             .progress = &run->progress,
                             .language = &run->language,
                             .output = run->output};
    terminal_invite("translate", input.path, "an HTML document");
    return html_input_translate(&input, error);
}

static Status prepare(TranslateRun *run, const Arguments *arguments, Error *error)
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
    if (search->with_alpha || values->html)
        TRY(choose_reading(&run->reading, &run->model, values->from, run->from_given, error));
    run->reading.links_only = !run->draws;
    unit_choice_kinds(run->units, values->units, translator->source_units,
                      translator->target_units);
    if (run->draws) {
        run->shown = (ModelAlignment){.reading = run->reading,
                                      .draws_posteriors = run->from_given,
                                      .units = {run->units[0], run->units[1]},
                                      .translator = translator,
                                      .model = run->model.path};
        run->writer = (AlignmentWriter){.format = values->alignment,
                                        .page = model_alignment_page(&run->shown),
                                        .output = run->output};
    }
    if (values->glossary)
        TRY(glossary_file_read(&run->glossary, values->glossary, translator->target_vocabulary,
                               run->window.most, error));
    run->translate.glossaries = run->glossary.lines;
    if (values->prefix)
        TRY(prefix_file_open(&run->prefixes, values->prefix, run->window.most, error));
    run->progress = work_progress_start(values->html ? "texts" : "lines", 1);
    session_set_listener(run->model.session, work_progress_listener(&run->progress));
    run->language.translator = translator;
    if (values->html) return STATUS_OK;
    char sentence[LANGUAGE_LABEL_SIZE];
    language_sentence(sentence, translator);
    TRY(open_text(&run->reader, arguments, sentence, error));
    line_reader_cut_long(run->reader);
    return STATUS_OK;
}

static Status translate(const Arguments *arguments, Output *output, Error *error)
{
    const TranslateValues *values = arguments->values;
    TranslateRun run = {.values = values, .translate = values->translate, .output = output};
    run.lists = options_given(arguments, "n-best");
    run.from_given = options_given(arguments, "from");
    run.translate.search.with_alpha = options_given(arguments, "alignment");
    run.draws = run.translate.search.with_alpha && values->alignment != ALIGNMENT_PHARAOH;
    Sampling *sampling = &run.translate.search.sampling;
    sampling->wanted = options_given(arguments, "sample");
    if (sampling->wanted) {
        sampling->seed = values->seed;
        run.translate.search.beam = run.translate.n_best = values->samples;
        run.lists = true;
    }
    unsigned form = (sampling->wanted ? SAMPLES : SEARCHES) | (values->html ? 0 : LINES);
    Status status = options_check_form(arguments, form, reasons, error);
    if (!status) status = prepare(&run, arguments, error);
    if (!status)
        status =
            values->html ? translate_html(&run, arguments, error) : translate_input(&run, error);
    if (run.draws) status = alignment_writer_finish(&run.writer, status, error);
    alignment_writer_free(&run.writer);
    model_alignment_free(&run.shown);
    line_reader_close(run.reader);
    prefix_file_close(&run.prefixes);
    language_evidence_free(&run.language.evidence);
    close_model(&run.model);
    alignment_free(&run.alignment);
    bytes_free(&run.window.text);
    memory_free(run.window.texts);
    glossary_file_close(&run.glossary);
    memory_free(run.translations);
    return status;
}

static const TranslateValues defaults = {.model = {.precision = PRECISION_AUTO},
                                         .translate = TRANSLATE_OPTIONS_DEFAULT,
                                         .translate.split = SPLIT_SENTENCES,
                                         .seed = 1};

const Verb verb_translate = {
    .syntax =
        {
            .verb = "translate",
            .summary = "translate a file or standard input, line by line",
            .description =
                "Prints one line for each line of input, in order; an empty line stays empty. A "
                "line "
                "of several sentences is translated sentence by sentence, and a sentence of more "
                "than "
                "1000 subwords in parts; with --split none, lines are cut there, with a warning. A "
                "translation has at most 2 S + 10 subwords for S of the sentence, besides those of "
                "--prefix.",
            SYNTAX_OPTIONS(options, defaults),
            .operands = TEXT_OPERAND,
            .examples =
                "Translate a file, line by line, with a model that comes with Regard:\n"
                "  regard translate en-fr input.en >output.fr\n"
                "The same with a model of yours:\n"
                "  regard translate --model model.safetensors input.en >output.fr\n"
                "The three best translations of each line, with their scores:\n"
                "  regard translate --model model.safetensors --n-best 3 input.en\n"
                "Translations with links from source words to target words:\n"
                "  regard translate --model model.safetensors --alignment input.en\n"
                "Three samples of each line, the same at every run:\n"
                "  regard translate --model model.safetensors --sample 3 --seed 7 input.en\n"
                "Translations that begin with the lines of a file:\n"
                "  regard translate --model model.safetensors --prefix begun.fr input.en\n"
                "Translate a web page:\n"
                "  regard translate --model model.safetensors --html page.html >page.fr.html\n"
                "A page that shows where the model looked for each word of its translations:\n"
                "  regard translate --model fr.safetensors --alignment=html input.en >fr.html\n",
        },
    .run = translate,
};
