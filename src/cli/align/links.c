#include "cli/align/align.h"

#include "align/detokenise.h"
#include "base/array.h"
#include "cli/languages.h"
#include "cli/pairs.h"
#include "translate/alignment.h"

enum { DIRECTION_PAIRS = 32 }; // by so many it is judged which way a model translates

typedef struct LinksRun {
    const AlignValues *values;
    LinkReading readings[2]; // of the model, of the reverse model
    const OpenModel *model;
    OpenModel reverse; // {0} without one
    WorkProgress progress;
    AlignmentWriter writer;                   // its page has the units
    DetokenisedText rows[2][PAIR_WINDOW];     // source, target: units, and detokenised text if any
    TextView texts[2][PAIR_WINDOW];           // what the models read
    Translation translations[2][PAIR_WINDOW]; // forward; reverse, from target to source
    Alignment alignment[2];                   // forward, reverse
    Links turned, joint;
} LinksRun;

// Sets the text that the models read, and its units.
static Status set_row(LinksRun *run, int side, size_t at, TextView text, Error *error)
{
    DetokenisedText *row = &run->rows[side][at];
    UnitKind kind = run->writer.page.units[side];
    run->texts[side][at] = text;
    if (!run->values->gold || kind != UNITS_WORDS)
        return units_split(&row->units, kind, text.data, text.length, error);
    TRY(detokenise(row, text.data, text.length, error));
    run->texts[side][at] = bytes_view(&row->text);
    return STATUS_OK;
}

static double mean_log_p(const Translation *translations, size_t count)
{
    double log_p = 0;
    size_t subwords = 0;
    for (size_t i = 0; i < count; i++) {
        log_p += translations[i].renderings[0].log_p;
        subwords += translations[i].renderings[0].subwords.count + 1;
    }
    return log_p / (double)subwords;
}

/* Refuses a reverse model that finds the targets more likely given the sources than the other way
 * round: it has the same direction. Works for a shared vocabulary too. */
static Status check_direction(LinksRun *run, size_t count, Error *error)
{
    Translation same[DIRECTION_PAIRS];
    if (count > DIRECTION_PAIRS) count = DIRECTION_PAIRS;
    const TextView *const sides[2] = {run->texts[0], run->texts[1]};
    TRY(session_force(run->reverse.session, sides, count, false, same, error));
    double targets = mean_log_p(same, count);
    double sources = mean_log_p(run->translations[1], count);
    for (size_t i = 0; i < count; i++) translation_free(&same[i]);
    if (sources >= targets) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s translates in the same direction as %s: its log p per subword is %.2f for "
                     "targets given sources, %.2f for sources given targets; --reverse needs a "
                     "model for the opposite direction",
                     run->values->reverse, run->values->model.path, targets, sources);
}

static Status force(LinksRun *run, size_t count, size_t first, Error *error)
{
    const TextView *const sides[2] = {run->texts[0], run->texts[1]};
    const TextView *const reversed[2] = {run->texts[1], run->texts[0]};
    TRY(session_force(run->model->session, sides, count, true, run->translations[0], error));
    if (!run->values->reverse) return STATUS_OK;
    TRY(session_force(run->reverse.session, reversed, count, true, run->translations[1], error));
    return first > 1 ? STATUS_OK : check_direction(run, count, error);
}

// The links of pair `at` of the window; *links belongs to the run.
static Status link_pair(LinksRun *run, size_t at, const Links **links, Error *error)
{
    const Spans *const units[2] = {&run->rows[0][at].units, &run->rows[1][at].units};
    const Spans *const reversed[2] = {units[1], units[0]};
    const Translation *forward = &run->translations[0][at], *reverse = &run->translations[1][at];
    const Links *forward_links = &run->alignment[0].links;
    TRY(alignment_of_units(&run->alignment[0], forward, &forward->renderings[0], units,
                           &run->readings[0], error));
    *links = run->values->reverse ? &run->joint : forward_links;
    if (!run->values->reverse) return STATUS_OK;
    TRY(alignment_of_units(&run->alignment[1], reverse, &reverse->renderings[0], reversed,
                           &run->readings[1], error));
    TRY(links_transpose(&run->turned, &run->alignment[1].links, error));
    return links_symmetrize(&run->joint, run->values->symmetrization, forward_links, &run->turned,
                            error);
}

