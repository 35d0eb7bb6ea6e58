#include "train/validation.h"

#include "base/array.h"
#include "model/corpus_pass.h"
#include "model/inference.h"
#include "search/batch_search.h"

static const double CHANCE_BLEU = 1; // until it is reached, a lower loss is progress too

static void complete_losses(void *context, double *losses, size_t batches)
{
    ranks_sum(context, losses, batches);
}

static Status count_bleu(BleuCounts *counts, const Validation *validation,
                         const Hypotheses *results, Error *error)
{
    const TrainingData *data = validation->data;
    FREED_BY(bytes_free) Bytes text = {0};
    for (size_t i = 0; i < validation->set->text.count; i++) {
        if (results[i].count == 0) continue; // another rank's
        const Hypothesis *best = &results[i].items[0];
        const char *reference = text_corpus_pair(&validation->set->text, i).sides[1].data;
        bytes_clear(&text);
        TRY(vocabulary_decode(data->target_vocabulary, best->tokens, best->length, &text, error));
        TRY(bleu_add(counts, &(Segment){bytes_text(&text), &reference, 1}, data->bleu_tokenizer,
                     false, error));
    }
    return STATUS_OK;
}

// Counts are integers, so the order in which ranks are added up does not matter.
static void complete_counts(BleuCounts *counts, const Ranks *ranks)
{
    enum { FIELDS = sizeof *counts / sizeof(size_t) }; // it has nothing else
    size_t *fields = (size_t *)counts;
    double values[FIELDS];
    for (size_t i = 0; i < FIELDS; i++) values[i] = (double)fields[i];
    ranks_sum(ranks, values, FIELDS);
    for (size_t i = 0; i < FIELDS; i++) fields[i] = (size_t)values[i];
}

static Status validate_bleu(double *bleu, const Validation *validation, Error *error)
{
    const TokenCorpus *corpus = &validation->set->tokens;
    const SearchOptions greedy = {.beam = 1, .batch = 64};
    size_t count = corpus->count;
    FREED TokenPair *sources = NULL;
    FREED Hypotheses *results = NULL;
    FREED_BY(batch_search_free) BatchSearch search = {0};
    BleuCounts counts = {0};
    TRY(array_new(&sources, count, "validation", error));
    TRY(array_new(&results, count, "validation", error));
    TRY(inference_batch_search(&search, validation->threads, validation->params, NULL, NULL,
                               error));
    search.share = ranks_share(validation->ranks);
    for (size_t i = 0; i < count; i++) sources[i] = token_corpus_pair(corpus, i);
    TRY(batch_search_run(&search, sources, count, &greedy, results, error));
    Status status = count_bleu(&counts, validation, results, error);
    for (size_t i = 0; i < count; i++) hypotheses_free(&results[i]);
    TRY(status);
    TRY(backends_check(error));
    complete_counts(&counts, validation->ranks);
    *bleu = bleu_score(&counts);
    return STATUS_OK;
}

Status validate(ValidationScore *score, const Validation *validation, Error *error)
{
    const TokenCorpus *valid = &validation->set->tokens;
    const CorpusPass pass = {.corpus = valid,
                             .params = validation->params,
                             .batch_tokens = validation->batch_tokens,
                             .smoothing = (real)validation->label_smoothing,
                             .share = ranks_share(validation->ranks),
                             .complete = complete_losses,
                             .others = validation->ranks};
    double sum, tokens = 0;
    TRY(corpus_pass_run(&sum, &pass, validation->threads, error));
    for (size_t i = 0; i < valid->count; i++) tokens += token_corpus_pair(valid, i).target_length;
    score->loss = sum / tokens;
    return validate_bleu(&score->bleu, validation, error);
}

bool validation_is_best(TrainCounters *counters, const ValidationScore *score, bool counted)
{
    bool is_best = score->bleu > counters->best_bleu ||
                   (score->bleu == counters->best_bleu && score->loss < counters->best_loss);
    if (!counted) return is_best;
    bool lower = counters->validations == 0 || score->loss < counters->lowest_loss;
    // One lucky word gives a BLEU of 0.2, which a small corpus may not reach again for many epochs.
    bool improved = is_best || (lower && counters->best_bleu < CHANCE_BLEU);
    if (lower) counters->lowest_loss = score->loss;
    counters->validations++;
    counters->stale = improved ? 0 : counters->stale + 1;
    if (!is_best) return false;
    counters->best_bleu = score->bleu;
    counters->best_loss = score->loss;
    counters->best_step = counters->steps;
    return true;
}
