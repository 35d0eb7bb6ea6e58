#include "align/aligner_learner.h"

#include "base/array.h"

#include <stdlib.h>

static const char PURPOSE[] = "the aligner";

// Counts two types that stand in one pair, in their cell, which is made if there is none.
static Status count_types(AlignerCells *cells, PairMap *stems, const AlignerCorpus *corpus,
                          uint32_t source, uint32_t target, Error *error)
{
    const size_t count = cells->count;
    TRY(pair_map_reserve(&cells->map, count + 1, PURPOSE, error));
    TRY(pair_map_reserve(stems, stems->count + 1, PURPOSE, error));
    TRY(array_reserve(&cells->items, &cells->items_capacity, count + 1, PURPOSE, error));
    TRY(array_reserve(&cells->links, &cells->links_capacity, count + 1, PURPOSE, error));
    const size_t cell = (size_t)pair_map_enter(&cells->map, (int32_t)source, (int32_t)target);
    if (cell == count) {
        const int64_t pair =
            pair_map_enter(stems, (int32_t)corpus->vocabularies[0].classes[source].stem,
                           (int32_t)corpus->vocabularies[1].classes[target].stem);
        cells->items[cells->count++] = (AlignerCell){{source, target}, (uint32_t)pair};
        cells->links[cell] = 0;
    }
    cells->links[cell] += 1;
    return STATUS_OK;
}

static Status add_cells(AlignerCells *cells, const AlignerCorpus *corpus, Error *error)
{
    FREED_BY(pair_map_free) PairMap stems = {0};
    for (size_t n = 0; n < corpus->pairs; n++) {
        AlignerPair pair = aligner_corpus_pair(corpus, n);
        for (size_t i = 0; i < pair.counts[0]; i++)
            for (size_t j = 0; j < pair.counts[1]; j++)
                TRY(count_types(cells, &stems, corpus, pair.tokens[0][i], pair.tokens[1][j],
                                error));
    }
    cells->stem_pairs = stems.count;
    return STATUS_OK;
}

/* The cells of a corpus; t begins as the relative frequency of standing in one pair. Ends with
 * cells_free, also after a failure. */
static Status cells_new(AlignerCells *cells, const AlignerCorpus *corpus, Error *error)
{
    *cells = (AlignerCells){0};
    TRY(add_cells(cells, corpus, error));
    const StringMap *sources = &corpus->vocabularies[0].types;
    TRY(array_new(&cells->alike, sources->count, PURPOSE, error));
    for (size_t x = 0; x < sources->count; x++) {
        TextView spelling = {sources->entries[x].key, sources->entries[x].length};
        cells->alike[x] = aligner_vocabulary_find(&corpus->vocabularies[1], spelling).type;
    }
    TRY(array_new(&cells->translations, cells->count, PURPOSE, error));
    for (int s = 0; s < 2; s++) {
        const AlignerVocabulary *vocabulary = &corpus->vocabularies[s];
        size_t types = vocabulary->types.count;
        TRY(aligner_totals_new(&cells->totals[s], vocabulary, error));
        TRY(array_new(&cells->null[s], types, PURPOSE, error));
        TRY(array_new(&cells->unlinked[s], types, PURPOSE, error));
        for (size_t c = 0; c < cells->count; c++)
            cells->translations[c][s] =
                (float)(cells->links[c] /
                        aligner_vocabulary_frequency(vocabulary, cells->items[c].types[s]));
        for (size_t x = 0; x < types; x++)
            cells->null[s][x] = aligner_vocabulary_frequency(vocabulary, (uint32_t)x) /
                                (double)vocabulary->token_count;
    }
    return STATUS_OK;
}

// d = 0: t(y | x), d = 1: t(x | y).
static void estimate_translations(AlignerCells *cells, const double *stem_pairs,
                                  const AlignerCorpus *corpus, int d)
{
    const AlignerTotals *given = &cells->totals[d], *said = &cells->totals[1 - d];
    const AlignerClass *classes = corpus->vocabularies[d].classes;
    for (size_t c = 0; c < cells->count; c++) {
        const AlignerCell *cell = &cells->items[c];
        uint32_t x = cell->types[d], y = cell->types[1 - d];
        double stems = aligner_stem_of_stem(stem_pairs[cell->stems], given->stems[classes[x].stem]);
        AlignerEvidence evidence = {
            .links = cells->links[c],
            .stem = stems * said->of_stem[y],
            .unigram = said->unigram[y],
            .alike = cells->alike[cell->types[0]] == cell->types[1],
        };
        cells->translations[c][d] = (float)aligner_translation(evidence, given->types[x]);
    }
}