static Status answer(LinksRun *run, size_t at, size_t number, Error *error)
{
    const Links *links;
    if (run->translations[0][at].cut)
        report_warning("align", "pair %zu is longer than %d subwords; the rest has no links",
                       number, MAX_TRANSLATION_SUBWORDS);
    TRY(link_pair(run, at, &links, error));
    const AlignedPair pair = {.words.source.units = &run->rows[0][at].units,
                              .words.target.units = &run->rows[1][at].units,
                              .links = links};
    return alignment_writer_add(&run->writer, &pair, error);
}

static Status take_window(void *context, const TextView *const sides[2], size_t count, size_t first,
                          Error *error)
{
    LinksRun *run = context;
    if (first == 1 && run->values->gold)
        TRY(unit_choice_judge(run->writer.page.units, run->values->units, sides, count, error));
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < count; i++) TRY(set_row(run, side, i, sides[side][i], error));
    }
    work_progress_begin(&run->progress, count);
    Status status = force(run, count, first, error);
    work_progress_end(&run->progress);
    for (size_t i = 0; i < count && !status; i++) status = answer(run, i, first + i, error);
    for (size_t i = 0; i < count; i++) {
        translation_free(&run->translations[0][i]);
        translation_free(&run->translations[1][i]);
    }
    return status;
}

static Status run_all(LinksRun *run, const Arguments *arguments, Output *output, Error *error)
{
    const char *pairs = arguments->operands.items[0];
    const PairInput input = {.verb = "align",
                             .spec = pairs,
                             .options = &run->values->pairs,
                             .translator = &run->model->translator,
                             .progress = &run->progress};
    ModelOptions reverse = run->values->model;
    reverse.path = run->values->reverse;
    run->progress = work_progress_start("pairs", reverse.path ? 2 : 1);
    const WorkListener listener = work_progress_listener(&run->progress);
    session_set_listener(run->model->session, listener);
    if (reverse.path) {
        TRY(open_model(&run->reverse, &reverse, false, error));
        TRY(align_reading(&run->readings[1], arguments, &run->reverse, error));
        session_infer_attention(run->reverse.session,
                                run->readings[1].from == LINKS_FROM_ATTENTION);
        session_set_listener(run->reverse.session, listener);
        languages_check_reverse(&run->model->translator, &run->reverse.translator, reverse.path);
    }
    const AlignValues *values = run->values;
    run->writer.output = output;
    if (values->gold) TRY(gold_open(&run->writer.gold, values->gold, error));
    TRY(read_pairs(&input, take_window, run, error));
    if (!values->gold) return STATUS_OK;
    return alignment_writer_finish_gold(&run->writer, pairs, values->json, error);
}

Status align_reading(LinkReading *reading, const Arguments *arguments, OpenModel *model,
                     Error *error)
{
    const AlignValues *values = arguments->values;
    TRY(choose_reading(reading, model, values->from, options_given(arguments, "from"), error));
    if (options_given(arguments, "threshold")) reading->threshold = (float)values->threshold;
    return STATUS_OK;
}

Status align_links(const Arguments *arguments, const LinkReading *reading, const OpenModel *model,
                   Output *output, Error *error)
{
    const AlignValues *values = arguments->values;
    FREED LinksRun *run = NULL;
    TRY(array_new(&run, 1, "pairs", error));
    run->values = values;
    run->readings[0] = *reading;
    run->model = model;
    unit_choice_kinds(run->writer.page.units, values->units, model->translator.source_units,
                      model->translator.target_units);
    Status status = run_all(run, arguments, output, error);
    session_set_listener(model->session, (WorkListener){0});
    alignment_writer_free(&run->writer);
    close_model(&run->reverse);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < PAIR_WINDOW; i++) detokenised_text_free(&run->rows[side][i]);
        alignment_free(&run->alignment[side]);
    }
    links_free(&run->turned);
    links_free(&run->joint);
    return status;
}
