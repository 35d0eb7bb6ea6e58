#include "cli/wordalign/wordalign.h"

#include "align/aligner_file.h"
#include "base/array.h"
#include "cli/file_names.h"
#include "corpus/pair_name.h"
#include "io/file_writer.h"

// A pair and what was found.
typedef struct PairPosteriors {
    TextView sides[2]; // the pair's texts, not owned
    AlignerTokens tokens[2];
    Spans units[2];
    SoftAlignment of_tokens; // (target tokens, source tokens) posteriors
    SoftAlignment of_units;  // (target units, source units) the largest of the tokens they overlap
    Links links;             // of units
    double score;            // aligner_score, with --suspicious
} PairPosteriors;

// What a thread needs to align a pair.
typedef struct Worker {
    AlignerPosteriors posteriors;
    SoftAlignment directed; // of units, in one direction
    Links forward, reverse;
} Worker;

typedef struct AlignerRun {
    const AlignValues *values;
    const char *pairs_file;
    bool symmetrizes; // else links are read from the mean of both directions' posteriors
    float threshold;  // the smallest posterior of a link
    bool shows_posteriors;
    Threads *threads;
    Aligner aligner;
    Worker *workers;        // (threads)
    PairPosteriors *pairs;  // (PAIR_WINDOW)
    AlignmentWriter writer; // its page has the units
    Suspicious suspicious;  // with --suspicious, instead of links
} AlignerRun;

// The links of a pair's units, and their posteriors.
static Status read_links(const AlignerRun *run, Worker *own, PairPosteriors *out, Error *error)
{
    const AlignerPosteriors *posteriors = &own->posteriors;
    const Spans *const units[2] = {&out->units[0], &out->units[1]};
    Links *const links[] = {&out->links, &own->forward, &own->reverse}; // by AlignerReading
    for (AlignerReading way = ALIGNER_REVERSE; way > ALIGNER_MEAN && run->symmetrizes; way--) {
        TRY(aligner_soft_of_units(&own->directed, posteriors, way, out->tokens, units, error));
        TRY(links_from_posteriors(links[way], &own->directed, run->threshold, error));
    }
    TRY(aligner_soft_of_units(&out->of_units, posteriors, ALIGNER_MEAN, out->tokens, units, error));
    if (!run->symmetrizes)
        return links_from_posteriors(&out->links, &out->of_units, run->threshold, error);
    return links_symmetrize(&out->links, run->values->symmetrization, &own->forward, &own->reverse,
                            error);
}

static Status align_pair(void *context, size_t worker, size_t item, Error *error)
{
    AlignerRun *run = context;
    Worker *own = &run->workers[worker];
    PairPosteriors *out = &run->pairs[item];
    const AlignerTokens *tokens = out->tokens;
    for (int s = 0; s < 2; s++) {
        const TextView side = out->sides[s];
        TRY(aligner_tokens_set(&out->tokens[s], side.data, side.length, error));
        TRY(units_split(&out->units[s], run->writer.page.units[s], side.data, side.length, error));
    }
    if (run->values->suspicious)
        return aligner_score(&out->score, &own->posteriors, &run->aligner, &tokens[0], &tokens[1],
                             error);
    TRY(aligner_align(&own->posteriors, &run->aligner, &tokens[0], &tokens[1], NULL, error));
    if (run->shows_posteriors) TRY(aligner_soft(&out->of_tokens, &own->posteriors, error));
    return read_links(run, own, out, error);
}

static Labels labels(const PairPosteriors *pair, int side, const Spans *units)
{
    return (Labels){pair->sides[side].data, units};
}

static Status write_pair(AlignerRun *run, const PairPosteriors *pair, Error *error)
{
    const float *units = pair->of_units.weights, *tokens = pair->of_tokens.weights;
    const AlignedPair shown = {
        .words = {labels(pair, 0, &pair->units[0]), labels(pair, 1, &pair->units[1]), &units},
        .subwords = {labels(pair, 0, &pair->tokens[0].places),
                     labels(pair, 1, &pair->tokens[1].places), &tokens},
        .links = &pair->links,
    };
    return alignment_writer_add(&run->writer, &shown, error);
}

static Status align_window(void *context, const TextView *const sides[2], size_t count,
                           size_t first, Error *error)
{
    AlignerRun *run = context;
    UnitKind *units = run->writer.page.units;
    if (first == 1) TRY(unit_choice_judge(units, run->values->units, sides, count, error));
    for (size_t n = 0; n < count; n++)
        for (int s = 0; s < 2; s++) run->pairs[n].sides[s] = sides[s][n];
    TRY(parallel_for(run->threads, count, align_pair, run, error));
    for (size_t n = 0; n < count; n++) {
        const PairPosteriors *pair = &run->pairs[n];
        if (!run->values->suspicious)
            TRY(write_pair(run, pair, error));
        else if (pair->tokens[0].places.count && pair->tokens[1].places.count)
            TRY(suspicious_add(&run->suspicious, pair->score, first + n, pair->sides, error));
    }
    return STATUS_OK;
}