// Estimates t from links and unlinked.
static Status cells_estimate(AlignerCells *cells, const AlignerCorpus *corpus, Error *error)
{
    FREED double *stem_pairs = NULL;
    TRY(array_new(&stem_pairs, cells->stem_pairs, PURPOSE, error));
    for (size_t c = 0; c < cells->count; c++) stem_pairs[cells->items[c].stems] += cells->links[c];
    for (int s = 0; s < 2; s++) {
        AlignerTotals *totals = &cells->totals[s];
        memset(totals->types, 0, corpus->vocabularies[s].types.count * sizeof *totals->types);
        for (size_t c = 0; c < cells->count; c++)
            totals->types[cells->items[c].types[s]] += cells->links[c];
        aligner_totals_set(totals, &corpus->vocabularies[s]);
    }
    for (int d = 0; d < 2; d++) {
        const AlignerVocabulary *vocabulary = &corpus->vocabularies[d];
        const double *unlinked = cells->unlinked[d];
        double all = 0;
        estimate_translations(cells, stem_pairs, corpus, d);
        for (size_t x = 0; x < vocabulary->types.count; x++) all += unlinked[x];
        for (size_t x = 0; x < vocabulary->types.count; x++)
            cells->null[d][x] = aligner_null_translation(
                unlinked[x], all, aligner_vocabulary_frequency(vocabulary, (uint32_t)x),
                (double)vocabulary->token_count);
    }
    return STATUS_OK;
}

static void cells_free(AlignerCells *cells)
{
    pair_map_free(&cells->map);
    memory_free(cells->items);
    memory_free(cells->links);
    memory_free(cells->alike);
    memory_free(cells->translations);
    for (int d = 0; d < 2; d++) {
        aligner_totals_free(&cells->totals[d]);
        memory_free(cells->unlinked[d]);
        memory_free(cells->null[d]);
    }
    *cells = (AlignerCells){0};
}

enum { BLOCK_PAIRS = 4096 };          // of which the posteriors are held at once,
enum { BLOCK_CELLS = 1 << 20 };       // unless they have this many possible links sooner
static const double JUMP_DECAY = 0.5; // at first w(d) ∝ exp(−|d − 1| / 2)
static const double JUMP_SMOOTHING = 1;
static const double WIDEST_JUMPS = 10; // how many widths the widest jumps share, roughly

// The pairs whose posteriors are held at once.
typedef struct PairBlock {
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
} PairBlock;

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
    PairBlock *block = context;
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
    PairBlock *block = context;
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
static Status block_set(PairBlock *block, size_t first, Error *error)
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
    TRY(array_reserve(&block->cells, &block->cells_capacity, total, PURPOSE, error));
    return array_reserve(&block->joint, &block->joint_capacity, total, PURPOSE, error);
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

static void block_free(PairBlock *block)
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
    FREED_BY(block_free)
    PairBlock block = {.learner = learner, .hmm = hmm, .workers = threads_count(threads)};
    double jumps[2][JUMP_WIDTHS] = {{0}};
    AlignerCells *cells = &learner->cells;
    TRY(array_new(&block.begins, BLOCK_PAIRS, PURPOSE, error));
    TRY(array_new(&block.counts, BLOCK_PAIRS, PURPOSE, error));
    TRY(array_new(&block.posteriors, block.workers, PURPOSE, error));
    TRY(array_new(&block.errors, block.workers, PURPOSE, error));
    for (size_t c = 0; c < cells->count; c++) cells->links[c] = 0;
    for (int s = 0; s < 2; s++)
        memset(cells->unlinked[s], 0,
               learner->corpus->vocabularies[s].types.count * sizeof *cells->unlinked[s]);
    for (size_t at = 0; at < learner->corpus->pairs; at += block.count) {
        TRY(block_set(&block, at, error));
        threads_run(threads, expect_links, &block);
        for (size_t w = 0; w < block.workers; w++)
            if (block.errors[w].status)
                return error_set(error, block.errors[w].status, "%s", block.errors[w].text);
        threads_run(threads, count_links, &block);
        for (size_t n = 0; n < block.count; n++)
            for (int d = 0; d < 2; d++)
                for (int width = 0; width < JUMP_WIDTHS; width++)
                    jumps[d][width] += block.counts[n][d].jumps[width];
    }
    for (size_t n = 0; n < learner->corpus->link_count; n++) {
        const uint32_t *types = learner->corpus->links[n];
        cells->links[aligner_cells_find(cells, types[0], types[1])] += 1;
    }
    for (int d = 0; d < 2 && hmm; d++) estimate_jumps(&learner->jumps[d], jumps[d]);
    return cells_estimate(cells, learner->corpus, error);
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
    return cells_new(&learner->cells, corpus, error);
}

