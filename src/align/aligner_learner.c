#include "align/aligner_learner.h"

#include "base/array.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_PAIRS = 4096 };          // of which the posteriors are held at once,
enum { BLOCK_CELLS = 1 << 20 };       // unless they have this many possible links sooner
static const double JUMP_DECAY = 0.5; // at first w(d) ∝ exp(−|d − 1| / 2)
static const double JUMP_SMOOTHING = 1;
static const double WIDEST_JUMPS = 10; // how many widths the widest jumps share, roughly

// The pairs whose posteriors are held at once.
typedef struct Block {
    AlignerLearner *learner;
    bool hmm;
    size_t workers;
    size_t first, count;
    size_t *begins;  // (count) where a pair's links begin in the next two
    uint32_t *cells; // (Σ sources · targets)
    double *joint;   // (Σ sources · targets) q
    size_t cells_capacity, joint_capacity;
    HmmCounts (*counts)[2];        // (count)
    AlignerPosteriors *posteriors; // (workers)
    Error *errors;                 // (workers)
} Block;

static void look_up(AlignerPosteriors *posteriors, uint32_t *cells, const AlignerLearner *learner,
                    AlignerPair pair)
{
    const AlignerCells *known = &learner->cells;
    size_t sources = pair.counts[0], targets = pair.counts[1];
    for (size_t i = 0; i < sources; i++)
        for (size_t j = 0; j < targets; j++) {
            uint32_t cell = aligner_cells_find(known, pair.tokens[0][i], pair.tokens[1][j]);
            cells[i * targets + j] = cell;
            posteriors->emissions[0][j * sources + i] = known->translations[cell][0];
            posteriors->emissions[1][i * targets + j] = known->translations[cell][1];
        }
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < pair.counts[s]; i++) {
            uint32_t type = pair.tokens[s][i];
            posteriors->words[s][i] =
                (AlignerWord){type, learner->corpus->vocabularies[s].classes[type]};
            posteriors->null[1 - s][i] = known->null[s][type];
        }
}

Status aligner_learner_align(AlignerPosteriors *posteriors, uint32_t *cells,
                             const AlignerLearner *learner, AlignerPair pair, bool hmm,
                             Error *error)
{
    TRY(aligner_posteriors_begin(posteriors, pair.counts[0], pair.counts[1], error));
    look_up(posteriors, cells, learner, pair);
    return aligner_posteriors_end(posteriors, learner->jumps, hmm, error);
}

// The posteriors of the worker's part of the block.
static void expect_links(void *context, size_t worker)
{
    Block *block = context;
    AlignerPosteriors *posteriors = &block->posteriors[worker];
    Error *error = &block->errors[worker];
    size_t begin, end;
    threads_range(block->count, 1, worker, block->workers, &begin, &end);
    for (size_t n = begin; n < end && !error->status; n++) {
        AlignerPair pair = aligner_corpus_pair(block->learner->corpus, block->first + n);
        size_t sources = pair.counts[0], targets = pair.counts[1], at = block->begins[n];
        memset(block->counts[n], 0, sizeof block->counts[n]);
        if (!sources || !targets ||
            aligner_learner_align(posteriors, block->cells + at, block->learner, pair, block->hmm,
                                  error))
            continue;
        for (size_t i = 0; i < sources; i++)
            for (size_t j = 0; j < targets; j++)
                block->joint[at + i * targets + j] = aligner_posteriors_link(posteriors, i, j);
        memcpy(block->counts[n], posteriors->counts, sizeof block->counts[n]);
    }
}

/* Adds the block's links to the table. Each type belongs to one worker, which adds up in the order
 * of the pairs: the sums are the same for any number of workers. */
static void count_links(void *context, size_t worker)
{
    Block *block = context;
    AlignerCells *known = &block->learner->cells;
    for (size_t n = 0; n < block->count; n++) {
        AlignerPair pair = aligner_corpus_pair(block->learner->corpus, block->first + n);
        size_t sources = pair.counts[0], targets = pair.counts[1];
        const double *joint = block->joint + block->begins[n];
        const uint32_t *cells = block->cells + block->begins[n];
        for (size_t i = 0; i < sources; i++) {
            if (pair.tokens[0][i] % block->workers != worker) continue;
            double sum = 0;
            for (size_t j = 0; j < targets; j++) {
                known->links[cells[i * targets + j]] += joint[i * targets + j];
                sum += joint[i * targets + j];
            }
            known->unlinked[0][pair.tokens[0][i]] += fmax(0, 1 - sum);
        }
        for (size_t j = 0; j < targets; j++) {
            if (pair.tokens[1][j] % block->workers != worker) continue;
            double sum = 0;
            for (size_t i = 0; i < sources; i++) sum += joint[i * targets + j];
            known->unlinked[1][pair.tokens[1][j]] += fmax(0, 1 - sum);
        }
    }
}

