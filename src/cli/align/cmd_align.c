// regard align: which source unit each unit of a given translation looked at.

#include "cli/align/align.h"
#include "cli/model_alignment.h"
#include "cli/pairs.h"
#include "cli/verbs.h"
#include "cli/wordalign/wordalign.h"
#include "reading/what_if_request.h"
#include "text/normalise.h"

#include <stdlib.h>

/* The forms of the command: with a model, or by words alone (cli/wordalign/), and what is asked of
 * either. */
enum {
    BY_MODEL = 1,
    BY_WORDS = 2,
    LEARNS = 4,     // no aligner that has learned
    LINKS = 8,      // not --suspicious
    ALIGNS = 16,    // not --explain
    PLAIN = 32,     // neither pictures nor --explain
    WRITES = 64,    // not --gold
    TWO_WAYS = 128, // of alignment
    REPORTS = 256,
};

// Why an option that is only for these is refused elsewhere, in their order.
static const char *const reasons[] = {
    "needs a model; give --model FILE",
    "is for aligning without a model; leave out --model",
    "is for learning, and --aligner has learned; leave out one of them",
    "is for links, and --suspicious prints none; leave out one of them",
    "and --explain conflict; give only one",
    "prints links only; leave out --format and --explain",
    "is for links that are written; leave out --gold",
    "combines two models; give the second with --reverse FILE",
    "is for --gold, --explain and --suspicious; for alignments as JSON use --format soft",
};

static const Option options[] = {
    OPTION_TEXT(AlignValues, model.path, "model", "FILE",
                "the model, a file or a name that regard models lists; without one, links are "
                "learned from the pairs themselves; --model may be left out",
                MODEL_FIELDS, .otherwise = "none"),
    OPTION_CHOICE(AlignValues, format, "format", alignment_formats,
                  "pharaoh: links, 0-0 1-2, source first; soft: JSON lines with the whole matrix; "
                  "heatmap: a picture for the terminal; svg: a drawing of all pairs; html: an "
                  "interactive page of all pairs",
                  .only = LINKS | ALIGNS),
    UNITS_OPTION(AlignValues,
                 "the model's; without one, and with --gold, characters where a side is mostly "
                 "Chinese",
                 .only = 0),
    OPTION_REAL(AlignValues, threshold, "threshold", "P", 0.01, 1,
                "link each target unit to every source unit where the mean of two shares, of the "
                "attention that the one gives and of what the other gets, is at least P; of an "
                "aligner, the smallest posterior of a link, by default 0.5",
                .only = LINKS),
    OPTION_CHOICE(AlignValues, symmetrization, "symmetrize", symmetrization_names,
                  "how to combine the links of two directions (Koehn, Och & Marcu 2003); without a "
                  "model, the default is the mean of their posteriors",
                  .only = LINKS | TWO_WAYS),
    OPTION_TEXT(AlignValues, gold, "gold", "FILE",
                "compare with manual links, one line for each pair, i-j sure, i?j possible: "
                "alignment error rate, precision, recall",
                .otherwise = "none", .only = LINKS | PLAIN, .input = true),
    OPTION_FLAG(AlignValues, json, "json",
                "print the result of --gold, each pair of --suspicious, or each pair's of "
                "--explain with whole vectors, as a JSON object",
                .only = REPORTS),
    COLUMNS_OPTION(AlignValues, 0),
    THREADS_OPTION(AlignValues, 0),
    OPTION_HEADING("With a model"),
    OPTION_TEXT(AlignValues, explain, "explain", "N",
                "instead of an alignment, show how the attention of target subword N, from 0, is "
                "computed: query, energies, weights and context, with their formulas; or of each "
                "subword of a word",
                .otherwise = "none", .only = BY_MODEL),
    OPTION_SIZE(AlignValues, head, "head", "N", 1, CONFIG_MAX_SIZE,
                "the attention of this head, from 1, of multi-head attention",
                .otherwise = "the mean of all", .only = BY_MODEL),
    FROM_OPTION(AlignValues, BY_MODEL),
    OPTION_TEXT(AlignValues, reverse, "reverse", "FILE",
                "a model for the opposite direction; its links are combined with those of --model",
                .model = true, .otherwise = "none", .only = BY_MODEL | PLAIN),
    PRECISION_OPTION(AlignValues, BY_MODEL),
    OPTION_HEADING("Without a model"),
    OPTION_TEXT(AlignValues, train, "train", "PAIRS",
                "more pairs to learn from, besides those to align", .otherwise = "none",
                .only = BY_WORDS | LEARNS),
    OPTION_TEXT(AlignValues, prior, "prior", "LINKS",
                "links that are known, one line for each pair, 0-0 1-2, empty if none are; they "
                "count as evidence for their words in all pairs",
                .otherwise = "none", .only = BY_WORDS | LEARNS),
    OPTION_TEXT(AlignValues, save, "save", "ALIGNER", "keep what was learned in this file",
                .otherwise = "none", .only = BY_WORDS | LEARNS),
    OPTION_FLAG(AlignValues, overwrite, "overwrite", "let --save replace a file that exists",
                .only = BY_WORDS),
    OPTION_TEXT(AlignValues, aligner, "aligner", "ALIGNER",
                "align with what --save kept, instead of learning", .otherwise = "none",
                .only = BY_WORDS),
    OPTION_FLAG(AlignValues, probabilities, "probabilities",
                "links with their posterior probabilities, 0-0:0.9731",
                .only = BY_WORDS | LINKS | PLAIN | WRITES),
    OPTION_SIZE(AlignValues, suspicious, "suspicious", "N", 1, SIZE_MAX / 2,
                "instead of links, the N pairs least likely to be translations of each other, with "
                "their numbers and scores, the worst first",
                .otherwise = "none", .only = BY_WORDS),
};

