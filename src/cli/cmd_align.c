// regard align: which source unit each unit of a given translation looked at.

#include "align/heatmap.h"
#include "align/soft_json.h"
#include "api/alignment.h"
#include "base/memory.h"
#include "cli/align_explain.h"
#include "cli/align_links.h"
#include "cli/heatmap_style.h"
#include "cli/model_options.h"
#include "cli/pairs.h"
#include "cli/verbs.h"

#include <string.h>
#include <unistd.h>

typedef enum AlignFormat { ALIGN_PHARAOH, ALIGN_SOFT, ALIGN_HEATMAP } AlignFormat;

typedef struct AlignValues {
    const char *model;
    AlignFormat format;
    size_t explain;
    UnitChoice source_units, target_units;
    unsigned shift; // the place in `shifts`
    double threshold;
    const char *reverse;
    Symmetrization symmetrization;
    const char *gold;
    bool json;
    size_t threads;
} AlignValues;

static const char *const formats[] = {"pharaoh", "soft", "heatmap", NULL};
static const char *const shifts[] = {"-1", "0", "1", NULL};

static const Option options[] = {
    OPTION_TEXT(AlignValues, model, "model", "FILE", "the model", .required = true),
    OPTION_CHOICE(AlignValues, format, "format", formats,
                  "pharaoh: links, 0-0 1-2, source first; soft: JSON lines with the whole matrix; "
                  "heatmap: a picture for the terminal"),
    OPTION_SIZE(AlignValues, explain, "explain", "N", 0, TRANSLATION_PIECES_MOST,
                "instead of an alignment, how the attention of target piece N, from 0, comes "
                "about: query, energies, weights and context, with their formulas",
                .otherwise = "none"),
    OPTION_CHOICE(AlignValues, source_units, "source-units", unit_choices,
                  "what links count on the source side"),
    OPTION_CHOICE(AlignValues, target_units, "target-units", unit_choices,
                  "what links count on the target side"),
    OPTION_CHOICE(AlignValues, shift, "shift", shifts,
                  "the links of target piece t are read from the attention of piece t + N"),
    OPTION_REAL(AlignValues, threshold, "threshold", "P", 0.01, 1,
                "link each target unit with every source unit that has at least the part P of its "
                "attention, and in any case with the one that has most; 1: with that one alone"),
    OPTION_TEXT(AlignValues, reverse, "reverse", "FILE",
                "a model of the opposite direction: links are those that both agree upon",
                .otherwise = "none"),
    OPTION_CHOICE(AlignValues, symmetrization, "symmetrize", symmetrization_names,
                  "how the links of two models become one alignment (Koehn, Och & Marcu 2003)"),
    OPTION_TEXT(AlignValues, gold, "gold", "FILE",
                "measure against links made by hand, a line for each pair, i-j sure, i?j "
                "possible: alignment error rate, precision, recall",
                .otherwise = "none"),
    OPTION_FLAG(AlignValues, json, "json", "what --gold measures as a JSON object"),
    OPTION_SIZE(AlignValues, threads, "threads", "N", 1, 1024, "threads to work with",
                .otherwise = "all processors"),
};

typedef struct AlignRun {
    const AlignValues *values;
    bool explains; // instead of aligning
    const Translator *translator;
    UnitKind units[2];
    Linking linking;
    Alignment alignment;
    Explanation explanation;
    Bytes line;
    Bytes spellings[2]; // of the pieces of either side, one after another
    Units pieces[2];    // and where each stands there
    HeatmapStyle style;
    size_t columns;
} AlignRun;

/* The spellings of a side's pieces, </s> last, as labels. */
static Status spell(AlignRun *run, int side, const Vocabulary *vocabulary, const Pieces *pieces,
                    Error *error)
{
    Status status = STATUS_OK;
    bytes_clear(&run->spellings[side]);
    units_clear(&run->pieces[side]);
    for (size_t i = 0; i <= pieces->count && !status; i++) {
        int32_t id = i < pieces->count ? pieces->ids[i] : TOKEN_EOS;
        size_t begin = run->spellings[side].length;
        status =
            bytes_append_string(&run->spellings[side], vocabulary_spelling(vocabulary, id), error);
        if (!status)
            status = units_append(&run->pieces[side], begin, run->spellings[side].length, error);
    }
    return status;
}