// The next pairs from `first` on, as many as a block holds.
static Status block_set(Block *block, size_t first, Error *error)
{
    const AlignerCorpus *corpus = block->learner->corpus;
    size_t total = 0;
    block->first = first;
    block->count = 0;
    while (first + block->count < corpus->pairs && block->count < BLOCK_PAIRS &&
           (total < BLOCK_CELLS || block->count == 0)) {
        AlignerPair pair = aligner_corpus_pair(corpus, first + block->count);
        block->begins[block->count++] = total;
        total += pair.counts[0] * pair.counts[1];
    }
    TRY(array_reserve(&block->cells, &block->cells_capacity, total, "the aligner", error));
    return array_reserve(&block->joint, &block->joint_capacity, total, "the aligner", error);
}

static void normalise_jumps(JumpModel *model)
{
    double all = 0;
    for (int d = 0; d < JUMP_WIDTHS; d++) all += model->weights[d];
    for (int d = 0; d < JUMP_WIDTHS; d++) model->weights[d] /= all;
}

static void estimate_jumps(JumpModel *model, const double counts[JUMP_WIDTHS])
{
    for (int d = 0; d < JUMP_WIDTHS; d++) {
        bool widest = d == 0 || d == JUMP_WIDTHS - 1;
        model->weights[d] = (counts[d] + JUMP_SMOOTHING) / (widest ? WIDEST_JUMPS : 1);
    }
    normalise_jumps(model);
}

static Status iterate(Block *block, Threads *threads, Error *error)
{
    AlignerLearner *learner = block->learner;
    double jumps[2][JUMP_WIDTHS] = {{0}};
    aligner_cells_clear(&learner->cells, learner->corpus);
    for (size_t at = 0; at < learner->corpus->pairs; at += block->count) {
        TRY(block_set(block, at, error));
        threads_run(threads, expect_links, block);
        for (size_t w = 0; w < block->workers; w++)
            if (block->errors[w].status)
                return error_set(error, block->errors[w].status, "%s", block->errors[w].text);
        threads_run(threads, count_links, block);
        for (size_t n = 0; n < block->count; n++)
            for (int d = 0; d < 2; d++)
                for (int width = 0; width < JUMP_WIDTHS; width++)
                    jumps[d][width] += block->counts[n][d].jumps[width];
    }
    for (size_t n = 0; n < learner->corpus->link_count; n++) {
        const uint32_t *types = learner->corpus->links[n];
        learner->cells.links[aligner_cells_find(&learner->cells, types[0], types[1])] += 1;
    }
    for (int d = 0; d < 2 && block->hmm; d++) estimate_jumps(&learner->jumps[d], jumps[d]);
    return aligner_cells_estimate(&learner->cells, learner->corpus, error);
}

static Status block_new(Block *block, Error *error)
{
    TRY(array_new(&block->begins, BLOCK_PAIRS, "the aligner", error));
    TRY(array_new(&block->counts, BLOCK_PAIRS, "the aligner", error));
    TRY(array_new(&block->posteriors, block->workers, "the aligner", error));
    return array_new(&block->errors, block->workers, "the aligner", error);
}

static void block_free(Block *block)
{
    for (size_t w = 0; block->posteriors && w < block->workers; w++)
        aligner_posteriors_free(&block->posteriors[w]);
    memory_free(block->begins);
    memory_free(block->cells);
    memory_free(block->joint);
    memory_free(block->counts);
    memory_free(block->posteriors);
    memory_free(block->errors);
}

Status aligner_learner_iterate(AlignerLearner *learner, bool hmm, Threads *threads, Error *error)
{
    Block block = {.learner = learner, .hmm = hmm, .workers = threads_count(threads)};
    Status status = block_new(&block, error);
    if (!status) status = iterate(&block, threads, error);
    block_free(&block);
    return status;
}

Status aligner_learner_new(AlignerLearner *learner, const AlignerCorpus *corpus, double null,
                           Error *error)
{
    *learner = (AlignerLearner){.corpus = corpus};
    for (int d = 0; d < 2; d++) {
        learner->jumps[d].null = null;
        for (int width = -MAX_JUMP; width <= MAX_JUMP; width++)
            learner->jumps[d].weights[width + MAX_JUMP] = exp(-JUMP_DECAY * abs(width - 1)) + 1e-4;
        normalise_jumps(&learner->jumps[d]);
    }
    return aligner_cells_new(&learner->cells, corpus, error);
}

void aligner_learner_free(AlignerLearner *learner)
{
    aligner_cells_free(&learner->cells);
    *learner = (AlignerLearner){0};
}