typedef struct AlignRun {
    const AlignValues *values;
    size_t step; // with --explain, the subword that is explained
    Bytes word;  // or this word, in normal form; empty: the subword
    const OpenModel *model;
    Explanation explanation;
    size_t too_short;          // pairs that do not have the subword or the word to explain
    size_t first, first_count; // the first of them, and its target subwords with </s>
    bool in_source;            // which has the word in its source
    ModelAlignment alignment;
    AlignmentWriter writer;
    Output *output;
} AlignRun;

// A page of numbers and an empty line, or a line of JSON.
static Status write_explanation(AlignRun *run, const Translation *pair, const Rendering *target,
                                size_t number, size_t step, Error *error)
{
    const Translator *translator = &run->model->translator;
    SubwordLabels *labels = &run->alignment.labels;
    const ExplainedPair asked = {&pair->source_subwords, &target->subwords, step, NULL};
    TRY(session_explain(run->model->session, &asked, &run->explanation, error));
    TRY(subword_labels_set(labels, translator, pair, target, error));
    TRY(subword_labels_set_likeliest(labels, translator, &run->explanation, error));
    ExplainedStep explained = {.explanation = &run->explanation,
                               .scorer = translator->model.params.decoder.scorer,
                               .source = subword_labels(labels, LABELS_SOURCE),
                               .target = subword_labels(labels, LABELS_TARGET),
                               .likeliest = subword_labels(labels, LABELS_LIKELIEST),
                               .pair = number,
                               .target_subword = step,
                               .head = run->values->head};
    if (run->values->json)
        return output_json(run->output, explanation_json(&explained),
                           JSON_COMPACT | JSON_REAL_PRECISION(9), error);
    Writer out = output_start(run->output, error);
    align_explain_write(&out, &explained);
    writer_string(&out, "\n");
    return output_end(run->output, &out);
}

// Explains the subword, or those of each place of the word; nothing for a pair without it.
static Status explain_pair(AlignRun *run, const Translation *pair, const Rendering *target,
                           size_t number, Error *error)
{
    const TextView text = bytes_view(&target->text);
    const TextView word = bytes_view(&run->word);
    size_t step = run->step, end = 0;
    bool found = false;
    if (word.length == 0 && (found = step <= target->subwords.count))
        TRY(write_explanation(run, pair, target, number, step, error));
    while (subwords_find(&step, &end, &target->subwords, text, word)) {
        found = true;
        for (; step < end; step++) TRY(write_explanation(run, pair, target, number, step, error));
    }
    if (found || run->too_short++) return STATUS_OK;
    run->first = number;
    run->first_count = target->subwords.count + 1;
    step = end = 0;
    run->in_source =
        subwords_find(&step, &end, &pair->source_subwords, bytes_view(&pair->source), word);
    return STATUS_OK;
}