static Labels labels(const Bytes *text, const Units *units)
{
    return (Labels){text->data ? text->data : "", units};
}

static Status spell_pair(AlignRun *run, const Translation *pair, const Rendering *target,
                         Error *error)
{
    Status status = spell(run, 0, run->translator->source_vocabulary, &pair->source_pieces, error);
    if (status) return status;
    return spell(run, 1, run->translator->target_vocabulary, &target->pieces, error);
}

static Status write_soft(AlignRun *run, const Translation *pair, const Rendering *target,
                         Error *error)
{
    Status status = spell_pair(run, pair, target, error);
    if (status) return status;
    SoftPair soft = {
        .weights = target->alpha,
        .source_pieces = labels(&run->spellings[0], &run->pieces[0]),
        .target_pieces = labels(&run->spellings[1], &run->pieces[1]),
        .source_words = labels(&pair->source, &run->alignment.source_units),
        .target_words = labels(&target->text, &run->alignment.target_units),
        .links = &run->alignment.links,
    };
    return soft_json_write(&soft, &run->line, error);
}

/* The picture and an empty line. */
static Status write_heatmap(AlignRun *run, const Translation *pair, const Rendering *target,
                            Error *error)
{
    if (run->alignment.source_units.count == 0 || run->alignment.target_units.count == 0)
        return bytes_append(&run->line, "\n", 1, error);
    Status status = heatmap_write(run->alignment.soft.weights,
                                  labels(&pair->source, &run->alignment.source_units),
                                  labels(&target->text, &run->alignment.target_units), run->style,
                                  run->columns, &run->line, error);
    return status ? status : bytes_append(&run->line, "\n", 1, error);
}

/* A page of numbers and an empty line; nothing for a pair that has no such piece. */
static Status write_explanation(AlignRun *run, const Translation *pair, const Rendering *target,
                                size_t number, Error *error)
{
    size_t step = run->values->explain;
    const Model *model = &run->translator->model;
    if (step > target->pieces.count) {
        report_warning("align",
                       "pair %zu has no target piece %zu; its last, </s>, has the number %zu",
                       number, step, target->pieces.count);
        return STATUS_OK;
    }
    Status status = explanation_set(&run->explanation, model, &pair->source_pieces, &target->pieces,
                                    step, error);
    if (!status) status = spell_pair(run, pair, target, error);
    if (!status)
        status = align_explain_write(&run->explanation, model->params.decoder.scorer,
                                     labels(&run->spellings[0], &run->pieces[0]),
                                     labels(&run->spellings[1], &run->pieces[1]), step, &run->line,
                                     error);
    return status ? status : bytes_append(&run->line, "\n", 1, error);
}

static Status write_alignment(AlignRun *run, const Translation *pair, const Rendering *target,
                              Error *error)
{
    Status status = alignment_set(&run->alignment, pair, target, run->units[0], run->units[1],
                                  run->linking, error);
    if (status) return status;
    switch (run->values->format) {
    case ALIGN_PHARAOH:
        status = links_write_pharaoh(&run->alignment.links, &run->line, error);
        return status ? status : bytes_append(&run->line, "\n", 1, error);
    case ALIGN_SOFT:
        return write_soft(run, pair, target, error);
    case ALIGN_HEATMAP:
        return write_heatmap(run, pair, target, error);
    }
    return STATUS_OK;
}

static Status write_pair(void *context, const Translation *pair, size_t line, Output *output,
                         Error *error)
{
    AlignRun *run = context;
    const Rendering *target = &pair->renderings[0];
    if (pair->cut)
        report_warning("align",
                       "pair %zu is longer than %d pieces; what is beyond them has no links", line,
                       TRANSLATION_PIECES_MOST);
    bytes_clear(&run->line);
    Status status = run->explains ? write_explanation(run, pair, target, line, error)
                                  : write_alignment(run, pair, target, error);
    return status ? status : output_write(output, run->line.data, run->line.length, error);
}

