#include "cli/align/align.h"

#include "align/aligner_links.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "cli/align/gold_report.h"
#include "cli/align/unit_guess.h"
#include "cli/pairs.h"

static const double SMALLEST_POSTERIOR = 0.5; // of a link, by default: more likely than not

// What a thread needs to link a pair.
typedef struct Worker {
    AlignerText texts[2];
    AlignerPosteriors posteriors;
    Links forward, reverse;
} Worker;

// The links of a pair, and how many units it has.
typedef struct Linked {
    Links links;
    size_t units[2];
} Linked;

typedef struct LearnedRun {
    const AlignValues *values;
    const char *pairs_file;
    bool symmetrizes; // else links are read from the mean of both directions' posteriors
    double threshold; // the smallest posterior of a link
    Output *output;
    AlignerCorpus corpus;
    AlignerTokens tokens[2];
    bool keeps;   // whether the pairs that are read are to be linked
    Bytes texts;  // of the pairs to be linked, source after target after source
    size_t *ends; // (2 · pairs) where each text ends
    size_t ends_capacity;
    size_t pairs;
    UnitGuess guesses[2];
    UnitKind units[2];
    Aligner aligner;
    Worker *workers; // (workers)
    size_t worker_count;
    Linked *linked; // (PAIR_WINDOW)
    size_t first;   // of the pairs in `linked`
    Gold gold;
} LearnedRun;

static Status keep_texts(LearnedRun *run, TextView source, TextView target, Error *error)
{
    const TextView texts[2] = {source, target};
    Status status = array_reserve(&run->ends, &run->ends_capacity, 2 * run->pairs + 2,
                                  "the pairs to align", error);
    for (int side = 0; side < 2 && !status; side++) {
        status = unit_guess_add(&run->guesses[side], texts[side], error);
        if (!status)
            status = bytes_append(&run->texts, texts[side].data, texts[side].length, error);
        run->ends[2 * run->pairs + (size_t)side] = run->texts.length;
    }
    run->pairs++;
    return status;
}

static Status take_window(void *context, const TextView *const sides[2], size_t count, size_t first,
                          Error *error)
{
    LearnedRun *run = context;
    Status status = STATUS_OK;
    (void)first;
    for (size_t n = 0; n < count && !status; n++) {
        if (run->keeps) status = keep_texts(run, sides[0][n], sides[1][n], error);
        for (int side = 0; side < 2 && !status; side++) {
            TextView text = sides[side][n];
            status = aligner_tokens_set(&run->tokens[side], text.data, text.length, error);
        }
        if (!status)
            status = aligner_corpus_add(&run->corpus, &run->tokens[0], &run->tokens[1], error);
    }
    return status;
}

static Status read_links(const LearnedRun *run, Worker *own, Linked *out, Error *error)
{
    double threshold = run->threshold;
    if (!run->symmetrizes)
        return aligner_links(&out->links, &own->posteriors, own->texts, ALIGNER_MEAN, threshold,
                             error);
    Status status = aligner_links(&own->forward, &own->posteriors, own->texts, ALIGNER_FORWARD,
                                  threshold, error);
    if (!status)
        status = aligner_links(&own->reverse, &own->posteriors, own->texts, ALIGNER_REVERSE,
                               threshold, error);
    return status ? status
                  : links_symmetrize(&out->links, run->values->symmetrization, &own->forward,
                                     &own->reverse, error);
}

static Status link_pair(void *context, size_t worker, size_t item, Error *error)
{
    LearnedRun *run = context;
    Worker *own = &run->workers[worker];
    Linked *out = &run->linked[item];
    size_t pair = run->first + item;
    Status status = STATUS_OK;
    for (size_t side = 0; side < 2 && !status; side++) {
        size_t at = 2 * pair + side, begin = at ? run->ends[at - 1] : 0;
        status = aligner_text_set(&own->texts[side], run->units[side],
                                  run->texts.length ? run->texts.data + begin : "",
                                  run->ends[at] - begin, error);
        out->units[side] = own->texts[side].units.count;
    }
    if (!status) status = aligner_posteriors_set(&own->posteriors, &run->aligner, pair, error);
    return status ? status : read_links(run, own, out, error);
}