// Whether --explain is a number; else its word in normal form.
static Status read_explained(AlignRun *run, Error *error)
{
    const char *explain = run->values->explain;
    if (!explain) return STATUS_OK;
    if (strspn(explain, "0123456789") == strlen(explain)) {
        run->step = strtoul(explain, NULL, 10);
        return STATUS_OK;
    }
    TRY(normalise(&run->word, explain, strlen(explain), NULL, error));
    if (run->word.length > 0) return STATUS_OK;
    return error_set(error, STATUS_ARGUMENT, "--explain: neither a number nor a word");
}

// Told at the end, so that the pairs that have the subword are explained.
static Status refuse_too_short(const AlignRun *run, Error *error)
{
    const char *explain = run->values->explain, *do_not = run->too_short == 1 ? " does" : "s do";
    if (!run->too_short) return STATUS_OK;
    if (run->word.length > 0)
        return error_set(error, STATUS_FORMAT,
                         "--explain %s: %zu pair%s not have that word in the target; the first is "
                         "pair %zu%s",
                         explain, run->too_short, do_not, run->first,
                         run->in_source ? ", which has it in the source" : "");
    return error_set(error, STATUS_FORMAT,
                     "--explain %s: %zu pair%s not have as many target subwords; the first, pair "
                     "%zu, has 0 to %zu, the last of them </s>",
                     explain, run->too_short, do_not, run->first, run->first_count - 1);
}

static Status write_pair(void *context, const Translation *pair, size_t line, Error *error)
{
    AlignRun *run = context;
    const Rendering *target = &pair->renderings[0];
    if (pair->cut)
        report_warning("align", "pair %zu is longer than %d subwords; the rest has no links", line,
                       MAX_TRANSLATION_SUBWORDS);
    if (run->values->explain) return explain_pair(run, pair, target, line, error);
    AlignedPair shown;
    bool subwords = alignment_format_shows_subwords(run->values->format);
    TRY(model_alignment_set(&run->alignment, &shown, pair, target, subwords, error));
    return alignment_writer_add(&run->writer, &shown, error);
}

static Status check_form(const Arguments *arguments, Error *error)
{
    const AlignValues *values = arguments->values;
    const char *explains = values->explain;
    bool plain = !explains && values->format == ALIGNMENT_PHARAOH;
    unsigned form = values->model.path ? BY_MODEL : BY_WORDS;
    if (!values->aligner) form |= LEARNS;
    if (!values->suspicious) form |= LINKS;
    if (!explains) form |= ALIGNS;
    if (plain) form |= PLAIN;
    if (!values->gold) form |= WRITES;
    if (!values->model.path || values->reverse) form |= TWO_WAYS;
    if (values->gold || explains || values->suspicious) form |= REPORTS;
    return options_check_form(arguments, form, reasons, error);
}

// Writes the attention of every pair in the requested format.
static Status write_all(const Arguments *arguments, const OpenModel *model,
                        const LinkReading *reading, Output *output, Error *error)
{
    const AlignValues *values = arguments->values;
    const PairInput input = {.verb = "align",
                             .spec = arguments->operands.items[0],
                             .options = &values->pairs,
                             .translator = &model->translator,
                             .output = output};
    AlignRun run = {
        .values = values,
        .model = model,
        .alignment = {.reading = *reading,
                      .draws_posteriors = options_given(arguments, "from"),
                      .head = values->head,
                      .translator = &model->translator,
                      .model = values->model.path},
        .writer = {.format = values->format, .output = output},
        .output = output,
    };
    const Translator *translator = &model->translator;
    unit_choice_kinds(run.alignment.units, values->units, translator->source_units,
                      translator->target_units);
    run.writer.page = model_alignment_page(&run.alignment);
    Status status = read_explained(&run, error);
    if (!status) status = force_pairs(model->session, input, true, write_pair, &run, error);
    if (!values->explain) status = alignment_writer_finish(&run.writer, status, error);
    if (!status) status = refuse_too_short(&run, error);
    alignment_writer_free(&run.writer);
    model_alignment_free(&run.alignment);
    explanation_free(&run.explanation);
    bytes_free(&run.word);
    return status;
}

