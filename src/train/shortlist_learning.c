#include "train/shortlist_learning.h"

#include "base/array.h"
#include "model/corpus_pass.h"
#include "text/vocabulary.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { BATCH_TOKENS = 2000, SHARE_UNITS = 256 };
static const real MIN_SHARE = (real)0.1; // of its attention, for a link besides the strongest

// A source token and a target token that attended to it.
typedef struct ShortlistLink {
    int32_t source, target;
    uint64_t weight; // of attention, in units of 1 / SHARE_UNITS: integers add up in any order
} ShortlistLink;

// All threads add to them, one at a time: weights are sums, so their order does not matter.
typedef struct ShortlistLinks {
    ShortlistLink *items; // (count)
    size_t count, capacity;
    pthread_mutex_t lock;
} ShortlistLinks;

static void links_free(ShortlistLinks *links)
{
    memory_free(links->items);
}

/* Adds the links of one target token by its weights (S), the mean of all heads. */
static Status link_token(ShortlistLinks *links, const TokenPair *pair, size_t t,
                         const real *weights, Error *error)
{
    size_t strongest = kernels()->argmax(weights, pair->source_length);
    TRY(array_reserve(&links->items, &links->capacity, links->count + pair->source_length,
                      "a shortlist", error));
    for (size_t j = 0; j < pair->source_length; j++)
        if (j == strongest || weights[j] >= MIN_SHARE)
            links->items[links->count++] =
                (ShortlistLink){pair->source[j], pair->target[t],
                                (uint64_t)lround((double)weights[j] * SHARE_UNITS)};
    return STATUS_OK;
}

static Status link_batch(void *context, const VisitedBatch *visited, Error *error)
{
    ShortlistLinks *links = context;
    const Batch *batch = visited->batch;
    const TeacherForcingActs *decoder = &visited->acts->decoder;
    FREED real *mean = NULL; // (S)
    TRY(array_new(&mean, batch->source.steps, "a shortlist", error));
    Status status = STATUS_OK;
    pthread_mutex_lock(&links->lock);
    for (size_t b = 0; b < batch->target.count && !status; b++) {
        const TokenPair *pair = &batch->pairs[batch->target_pair[b]];
        Matrix alpha = teacher_forcing_alpha(decoder, b, 0);
        for (size_t t = 0; t < pair->target_length && !status; t++) {
            attention_mean_of_heads(mean, matrix_row(alpha, t), decoder->heads,
                                    pair->source_length);
            status = link_token(links, pair, t, mean, error);
        }
    }
    pthread_mutex_unlock(&links->lock);
    return status;
}

/* Whether a pair has a source token that occurs in the sample fewer than `wanted` times. */
static bool has_rare(const TokenPair *pair, const uint32_t *counts, uint32_t wanted)
{
    for (size_t j = 0; j < pair->source_length; j++)
        if (counts[pair->source[j]] < wanted) return true;
    return false;
}

/* Samples pairs in rounds: first those with a token that is not yet in the sample, then those with
 * one that is in it less than twice, four times, … */
static Status sample_pairs(TokenCorpus *sample, const TokenCorpus *corpus, StoreWindow *window,
                           size_t vocabulary, Error *error)
{
    FREED uint32_t *counts = NULL; // (vocabulary) of source tokens in the sample
    FREED bool *chosen = NULL;     // (corpus->count)
    size_t left = MAX_SHORTLIST_TOKENS;
    TRY(array_new(&counts, vocabulary, "a shortlist", error));
    TRY(array_new(&chosen, corpus->count, "a shortlist", error));
    for (uint32_t wanted = 1; wanted <= SHORTLIST_OCCURRENCES; wanted *= 2)
        for (size_t i = 0; i < corpus->count; i++) {
            TokenPair pair;
            if (chosen[i] || corpus->spans[i].target_length > left) continue;
            TRY(token_corpus_view(corpus, window, &pair, i, error));
            if (!has_rare(&pair, counts, wanted)) continue;
            chosen[i] = true;
            left -= pair.target_length;
            for (size_t j = 0; j < pair.source_length; j++) counts[pair.source[j]]++;
            // both sides without their </s>, which token_corpus_add appends
            TRY(token_corpus_add(sample, pair.source, pair.source_length - 1, pair.target,
                                 pair.target_length - 1, error));
        }
    return STATUS_OK;
}

static int compare_tokens(const void *a, const void *b)
{
    const ShortlistLink *x = a, *y = b;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->target < y->target ? -1 : x->target > y->target;
}

// By source, the heaviest first.
static int compare_weights(const void *a, const void *b)
{
    const ShortlistLink *x = a, *y = b;
    if (x->source != y->source || x->weight == y->weight) return compare_tokens(x, y);
    return x->weight > y->weight ? -1 : 1;
}