static Status answer(LearnedRun *run, const Linked *linked, Error *error)
{
    if (run->values->gold) {
        bool more;
        return gold_add(&run->gold, &linked->links, linked->units[0], linked->units[1], &more,
                        error);
    }
    Writer out = output_start(run->output, error);
    links_write(&out, &linked->links);
    writer_string(&out, "\n");
    return output_end(run->output, &out);
}

static Status link_all(LearnedRun *run, Threads *threads, Error *error)
{
    Status status = STATUS_OK;
    for (run->first = 0; run->first < run->pairs && !status; run->first += PAIR_WINDOW) {
        size_t count = run->pairs - run->first;
        if (count > PAIR_WINDOW) count = PAIR_WINDOW;
        status = parallel_for(threads, count, link_pair, run, error);
        for (size_t n = 0; n < count && !status; n++) status = answer(run, &run->linked[n], error);
    }
    return status;
}

static Status read_all(LearnedRun *run, Error *error)
{
    run->keeps = true;
    Status status = read_pairs(run->pairs_file, take_window, run, error);
    run->keeps = false;
    if (!status && run->values->train)
        status = read_pairs(run->values->train, take_window, run, error);
    for (int side = 0; side < 2; side++) {
        UnitKind guess = unit_guess_kind(&run->guesses[side]);
        run->units[side] = unit_choice_kind(run->values->units[side], guess);
    }
    return status;
}

static Status run_all(LearnedRun *run, Threads *threads, Error *error)
{
    run->worker_count = threads_count(threads);
    run->workers = memory_new(run->worker_count, sizeof *run->workers);
    run->linked = memory_new(PAIR_WINDOW, sizeof *run->linked);
    if (!run->workers || !run->linked)
        return error_memory(error, PAIR_WINDOW * sizeof *run->linked, "pairs");
    Status status = run->values->gold ? gold_open(&run->gold, run->values->gold, error) : STATUS_OK;
    if (!status) status = read_all(run, error);
    if (!status)
        status =
            aligner_learn(&run->aligner, &run->corpus, aligner_options_default(), threads, error);
    if (!status) status = link_all(run, threads, error);
    if (status || !run->values->gold) return status;
    GoldPairs read = {
        .file = run->pairs_file, .count = run->pairs, .units = {run->units[0], run->units[1]}};
    return gold_report(&run->gold, &read, run->values->json, run->output, error);
}

static void free_all(LearnedRun *run)
{
    for (size_t w = 0; run->workers && w < run->worker_count; w++) {
        aligner_text_free(&run->workers[w].texts[0]);
        aligner_text_free(&run->workers[w].texts[1]);
        aligner_posteriors_free(&run->workers[w].posteriors);
        links_free(&run->workers[w].forward);
        links_free(&run->workers[w].reverse);
    }
    for (size_t n = 0; run->linked && n < PAIR_WINDOW; n++) links_free(&run->linked[n].links);
    for (int side = 0; side < 2; side++) {
        aligner_tokens_free(&run->tokens[side]);
        unit_guess_free(&run->guesses[side]);
    }
    memory_free(run->workers);
    memory_free(run->linked);
    memory_free(run->ends);
    bytes_free(&run->texts);
    gold_close(&run->gold);
    aligner_free(&run->aligner);
    aligner_corpus_free(&run->corpus);
}

Status align_learned(const Arguments *arguments, Output *output, Error *error)
{
    const AlignValues *values = arguments->values;
    LearnedRun run = {
        .values = values,
        .pairs_file = arguments->operands.items[0],
        .symmetrizes = options_given(arguments, "symmetrize"),
        .threshold = options_given(arguments, "threshold") ? values->threshold : SMALLEST_POSTERIOR,
        .output = output,
    };
    size_t count = values->model.threads ? values->model.threads : threads_available();
    Threads *threads;
    Status status = threads_new(&threads, count, error);
    if (status) return status;
    status = run_all(&run, threads, error);
    free_all(&run);
    threads_free(threads);
    return status;
}