// The pairs that were kept, a window at a time.
static Status align_kept(AlignerRun *run, const TextCorpus *kept, Error *error)
{
    TextView texts[2][PAIR_WINDOW];
    const TextView *const sides[2] = {texts[0], texts[1]};
    for (size_t first = 0, count; first < kept->count; first += count) {
        for (count = 0; count < PAIR_WINDOW && first + count < kept->count; count++) {
            TextPair pair = text_corpus_pair(kept, first + count);
            for (int s = 0; s < 2; s++) texts[s][count] = pair.sides[s];
        }
        TRY(align_window(run, sides, count, first + 1, error));
    }
    return STATUS_OK;
}

static Status learn_and_align(AlignerRun *run, Error *error)
{
    const AlignValues *values = run->values;
    FREED_BY(text_corpus_free) TextCorpus kept = {0};
    TRY(wordalign_learn(&run->aligner, &kept, values, run->pairs_file, run->threads, error));
    if (values->save) TRY(aligner_save(values->save, &run->aligner, error));
    return align_kept(run, &kept, error);
}

static Status align_all(AlignerRun *run, Output *output, Error *error)
{
    const AlignValues *values = run->values;
    const PairInput input = {
        .verb = "align",
        .spec = run->pairs_file,
        .options = &values->pairs,
        .output = output,
    };
    TRY(array_new(&run->workers, threads_count(run->threads), "pairs", error));
    TRY(array_new(&run->pairs, PAIR_WINDOW, "pairs", error));
    if (values->gold) TRY(gold_open(&run->writer.gold, values->gold, error));
    if (values->aligner) {
        TRY(aligner_open(&run->aligner, values->aligner, error));
        TRY(read_pairs(&input, align_window, run, error));
    } else {
        TRY(learn_and_align(run, error));
    }
    if (values->suspicious) return suspicious_write(&run->suspicious, values->json, output, error);
    return values->gold
               ? alignment_writer_finish_gold(&run->writer, run->pairs_file, values->json, error)
               : alignment_writer_finish(&run->writer, STATUS_OK, error);
}

static void free_all(AlignerRun *run)
{
    for (size_t w = 0; run->workers && w < threads_count(run->threads); w++) {
        aligner_posteriors_free(&run->workers[w].posteriors);
        soft_alignment_free(&run->workers[w].directed);
        links_free(&run->workers[w].forward);
        links_free(&run->workers[w].reverse);
    }
    for (size_t n = 0; run->pairs && n < PAIR_WINDOW; n++) {
        PairPosteriors *pair = &run->pairs[n];
        for (int s = 0; s < 2; s++) {
            aligner_tokens_free(&pair->tokens[s]);
            spans_free(&pair->units[s]);
        }
        soft_alignment_free(&pair->of_tokens);
        soft_alignment_free(&pair->of_units);
        links_free(&pair->links);
    }
    memory_free(run->workers);
    memory_free(run->pairs);
    alignment_writer_free(&run->writer);
    suspicious_free(&run->suspicious);
    aligner_free(&run->aligner);
}

static Status check_save(const AlignerRun *run, Error *error)
{
    const AlignValues *values = run->values;
    bool read = values->prior && file_is_same(values->save, values->prior);
    TRY(pair_name_includes(&read, run->pairs_file, values->save, error));
    if (values->train) TRY(pair_name_includes(&read, values->train, values->save, error));
    return output_file_check(values->save, "save", read, values->overwrite, error);
}

Status wordalign(const Arguments *arguments, Output *output, Error *error)
{
    const AlignValues *values = arguments->values;
    const char *aligner = values->aligner ? values->aligner : "the statistical aligner";
    AlignerRun run = {
        .values = values,
        .pairs_file = arguments->operands.items[0],
        .symmetrizes = options_given(arguments, "symmetrize"),
        .shows_posteriors = values->probabilities || values->format != ALIGNMENT_PHARAOH,
        .threshold =
            options_given(arguments, "threshold") ? (float)values->threshold : MIN_POSTERIOR,
        .suspicious = {.limit = values->suspicious},
        .writer = {.format = values->format,
                   .probabilities = values->probabilities,
                   .page = {.model = file_base_name(aligner), .attention = "", .heads = 1},
                   .output = output},
    };
    if (values->save) TRY(check_save(&run, error));
    TRY(threads_new(&run.threads, model_threads(&values->model), error));
    Status status = align_all(&run, output, error);
    free_all(&run);
    threads_free(run.threads);
    return status;
}
