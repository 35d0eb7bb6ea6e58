#include "cli/align/align.h"

#include "align/aligner_links.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "cli/align/link_output.h"
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
    LinkOutput output;
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
} LearnedRun;

static Status keep_texts(LearnedRun *run, TextView source, TextView target, Error *error)
{
    const TextView texts[2] = {source, target};
    TRY(array_reserve(&run->ends, &run->ends_capacity, 2 * run->pairs + 2, "the pairs to align",
                      error));
    for (size_t side = 0; side < 2; side++) {
        TRY(unit_guess_add(&run->guesses[side], texts[side], error));
        TRY(bytes_append(&run->texts, texts[side].data, texts[side].length, error));
        run->ends[2 * run->pairs + side] = run->texts.length;
    }
    run->pairs++;
    return STATUS_OK;
}

static Status take_window(void *context, const TextView *const sides[2], size_t count, size_t first,
                          Error *error)
{
    LearnedRun *run = context;
    (void)first;
    for (size_t n = 0; n < count; n++) {
        if (run->keeps) TRY(keep_texts(run, sides[0][n], sides[1][n], error));
        for (int side = 0; side < 2; side++) {
            TextView text = sides[side][n];
            TRY(aligner_tokens_set(&run->tokens[side], text.data, text.length, error));
        }
        TRY(aligner_corpus_add(&run->corpus, &run->tokens[0], &run->tokens[1], error));
    }
    return STATUS_OK;
}

static Status read_links(const LearnedRun *run, Worker *own, Linked *out, Error *error)
{
    double threshold = run->threshold;
    if (!run->symmetrizes)
        return aligner_links(&out->links, &own->posteriors, own->texts, ALIGNER_MEAN, threshold,
                             error);
    TRY(aligner_links(&own->forward, &own->posteriors, own->texts, ALIGNER_FORWARD, threshold,
                      error));
    TRY(aligner_links(&own->reverse, &own->posteriors, own->texts, ALIGNER_REVERSE, threshold,
                      error));
    return links_symmetrize(&out->links, run->values->symmetrization, &own->forward, &own->reverse,
                            error);
}

static Status link_pair(void *context, size_t worker, size_t item, Error *error)
{
    LearnedRun *run = context;
    Worker *own = &run->workers[worker];
    Linked *out = &run->linked[item];
    size_t pair = run->first + item;
    for (size_t side = 0; side < 2; side++) {
        size_t at = 2 * pair + side, begin = at ? run->ends[at - 1] : 0;
        TRY(aligner_text_set(&own->texts[side], run->units[side], bytes_text(&run->texts) + begin,
                             run->ends[at] - begin, error));
        out->units[side] = own->texts[side].units.count;
    }
    const AlignerText *texts = own->texts;
    TRY(aligner_align(&own->posteriors, &run->aligner, &texts[0].tokens, &texts[1].tokens, error));
    return read_links(run, own, out, error);
}

static Status link_all(LearnedRun *run, Threads *threads, Error *error)
{
    for (run->first = 0; run->first < run->pairs; run->first += PAIR_WINDOW) {
        size_t count = run->pairs - run->first;
        if (count > PAIR_WINDOW) count = PAIR_WINDOW;
        TRY(parallel_for(threads, count, link_pair, run, error));
        for (const Linked *pair = run->linked; pair < run->linked + count; pair++)
            TRY(link_output_add(&run->output, &pair->links, pair->units[0], pair->units[1], error));
    }
    return STATUS_OK;
}

static Status read_all(LearnedRun *run, Error *error)
{
    const PairOptions *options = &run->values->pairs;
    const PairInput aligned = {.verb = "align", .spec = run->pairs_file, .options = options};
    const PairInput more = {.verb = "align", .spec = run->values->train, .options = options};
    run->keeps = true;
    TRY(read_pairs(&aligned, take_window, run, error));
    run->keeps = false;
    if (more.spec) TRY(read_pairs(&more, take_window, run, error));
    for (int side = 0; side < 2; side++) {
        UnitKind guess = unit_guess_kind(&run->guesses[side]);
        run->units[side] = unit_choice_kind(run->values->units[side], guess);
    }
    return STATUS_OK;
}

static Status run_all(LearnedRun *run, Threads *threads, Output *output, Error *error)
{
    run->worker_count = threads_count(threads);
    TRY(array_new(&run->workers, run->worker_count, "pairs", error));
    TRY(array_new(&run->linked, PAIR_WINDOW, "pairs", error));
    TRY(link_output_start(&run->output, run->values, output, error));
    TRY(read_all(run, error));
    TRY(aligner_learn(&run->aligner, &run->corpus, aligner_options_default(), threads, error));
    TRY(link_all(run, threads, error));
    return link_output_finish(&run->output, run->pairs_file, run->units, error);
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
    link_output_free(&run->output);
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
    };
    size_t count = values->model.threads ? values->model.threads : threads_available();
    Threads *threads;
    TRY(threads_new(&threads, count, error));
    Status status = run_all(&run, threads, output, error);
    free_all(&run);
    threads_free(threads);
    return status;
}