static Status align(const Arguments *arguments, Output *output, Error *error)
{
    const AlignValues *values = arguments->values;
    LinkReading reading = reading_of_aligner(NULL);
    FREED_BY(close_model) OpenModel model = {0};
    const char *const corpora[] = {arguments->operands.items[0], values->train};
    TRY(check_form(arguments, error));
    TRY(pair_options_check(&values->pairs, corpora, values->train ? 2 : 1, error));
    if (!values->model.path) return wordalign(arguments, output, error);
    TRY(open_model(&model, &values->model, false, error));
    TRY(session_show_head(model.session, values->head, error));
    TRY(align_reading(&reading, arguments, &model, error));
    bool pictures = values->explain || values->format != ALIGNMENT_PHARAOH;
    session_infer_attention(model.session, !pictures && reading.from == LINKS_FROM_ATTENTION);
    if (values->gold || values->reverse)
        return align_links(arguments, &reading, &model, output, error);
    return write_all(arguments, &model, &reading, output, error);
}

static const AlignValues defaults = {
    .model = MODEL_OPTIONS_DEFAULT,
    .format = ALIGNMENT_PHARAOH,
    .threshold = 0.4, // MIN_STRENGTH
    .symmetrization = SYMMETRIZE_GROW_DIAG_FINAL_AND,
};

const Verb verb_align = {
    .name = "align",
    .summary = "show which source words each target word attends to",
    .description = "Forces the model to produce the target of each pair and prints its "
                   "attention as links: one line (or picture) per pair, in order. Without "
                   "a model it learns from the pairs themselves which words translate "
                   "which (IBM Model 1 and an HMM, trained to agree). With --gold it "
                   "prints how close the links are to manual ones.",
    VERB_OPTIONS(options, defaults),
    .operands = PAIRS_OPERAND(1),
    .examples = "Links learned from the pairs themselves, without a model:\n"
                "  regard align --train more.tsv pairs.tsv\n"
                "The same, keeping what was learned in a file:\n"
                "  regard align --save en-fr.aligner corpus.tsv >corpus.links\n"
                "Other pairs by what was learned:\n"
                "  regard align --aligner en-fr.aligner pairs.tsv\n"
                "The pairs of a corpus that are least likely to be translations:\n"
                "  regard align --suspicious 100 corpus.tsv\n"
                "Links between words by a model, one line for each pair:\n"
                "  regard align --model model.safetensors pairs.tsv\n"
                "A heat-map of each pair:\n"
                "  regard align --model model.safetensors --format heatmap pairs.tsv\n"
                "A page of many pairs to explore in a browser:\n"
                "  regard align --model model.safetensors --format html pairs.tsv >pairs.html\n"
                "A drawing of all pairs, one below the other:\n"
                "  regard align --model model.safetensors --format svg pairs.tsv >pairs.svg\n"
                "The attention matrix of a pair, as JSON:\n"
                "  printf 'A.\\tUn.\\n' | regard align --model fr.safetensors --format soft -\n"
                "How the attention of a word of the target is computed:\n"
                "  regard align --model fr.safetensors --explain maison pairs.tsv\n"
                "All numbers of the attention of each pair's first target subword:\n"
                "  regard align --model model.safetensors --explain 0 --json pairs.tsv\n"
                "The alignment error rate against manual links:\n"
                "  regard align --model en-fr.safetensors --gold test.align test.en,test.fr\n"
                "The same for the links of two models of opposite directions:\n"
                "  regard align --model f.safetensors --reverse r.safetensors --gold gold t.tsv\n",
    .run = align,
};