static Status check_usage(const Arguments *arguments, Error *error)
{
    static const char *const alone[] = {"explain", "gold", "reverse"};
    const AlignValues *values = arguments->values;
    const char *form = options_given(arguments, "explain") ? "--explain" : "--format";
    if (options_given(arguments, "explain") && options_given(arguments, "format"))
        return error_set(error, STATUS_ARGUMENT,
                         "--explain and --format contradict each other; give one");
    bool pictures = options_given(arguments, "explain") || values->format != ALIGN_PHARAOH;
    for (size_t i = 1; i < sizeof alone / sizeof *alone; i++)
        if (options_given(arguments, alone[i]) && pictures)
            return error_set(error, STATUS_ARGUMENT, "--%s gives links alone; leave out %s",
                             alone[i], form);
    if (options_given(arguments, "symmetrize") && !values->reverse)
        return error_set(error, STATUS_ARGUMENT,
                         "--symmetrize joins two models; give the other with --reverse FILE");
    if (values->gold && strcmp(values->gold, "-") == 0 &&
        strcmp(arguments->operands.items[0], "-") == 0)
        return error_set(error, STATUS_ARGUMENT, "--gold and PAIRS cannot both be standard input");
    if (values->json && !values->gold)
        return error_set(error, STATUS_ARGUMENT,
                         "--json is for what --gold measures; for alignments in JSON give "
                         "--format soft");
    return STATUS_OK;
}

/* The attention of every pair, in the format asked for. */
static Status write_all(const Arguments *arguments, const OpenModel *model, Linking linking,
                        Output *output, Error *error)
{
    const AlignValues *values = arguments->values;
    const Translator *translator = &model->translator;
    AlignRun run = {
        .values = values,
        .explains = options_given(arguments, "explain"),
        .translator = translator,
        .units = {unit_choice_kind(values->source_units, translator->source_units),
                  unit_choice_kind(values->target_units, translator->target_units)},
        .linking = linking,
        .style = heatmap_style_of(STDOUT_FILENO),
        .columns = terminal_is(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0,
    };
    Status status = force_pairs(model->session, arguments->operands.items[0], true, write_pair,
                                &run, output, error);
    alignment_free(&run.alignment);
    explanation_free(&run.explanation);
    bytes_free(&run.line);
    for (int side = 0; side < 2; side++) {
        bytes_free(&run.spellings[side]);
        units_free(&run.pieces[side]);
    }
    return status;
}

static Status align(const Arguments *arguments, Output *output, Error *error)
{
    const AlignValues *values = arguments->values;
    Linking linking = {.shift = (int)values->shift - 1, .threshold = (float)values->threshold};
    OpenModel model;
    Status status = check_usage(arguments, error);
    if (!status) status = open_model(&model, values->model, values->threads, error);
    if (status) return status;
    if (values->gold || values->reverse) {
        AlignLinks job = {
            .model = values->model,
            .pairs = arguments->operands.items[0],
            .gold = values->gold,
            .json = values->json,
            .reverse = values->reverse,
            .symmetrization = values->symmetrization,
            .units = {values->source_units, values->target_units},
            .linking = linking,
            .threads = values->threads,
        };
        status = align_links(&job, &model, output, error);
    } else {
        status = write_all(arguments, &model, linking, output, error);
    }
    close_model(&model);
    return status;
}

static const AlignValues defaults = {
    .format = ALIGN_PHARAOH,
    .shift = 1, // the place of 0 in `shifts`; both are linking_default()'s
    .threshold = 0.3,
    .symmetrization = SYMMETRIZE_GROW_DIAG_FINAL_AND,
};

const Verb verb_align = {
    .syntax =
        {
            .verb = "align",
            .summary = "which source word each target word looked at, for given pairs",
            .description = "Reads pairs, lets the model say each target, and prints where it "
                           "looked: one line (or picture) for each pair, in order. With --gold it "
                           "prints how near the links come to links made by hand.",
            .options = options,
            .option_count = sizeof options / sizeof *options,
            .defaults = &defaults,
            .values_size = sizeof defaults,
            .operands = {"PAIRS", "FILE.tsv, SOURCE,TARGET, FILE.tmx, or - for standard input", 1,
                         1},
        },
    .run = align,
};
