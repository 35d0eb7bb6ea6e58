#include "align/aligner_cells.h"

#include "align/aligner_translation.h"
#include "base/array.h"
#include "base/memory.h"

#include <string.h>

static Status grow(AlignerCells *cells, Error *error)
{
    TRY(array_reserve(&cells->items, &cells->items_capacity, cells->count + 1, "the aligner",
                      error));
    return array_reserve(&cells->links, &cells->links_capacity, cells->count + 1, "the aligner",
                         error);
}

static Status add_cell(AlignerCells *cells, PairMap *stems, const AlignerCorpus *corpus,
                       uint32_t source, uint32_t target, Error *error)
{
    TRY(grow(cells, error));
    int32_t left = (int32_t)corpus->vocabularies[0].classes[source].stem;
    int32_t right = (int32_t)corpus->vocabularies[1].classes[target].stem;
    int64_t pair = pair_map_find(stems, left, right);
    if (pair == PAIR_MAP_NONE) {
        pair = (int64_t)cells->stem_pairs++;
        TRY(pair_map_put(stems, left, right, pair, "the aligner", error));
    }
    TRY(pair_map_put(&cells->map, (int32_t)source, (int32_t)target, (int64_t)cells->count,
                     "the aligner", error));
    cells->items[cells->count] = (AlignerCell){{source, target}, (uint32_t)pair};
    cells->links[cells->count++] = 0;
    return STATUS_OK;
}

static Status add_cells(AlignerCells *cells, const AlignerCorpus *corpus, Error *error)
{
    PairMap stems = {0};
    Status status = STATUS_OK;
    for (size_t n = 0; n < corpus->pairs && !status; n++) {
        AlignerPair pair = aligner_corpus_pair(corpus, n);
        for (size_t i = 0; i < pair.counts[0]; i++)
            for (size_t j = 0; j < pair.counts[1] && !status; j++) {
                uint32_t source = pair.tokens[0][i], target = pair.tokens[1][j];
                int64_t cell = pair_map_find(&cells->map, (int32_t)source, (int32_t)target);
                if (cell == PAIR_MAP_NONE) {
                    cell = (int64_t)cells->count;
                    status = add_cell(cells, &stems, corpus, source, target, error);
                }
                if (!status) cells->links[cell] += 1;
            }
    }
    pair_map_free(&stems);
    return status;
}

static Status set_alike(AlignerCells *cells, const AlignerCorpus *corpus, Error *error)
{
    const StringMap *sources = &corpus->vocabularies[0].types;
    TRY(array_new(&cells->alike, sources->count, "the aligner", error));
    for (size_t x = 0; x < sources->count; x++) {
        const StringMapEntry *source = &sources->entries[x];
        TextView spelling = {source->key, source->length};
        cells->alike[x] = aligner_vocabulary_find(&corpus->vocabularies[1], spelling).type;
    }
    return STATUS_OK;
}

Status aligner_cells_new(AlignerCells *cells, const AlignerCorpus *corpus, Error *error)
{
    *cells = (AlignerCells){0};
    TRY(add_cells(cells, corpus, error));
    TRY(set_alike(cells, corpus, error));
    TRY(array_new(&cells->translations, cells->count, "the aligner", error));
    for (int s = 0; s < 2; s++) {
        const AlignerVocabulary *vocabulary = &corpus->vocabularies[s];
        size_t types = vocabulary->types.count;
        TRY(aligner_totals_new(&cells->totals[s], vocabulary, error));
        TRY(array_new(&cells->null[s], types, "the aligner", error));
        TRY(array_new(&cells->unlinked[s], types, "the aligner", error));
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

void aligner_cells_clear(AlignerCells *cells, const AlignerCorpus *corpus)
{
    for (size_t c = 0; c < cells->count; c++) cells->links[c] = 0;
    for (int s = 0; s < 2; s++)
        memset(cells->unlinked[s], 0,
               corpus->vocabularies[s].types.count * sizeof *cells->unlinked[s]);
}

// Sums links by types.
static void sum_links(AlignerCells *cells, const AlignerCorpus *corpus)
{
    for (int s = 0; s < 2; s++) {
        AlignerTotals *totals = &cells->totals[s];
        memset(totals->types, 0, corpus->vocabularies[s].types.count * sizeof *totals->types);
        for (size_t c = 0; c < cells->count; c++)
            totals->types[cells->items[c].types[s]] += cells->links[c];
        aligner_totals_set(totals, &corpus->vocabularies[s]);
    }
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

static void estimate_null(AlignerCells *cells, const AlignerVocabulary *vocabulary, int side)
{
    double all = 0;
    for (size_t x = 0; x < vocabulary->types.count; x++) all += cells->unlinked[side][x];
    for (size_t x = 0; x < vocabulary->types.count; x++)
        cells->null[side][x] = aligner_null_translation(
            cells->unlinked[side][x], all, aligner_vocabulary_frequency(vocabulary, (uint32_t)x),
            (double)vocabulary->token_count);
}

Status aligner_cells_estimate(AlignerCells *cells, const AlignerCorpus *corpus, Error *error)
{
    double *stem_pairs;
    TRY(array_new(&stem_pairs, cells->stem_pairs, "the aligner", error));
    for (size_t c = 0; c < cells->count; c++) stem_pairs[cells->items[c].stems] += cells->links[c];
    sum_links(cells, corpus);
    for (int d = 0; d < 2; d++) {
        estimate_translations(cells, stem_pairs, corpus, d);
        estimate_null(cells, &corpus->vocabularies[d], d);
    }
    memory_free(stem_pairs);
    return STATUS_OK;
}

void aligner_cells_free(AlignerCells *cells)
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
