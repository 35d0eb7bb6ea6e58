#include "align/aligner_learner.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

AlignerOptions aligner_options_default(void)
{
    return (AlignerOptions){
        .model1_iterations = 5, .hmm_iterations = 4, .null = 0.07, .least_links = 1e-4};
}

// An entry of the table, for sorting.
typedef struct Entry {
    uint32_t target;
    float links;
} Entry;

static int by_target(const void *left, const void *right)
{
    const Entry *a = left, *b = right;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* Sets rows, begins and entries from the cells with at least so many links. */
static void collect(AlignerTable *table, Entry *entries, const AlignerCells *cells, size_t sources,
                    double least_links)
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
                (Entry){cell->types[1], (float)cells->links[c]};
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
    Entry *entries;
    for (size_t c = 0; c < cells->count; c++) count += cells->links[c] >= least_links;
    TRY(aligner_table_new(table, vocabularies, count, error));
    TRY(array_new(&entries, count, "the aligner's table", error));
    collect(table, entries, cells, vocabularies[0].types.count, least_links);
    memory_free(entries);
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