void aligner_learner_free(AlignerLearner *learner)
{
    cells_free(&learner->cells);
    *learner = (AlignerLearner){0};
}

AlignerOptions aligner_options_default(void)
{
    return (AlignerOptions){
        .model1_iterations = 5, .hmm_iterations = 4, .null = 0.07, .least_links = 1e-4};
}

// An entry of the table, for sorting.
typedef struct TableEntry {
    uint32_t target;
    float links;
} TableEntry;

static int by_target(const void *left, const void *right)
{
    const TableEntry *a = left, *b = right;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* Sets rows, begins and entries from the cells with at least so many links. */
static void collect(AlignerTable *table, TableEntry *entries, const AlignerCells *cells,
                    size_t sources, double least_links)
{
    for (size_t c = 0; c < cells->count; c++)
        if (cells->links[c] >= least_links) table->rows[cells->items[c].types[0]]++;
    size_t begin = 0;
    for (size_t x = 0; x < sources; x++) {
        table->begins[x] = begin;
        begin += table->rows[x];
    }
    for (size_t c = 0; c < cells->count; c++) {
        const AlignerCell *cell = &cells->items[c];
        if (cells->links[c] >= least_links)
            entries[table->begins[cell->types[0]]++] =
                (TableEntry){cell->types[1], (float)cells->links[c]};
    }
    for (size_t x = 0; x < sources; x++) {
        size_t end = table->begins[x];
        qsort(entries + end - table->rows[x], table->rows[x], sizeof *entries, by_target);
    }
    for (size_t e = 0; e < table->entries; e++) {
        table->columns[e] = entries[e].target;
        table->links[e] = entries[e].links;
    }
}

Status aligner_learner_table(AlignerTable *table, const AlignerLearner *learner, double least_links,
                             Error *error)
{
    const AlignerCells *cells = &learner->cells;
    const AlignerVocabulary *vocabularies = learner->corpus->vocabularies;
    size_t count = 0;
    FREED TableEntry *entries = NULL;
    for (size_t c = 0; c < cells->count; c++) count += cells->links[c] >= least_links;
    TRY(aligner_table_new(table, vocabularies, count, error));
    TRY(array_new(&entries, count, "the aligner's table", error));
    collect(table, entries, cells, vocabularies[0].types.count, least_links);
    for (int s = 0; s < 2; s++)
        for (size_t x = 0; x < vocabularies[s].types.count; x++) {
            table->type_links[s][x] = (float)cells->totals[s].types[x];
            table->unlinked[s][x] = (float)cells->unlinked[s][x];
        }
    return aligner_table_complete(table, vocabularies, error);
}

static Status learn(Aligner *aligner, AlignerLearner *learner, const AlignerOptions *options,
                    Threads *threads, Error *error)
{
    size_t iterations = options->model1_iterations + options->hmm_iterations;
    for (size_t n = 0; n < iterations; n++) {
        if (options->show) options->show(options->context, n + 1, iterations);
        TRY(cancel_check(options->cancel, error));
        bool hmm = n >= options->model1_iterations;
        TRY(aligner_learner_iterate(learner, hmm, threads, error));
    }
    memcpy(aligner->jumps, learner->jumps, sizeof aligner->jumps);
    return aligner_learner_table(&aligner->table, learner, options->least_links, error);
}

Status aligner_learn(Aligner *aligner, AlignerCorpus *corpus, AlignerOptions options,
                     Threads *threads, Error *error)
{
    AlignerLearner learner;
    *aligner = (Aligner){.table = {0}};
    Status status = aligner_learner_new(&learner, corpus, options.null, error);
    if (!status) status = learn(aligner, &learner, &options, threads, error);
    aligner_learner_free(&learner);
    memcpy(aligner->vocabularies, corpus->vocabularies, sizeof aligner->vocabularies);
    memset(corpus->vocabularies, 0, sizeof corpus->vocabularies);
    aligner_corpus_free(corpus);
    if (status) aligner_free(aligner);
    return status;
}
