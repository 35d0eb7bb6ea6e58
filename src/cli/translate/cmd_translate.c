// regard translate: text to its translation, one line per line, in order; or an HTML document.

#include "cli/translate/translate.h"

#include "base/array.h"
#include "cli/verbs.h"
#include "translate/memory_file.h"

// The forms of the command: a search or samples, of lines of text or of a document.
enum { SEARCHES = 1, SAMPLES = 2, LINES = 4, HTML = 8, NO_HTML = 16 };

static const char *const beam_tree_formats[] = {"none", "json", "svg", NULL};

static const Option options[] = {
    MODELS_OPTION(TranslateValues, "the model", .required = true, MODEL_FIELDS),
    BEAM_OPTION(TranslateValues, SEARCHES),
    LENGTH_OPTION(TranslateValues, 0),
    LEXICON_OPTION(TranslateValues, 0),
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
    OPTION_TEXTS(
        TranslateValues, memories, "memory", "FILE",
        "a line or sentence that FILE, a TSV, CSV or TMX, has as a source is translated by "
        "its target there; of one that differs in at most 3 words of 10, what is alike is; "
        "several times: several files",
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
    OPTION_CHOICE(TranslateValues, uncertain, "uncertain", uncertain_styles,
                  "mark words that are more likely wrong than right: mark, between U+27E6 and "
                  "U+27E7, or in HTML and Markdown <span class=\"uncertain\">; color, in yellow",
                  .implied = "mark", .only = SEARCHES),
    OPTION_REAL(TranslateValues, min_confidence, "min-confidence", "P", 0, 1,
                "leave sentences in the source's language that are right with less probability",
                .otherwise = "0: none", .only = SEARCHES | LINES),
    OPTION_FLAG(TranslateValues, json, "json", "print one JSON object for each line",
                .only = LINES),
    OPTION_FLAG(
        TranslateValues, html, "html",
        "the input is one HTML document, not lines: its text is translated, inline tags are placed "
        "by the alignment, and all else stays as it is, with what is in code, pre, kbd, samp, var, "
        "script, style, textarea, translate=\"no\", class=\"notranslate\" and another lang; so are "
        "alt, "
        "aria-label, placeholder, title and the description, and lang is set"),
    OPTION_FLAG(TranslateValues, attributes_stay, "no-attributes",
                "with --html: leave attributes as they are", .only = HTML),
    OPTION_FLAG(
        TranslateValues, markdown, "markdown",
        "the input is one Markdown document: the text of paragraphs, headings, cells and images "
        "is translated; emphasis and links are placed by the alignment, and all else stays as "
        "it is",
        .only = NO_HTML),
    OPTION_HEADING("What if"),
    OPTION_TEXTS(TranslateValues, what_if[ASK_FORBID_SOURCE], "forbid-source", "N",
                 "give source subword N, from 0, no attention; or a word, each of its places; "
                 "several times: several of them, and likewise below",
                 .otherwise = "none", .only = LINES),
    OPTION_TEXTS(TranslateValues, what_if[ASK_ATTEND], "attend", "T:S=W",
                 "at step T, which says target subword T, from 0, give source subword S the weight "
                 "W",
                 .otherwise = "none", .only = LINES),
    OPTION_TEXTS(TranslateValues, what_if[ASK_FORCE], "force", "T:WORD",
                 "say WORD at step T and those after it", .otherwise = "none", .only = LINES),
    OPTION_TEXTS(TranslateValues, what_if[ASK_FORBID], "forbid", "T:WORD",
                 "do not say WORD, in these subwords, at step T", .otherwise = "none",
                 .only = LINES),
    OPTION_CHOICE(TranslateValues, beam_tree, "beam-tree", beam_tree_formats,
                  "instead of the text, all that the search tried: each step's hypotheses, with "
                  "their scores, and those that they have beaten, and by how much; as a line of "
                  "JSON for each line, or as a drawing of all lines",
                  .only = SEARCHES | LINES),
    OPTION_HEADING("Work"),
    SHORTLIST_OPTION(TranslateValues, 0),
    OPTION_SIZE(TranslateValues, translate.search.batch, "batch", "N", 1, 10000,
                "lines translated together"),
    THREADS_OPTION(TranslateValues, 0),
    PRECISION_OPTION(TranslateValues, 0),
};

enum { WINDOW_BATCHES = 16 };

static Status read_term(Glossary *glossary, const char *path, const Line *line, Error *error)
{
    Error wrong = {0};
    TextView translation = {line->text, line->length};
    const TextView term = text_view_cut(&translation, '\t');
    if (line->length == 0) return STATUS_OK;
    if (term.length == line->length || memchr(translation.data, '\t', translation.length))
        return error_set(error, STATUS_FORMAT, "%s:%zu: not a term, a tab and its translation",
                         path, line->number);
    Status status = glossary_add(glossary, term, translation, &wrong);
    if (status == STATUS_FORMAT)
        return error_set(error, status, "%s:%zu: %s", path, line->number, wrong.text);
    return status ? error_set(error, status, "%s", wrong.text) : STATUS_OK;
}

static Status read_terms(Glossary *glossary, const char *path, Error *error)
{
    LineReader *reader;
    bool more = true;
    TRY(line_reader_open(&reader, path, error));
    Status status = STATUS_OK;
    while (!status) {
        Line line;
        status = line_reader_next(reader, &line, &more, error);
        if (!more) break;
        if (!status) status = read_term(glossary, line_reader_name(reader), &line, error);
    }
    close_text(reader, "translate");
    return status;
}

/* Reads the terms of a file, one a line: term, tab, translation (docs/formats.md); empty lines are
 * passed over. STATUS_FORMAT with file and line. */
static Status read_glossary(TranslateRun *run, const char *path, Error *error)
{
    if (strcmp(path, "-") == 0)
        return error_set(error, STATUS_ARGUMENT,
                         "--glossary cannot be standard input; name a file");
    TRY(glossary_new(&run->glossary, run->model.translator.target_vocabulary, error));
    run->translate.glossary = run->glossary;
    return read_terms(run->glossary, path, error);
}

// Reads the files of a memory.
static Status read_memories(TranslateRun *run, const OptionTexts *files, Error *error)
{
    TRY(translation_memory_new(&run->memory, error));
    for (size_t i = 0; i < files->count; i++)
        TRY(memory_file_read(run->memory, files->items[i], &run->model.translator, error));
    run->translate.memory = run->memory;
    return STATUS_OK;
}

static bool is_document(const TranslateValues *values)
{
    return values->html || values->markdown;
}

// How links are read, and what draws them.
static Status prepare_alignment(TranslateRun *run, const Arguments *arguments, Error *error)
{
    const TranslateValues *values = run->values;
    const Translator *translator = &run->model.translator;
    ModelAlignment *alignment = &run->alignment;
    bool given = options_given(arguments, "from");
    if (run->translate.search.with_alpha || is_document(values))
        TRY(choose_reading(&alignment->reading, &run->model, values->from, given, error));
    alignment->reading.links_only = !run->draws;
    alignment->draws_posteriors = given;
    alignment->translator = translator;
    alignment->model = run->model.path;
    unit_choice_kinds(alignment->units, values->units, translator->source_units,
                      translator->target_units);
    if (run->draws)
        run->writer = (AlignmentWriter){.format = values->alignment,
                                        .page = model_alignment_page(alignment),
                                        .output = run->output};
    return STATUS_OK;
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
    if (values->beam_tree && (run->draws || values->json || search->with_alpha))
        return error_set(error, STATUS_ARGUMENT,
                         "--beam-tree is instead of the text; give neither --alignment nor --json");
    run->doubts = values->uncertain != UNCERTAIN_NONE || values->min_confidence > 0;
    if (run->doubts && (search->with_alpha || values->json))
        return error_set(error, STATUS_ARGUMENT,
                         "--uncertain and --min-confidence are of plain text; give neither "
                         "--alignment nor --json");
    run->window = search->batch * WINDOW_BATCHES;
    TRY(open_model(&run->model, &values->model, search->scoring.shortlist, error));
    if (run->doubts && !run->model.translator.has_confidence)
        return error_set(error, STATUS_FORMAT,
                         "%s: has no confidence, since it was made by an older program; fit one "
                         "with regard calibrate --model %s PAIRS",
                         run->model.path, run->model.path);
    TRY(prepare_alignment(run, arguments, error));
    if (values->glossary) TRY(read_glossary(run, values->glossary, error));
    if (values->memories.count > 0) TRY(read_memories(run, &values->memories, error));
    run->progress = work_progress_start(is_document(values) ? "texts" : "lines", 1);
    session_set_listener(run->model.session, work_progress_listener(&run->progress));
    run->language = (LanguageWatch){.translator = &run->model.translator, .verb = "translate"};
    return STATUS_OK;
}

static Status check_form(const Arguments *arguments, Error *error)
{
    const TranslateValues *values = arguments->values;
    // why an option that is only for these forms is refused elsewhere, in their order
    const char *const reasons[] = {
        "and --sample conflict; give only one",
        "is for --sample N",
        values->html ? "and --html conflict; give only one"
                     : "and --markdown conflict; give only one",
        "is for --html",
        "and --html conflict; give only one",
    };
    unsigned form = options_given(arguments, "sample") ? SAMPLES : SEARCHES;
    if (!is_document(values)) form |= LINES;
    form |= values->html ? HTML : NO_HTML;
    return options_check_form(arguments, form, reasons, error);
}

// What follows from the options for the search and for what is printed.
static void apply_options(TranslateRun *run, const Arguments *arguments)
{
    const TranslateValues *values = run->values;
    SearchOptions *search = &run->translate.search;
    run->lists = options_given(arguments, "n-best");
    search->with_alpha = options_given(arguments, "alignment");
    run->draws = search->with_alpha && values->alignment != ALIGNMENT_PHARAOH;
    if (options_given(arguments, "sample")) { // in place of a search, and printed as its list
        search->sampling.wanted = run->lists = true;
        search->sampling.seed = values->seed;
        search->beam = run->translate.n_best = values->samples;
    }
    for (size_t kind = 0; kind < ASK_KINDS; kind++) {
        run->what_if.counts[kind] = values->what_if[kind].count;
        _Static_assert(sizeof run->what_if.items[kind] == sizeof values->what_if[kind].items,
                       "MAX_WHAT_IFS is not MAX_OPTION_TEXTS");
        memcpy(run->what_if.items[kind], values->what_if[kind].items,
               sizeof values->what_if[kind].items);
    }
    search->with_tree = values->beam_tree;
    if (what_if_is_asked(&run->what_if)) run->translate.what_if = &run->what_if;
}

static void translate_run_free(TranslateRun *run)
{
    svg_free(&run->trees);
    confidence_free(&run->confidence);
    alignment_writer_free(&run->writer);
    model_alignment_free(&run->alignment);
    language_evidence_free(&run->language.evidence);
    close_model(&run->model);
    glossary_free(run->glossary);
    translation_memory_free(run->memory);
}

static Status translate(const Arguments *arguments, Output *output, Error *error)
{
    const TranslateValues *values = arguments->values;
    const OptionTexts *files = &arguments->operands;
    FREED_BY(translate_run_free)
    TranslateRun run = {.values = values, .translate = values->translate, .output = output};
    apply_options(&run, arguments);
    TRY(check_form(arguments, error));
    TRY(prepare(&run, arguments, error));
    Status status = is_document(values)
                        ? translate_document(&run, files->count ? files->items[0] : "-", error)
                        : translate_lines(&run, arguments, error);
    if (run.draws) status = alignment_writer_finish(&run.writer, status, error);
    TRY(status);
    if (values->beam_tree == BEAM_TREE_SVG) {
        Writer out = output_start(output, error);
        svg_write(&out, &run.trees, "What the search tried");
        TRY(output_end(output, &out));
    }
    if (values->min_confidence > 0)
        report_warning("translate", "%zu sentence%s left untranslated", run.left, plural(run.left));
    return STATUS_OK;
}

static const TranslateValues defaults = {.model = {.precision = PRECISION_AUTO},
                                         .translate = TRANSLATE_OPTIONS_DEFAULT,
                                         .translate.split = SPLIT_SENTENCES,
                                         .seed = 1};

const Verb verb_translate = {
    .name = "translate",
    .summary = "translate a file or standard input, line by line",
    .description =
        "Prints one line for each line of input, in order; an empty line stays empty. A line of "
        "several sentences is translated sentence by sentence, and a sentence of more than 40 "
        "subwords, or of more spans that stay as they are than the model has placeholders for, in "
        "parts; with --split none, lines are cut at 1000 subwords, with a warning. A translation "
        "has at most 2 S + 10 subwords for S of the sentence, besides those of --prefix.",
    VERB_OPTIONS(options, defaults),
    .operands = TEXT_OPERAND,
    .examples = "Translate a file, line by line, with a model that comes with Regard:\n"
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
    .run = translate,
};