/* Sums the links of the same two tokens, drops those whose target is always in, and keeps the heaviest
 * of each source token, sorted by source and target. */
static void reduce_links(ShortlistLinks *links, const bool *is_always)
{
    ShortlistLink *items = links->items;
    size_t sums = 0, kept = 0, of_source = 0;
    if (!items) return; // no links at all
    qsort(items, links->count, sizeof *items, compare_tokens);
    for (size_t i = 0; i < links->count; i++) {
        if (is_always[items[i].target]) continue;
        if (sums > 0 && compare_tokens(&items[sums - 1], &items[i]) == 0)
            items[sums - 1].weight += items[i].weight;
        else
            items[sums++] = items[i];
    }
    qsort(items, sums, sizeof *items, compare_weights);
    for (size_t i = 0; i < sums; i++) {
        of_source = i > 0 && items[i].source == items[i - 1].source ? of_source + 1 : 0;
        if (of_source < MAX_SHORTLIST_CANDIDATES) items[kept++] = items[i];
    }
    links->count = kept;
    qsort(items, kept, sizeof *items, compare_tokens);
}

/* Marks the tokens that are always in, and counts them. */
static Status mark_always(bool *is_always, size_t *count, const TokenCorpus *corpus,
                          StoreWindow *window, size_t vocabulary, Error *error)
{
    FREED ShortlistLink *counts = NULL; // frequencies, with no source
    TRY(array_new(&counts, vocabulary, "a shortlist", error));
    for (size_t id = 0; id < vocabulary; id++) counts[id].target = (int32_t)id;
    for (size_t i = 0; i < corpus->count; i++) {
        TokenPair pair = {0};
        TRY(token_corpus_view(corpus, window, &pair, i, error));
        for (size_t t = 0; t < pair.target_length; t++) counts[pair.target[t]].weight++;
    }
    qsort(counts, vocabulary, sizeof *counts, compare_weights);
    for (size_t id = 0; id < vocabulary && id < TOKEN_FIRST; id++) is_always[id] = true;
    for (size_t i = 0; i < vocabulary && i < SHORTLIST_FREQUENT; i++)
        is_always[counts[i].target] |= counts[i].weight > 0;
    *count = 0;
    for (size_t id = 0; id < vocabulary; id++) *count += is_always[id];
    return STATUS_OK;
}

// Lays the shortlist out: the tokens always in and the candidates behind them, and where those begin.
static Status lay_out(Shortlist *shortlist, const ShortlistLinks *links, const bool *is_always,
                      size_t always_count, const ModelConfig *config, Error *error)
{
    const size_t sources = config->source_vocabulary;
    int32_t *begin;
    uint16_t *always;
    TRY(array_new(&begin, sources + 1, "a shortlist", error));
    shortlist->owned[0] = begin;
    TRY(array_new(&always, always_count + links->count, "a shortlist", error));
    uint16_t *ids = always + always_count;
    for (size_t id = 0, next = 0; id < config->target_vocabulary; id++)
        if (is_always[id]) always[next++] = (uint16_t)id;
    for (size_t i = 0; i < links->count; i++) {
        begin[links->items[i].source + 1]++;
        ids[i] = (uint16_t)links->items[i].target;
    }
    for (size_t i = 0; i < sources; i++) begin[i + 1] += begin[i];
    *shortlist = (Shortlist){always, always_count, begin, ids, {begin, always}};
    return STATUS_OK;
}

Status shortlist_learn(Shortlist *shortlist, const TokenCorpus *corpus, const Seq2SeqParams *params,
                       Threads *threads, Error *error)
{
    const ModelConfig *config = &params->config;
    FREED_BY(token_corpus_free) TokenCorpus sample = {0};
    FREED_BY(store_window_free) StoreWindow window = {0};
    FREED_BY(links_free) ShortlistLinks links = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const CorpusPass pass = {.corpus = &sample,
                             .params = params,
                             .batch_tokens = BATCH_TOKENS,
                             .attention_only = true,
                             .visit = link_batch,
                             .context = &links};
    *shortlist = (Shortlist){0};
    size_t targets = config->target_vocabulary, always_count = 0;
    FREED bool *is_always = NULL;
    if (targets > MAX_SHORTLIST_VOCABULARY) return STATUS_OK;
    TRY(array_new(&is_always, targets, "a shortlist", error));
    TRY(mark_always(is_always, &always_count, corpus, &window, targets, error));
    TRY(sample_pairs(&sample, corpus, &window, config->source_vocabulary, error));
    TRY(corpus_pass_run(NULL, &pass, threads, error));
    reduce_links(&links, is_always);
    return lay_out(shortlist, &links, is_always, always_count, config, error);
}
