#include "cli/align/align.h"

#include "align/detokenise.h"
#include "base/memory.h"
#include "cli/align/gold_report.h"
#include "cli/align/unit_guess.h"
#include "cli/pairs.h"
#include "translate/alignment.h"

enum { DIRECTION_PAIRS = 32 }; // by so many it is judged which way a model translates

typedef struct LinksRun {
    const AlignValues *values;
    Linking linking;
    const OpenModel *model;
    OpenModel reverse; // {0} without one
    Output *output;
    Gold gold;
    UnitKind units[2]; // source, target
    size_t pairs;      // answered so far
    DetokenisedText rows[2]
                        [PAIR_WINDOW]; // source, target: the texts that are read, and their units
    TextView texts[2][PAIR_WINDOW];    // the same texts
    Translation translations[2][PAIR_WINDOW]; // forward; reverse, from target to source
    Alignment alignment[2];                   // forward, reverse
    Links turned, joint;
} LinksRun;

// Chooses a side's units by the text of the first window.
static Status guess_units(LinksRun *run, const TextView *texts, size_t count, int side,
                          Error *error)
{
    UnitGuess guess = {0};
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) status = unit_guess_add(&guess, texts[i], error);
    run->units[side] = unit_guess_kind(&guess);
    unit_guess_free(&guess);
    return status;
}

// Sets the text that the models read, and its units.
static Status set_row(LinksRun *run, int side, size_t at, TextView text, Error *error)
{
    DetokenisedText *row = &run->rows[side][at];
    UnitKind kind = run->units[side];
    if (run->values->gold && kind == UNITS_WORDS)
        return detokenise(row, text.data, text.length, error);
    bytes_clear(&row->text);
    Status status = bytes_append(&row->text, text.data, text.length, error);
    return status ? status : units_split(&row->units, kind, text.data, text.length, error);
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
    Status status = session_force(run->reverse.session, sides, count, false, same, error);
    if (status) return status;
    double targets = mean_log_p(same, count);
    double sources = mean_log_p(run->translations[1], count);
    for (size_t i = 0; i < count; i++) translation_free(&same[i]);
    if (sources >= targets) return STATUS_OK;
    return error_set(error, STATUS_FORMAT,
                     "%s translates in the same direction as %s: its log p per subword is %.2f for "
                     "targets given sources, %.2f for sources given targets; --reverse needs a "
                     "model of the opposite direction",
                     run->values->reverse, run->values->model.path, targets, sources);
}

static Status force(LinksRun *run, size_t count, size_t first, Error *error)
{
    const TextView *const sides[2] = {run->texts[0], run->texts[1]};
    const TextView *const reversed[2] = {run->texts[1], run->texts[0]};
    Status status =
        session_force(run->model->session, sides, count, true, run->translations[0], error);
    if (status || !run->values->reverse) return status;
    status =
        session_force(run->reverse.session, reversed, count, true, run->translations[1], error);
    return status || first > 1 ? status : check_direction(run, count, error);
}

// The links of pair `at` of the window; *links belongs to the run.
static Status link_pair(LinksRun *run, size_t at, const Links **links, Error *error)
{
    const Units *const units[2] = {&run->rows[0][at].units, &run->rows[1][at].units};
    const Units *const reversed[2] = {units[1], units[0]};
    const Translation *forward = &run->translations[0][at], *reverse = &run->translations[1][at];
    const Links *forward_links = &run->alignment[0].links;
    Status status = alignment_of_units(&run->alignment[0], forward, &forward->renderings[0], units,
                                       run->linking, error);
    *links = forward_links;
    if (status || !run->values->reverse) return status;
    *links = &run->joint;
    status = alignment_of_units(&run->alignment[1], reverse, &reverse->renderings[0], reversed,
                                run->linking, error);
    if (!status) status = links_transpose(&run->turned, &run->alignment[1].links, error);
    if (!status)
        status = links_symmetrize(&run->joint, run->values->symmetrization, forward_links,
                                  &run->turned, error);
    return status;
}

static Status answer(LinksRun *run, size_t at, size_t number, Error *error)
{
    const Links *links;
    if (run->translations[0][at].cut)
        report_warning("align", "pair %zu is longer than %d subwords; the rest has no links",
                       number, MAX_TRANSLATION_SUBWORDS);
    Status status = link_pair(run, at, &links, error);
    if (status) return status;
    run->pairs++;
    if (run->values->gold) {
        bool more;
        return gold_add(&run->gold, links, run->rows[0][at].units.count,
                        run->rows[1][at].units.count, &more, error);
    }
    Writer out = output_start(run->output, error);
    links_write(&out, links);
    writer_string(&out, "\n");
    return output_end(run->output, &out);
}

static Status take_window(void *context, const TextView *const sides[2], size_t count, size_t first,
                          Error *error)
{
    LinksRun *run = context;
    Status status = STATUS_OK;
    for (int side = 0; side < 2; side++) {
        if (first == 1 && !status && run->values->gold &&
            run->values->units[side] == UNIT_CHOICE_MODEL)
            status = guess_units(run, sides[side], count, side, error);
        for (size_t i = 0; i < count && !status; i++) {
            const Bytes *text = &run->rows[side][i].text;
            status = set_row(run, side, i, sides[side][i], error);
            run->texts[side][i] = (TextView){text->data ? text->data : "", text->length};
        }
    }
    if (!status) status = force(run, count, first, error);
    for (size_t i = 0; i < count && !status; i++) status = answer(run, i, first + i, error);
    for (size_t i = 0; i < count; i++) {
        translation_free(&run->translations[0][i]);
        translation_free(&run->translations[1][i]);
    }
    return status;
}

static Status run_all(LinksRun *run, const char *pairs, Error *error)
{
    const AlignValues *values = run->values;
    ModelOptions reverse = values->model;
    Status status = STATUS_OK;
    reverse.path = values->reverse;
    if (reverse.path) status = open_model(&run->reverse, &reverse, false, error);
    if (!status && values->gold) status = gold_open(&run->gold, values->gold, error);
    if (!status) status = read_pairs(pairs, take_window, run, error);
    if (status || !values->gold) return status;
    GoldPairs read = {.file = pairs, .count = run->pairs, .units = {run->units[0], run->units[1]}};
    return gold_report(&run->gold, &read, values->json, run->output, error);
}

Status align_links(const AlignValues *values, Linking linking, const char *pairs,
                   const OpenModel *model, Output *output, Error *error)
{
    LinksRun *run = memory_new(1, sizeof *run);
    if (!run) return error_memory(error, sizeof *run, "pairs");
    run->values = values;
    run->linking = linking;
    run->model = model;
    run->output = output;
    choose_units(run->units, values->units, &model->translator);
    Status status = run_all(run, pairs, error);
    gold_close(&run->gold);
    close_model(&run->reverse);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < PAIR_WINDOW; i++) detokenised_text_free(&run->rows[side][i]);
        alignment_free(&run->alignment[side]);
    }
    links_free(&run->turned);
    links_free(&run->joint);
    memory_free(run);
    return status;
}
