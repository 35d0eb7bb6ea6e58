// regard align: which source unit each unit of a given translation looked at.

#include "cli/align_explain.h"
#include "cli/alignment_format.h"
#include "cli/model_options.h"
#include "cli/pairs.h"
#include "cli/verbs.h"

typedef struct AlignValues {
    const char *model;
    AlignmentFormat format;
    size_t explain;
    UnitChoice source_units, target_units;
    size_t threads;
} AlignValues;

static const Option options[] = {
    OPTION_TEXT(AlignValues, model, "model", "FILE", "the model", .required = true),
    OPTION_CHOICE(AlignValues, format, "format", alignment_formats, ALIGNMENT_FORMATS_HELP),
    OPTION_SIZE(AlignValues, explain, "explain", "N", 0, TRANSLATION_PIECES_MOST,
                "instead of an alignment, how the attention of target piece N, from 0, comes "
                "about: query, energies, weights and context, with their formulas",
                .otherwise = "none"),
    OPTION_CHOICE(AlignValues, source_units, "source-units", unit_choices,
                  "what links count on the source side"),
    OPTION_CHOICE(AlignValues, target_units, "target-units", unit_choices,
                  "what links count on the target side"),
    OPTION_SIZE(AlignValues, threads, "threads", "N", 1, 1024, "threads to work with",
                .otherwise = "all processors"),
};

typedef struct AlignRun {
    const AlignValues *values;
    bool explains; // instead of aligning
    const Translator *translator;
    UnitKind units[2];
    Alignment alignment;
    Explanation explanation;
    AlignmentWriter writer;
    Bytes line;         // of an explanation
    PieceLabels labels; // of one
} AlignRun;

/* A page of numbers and an empty line; nothing for a pair that has no such piece. */
static Status write_explanation(AlignRun *run, const Translation *pair, const Rendering *target,
                                size_t number, Output *output, Error *error)
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
    bytes_clear(&run->line);
    if (!status)
        status = piece_labels_set(&run->labels, run->translator, &pair->source_pieces,
                                  &target->pieces, error);
    if (!status)
        status = align_explain_write(&run->explanation, model->params.decoder.scorer,
                                     piece_labels(&run->labels, 0), piece_labels(&run->labels, 1),
                                     step, &run->line, error);
    if (!status) status = bytes_append(&run->line, "\n", 1, error);
    return status ? status : output_write(output, run->line.data, run->line.length, error);
}

static Status write_alignment(AlignRun *run, const Translation *pair, const Rendering *target,
                              Output *output, Error *error)
{
    Status status =
        alignment_set(&run->alignment, pair, target, run->units[0], run->units[1], 0, error);
    if (status) return status;
    return alignment_writer_write(&run->writer, pair, target, &run->alignment, output, error);
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
    return run->explains ? write_explanation(run, pair, target, line, output, error)
                         : write_alignment(run, pair, target, output, error);
}

static Status align(const Arguments *arguments, Output *output, Error *error)
{
    const AlignValues *values = arguments->values;
    OpenModel model;
    bool explains = options_given(arguments, "explain");
    if (explains && options_given(arguments, "format"))
        return error_set(error, STATUS_ARGUMENT,
                         "--explain and --format contradict each other; give one");
    Status status = open_model(&model, values->model, values->threads, error);
    if (status) return status;
    AlignRun run = {
        .values = values,
        .explains = explains,
        .translator = &model.translator,
        .units = {unit_choice_kind(values->source_units, model.translator.source_units),
                  unit_choice_kind(values->target_units, model.translator.target_units)},
    };
    alignment_writer_start(&run.writer, values->format, run.translator, values->model, run.units);
    status = force_pairs(model.session, arguments->operands.items[0], true, write_pair, &run,
                         output, error);
    if (!explains) {
        Status done = alignment_writer_finish(&run.writer, status, output, status ? NULL : error);
        if (!status) status = done;
    }
    alignment_writer_free(&run.writer);
    alignment_free(&run.alignment);
    explanation_free(&run.explanation);
    bytes_free(&run.line);
    piece_labels_free(&run.labels);
    close_model(&model);
    return status;
}

static const AlignValues defaults = {.format = ALIGNMENT_PHARAOH};

const Verb verb_align = {
    .syntax =
        {
            .verb = "align",
            .summary = "which source word each target word looked at, for given pairs",
            .description = "Reads pairs, lets the model say each target, and prints where it "
                           "looked: one line (or picture) for each pair, in order.",
            .options = options,
            .option_count = sizeof options / sizeof *options,
            .defaults = &defaults,
            .values_size = sizeof defaults,
            .operands = {"PAIRS", "FILE.tsv, SOURCE,TARGET, FILE.tmx, or - for standard input", 1,
                         1},
        },
    .run = align,
};
