#include "align/aligner_table.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

static const double PRIOR_STRENGTH = 1; // α
static const double STEM_WEIGHT = 0.3;
static const double UNIGRAM_WEIGHT = 0.05;
static const double UNIGRAM_SMOOTHING = 0.01; // links that each type has beforehand
static const double STEM_SMOOTHING = 1e-3;    // likewise, within its stem
static const double NULL_SMOOTHING = 100;     // unlinked words beforehand, shared by frequency
static const double NULL_LEARNED = 0.5;       // the learned part of t(· | null)
static const float LEAST_TRANSLATION = 1e-12F;

static Status grow(AlignerTable *table, Error *error)
{
    TRY(array_reserve(&table->cells, &table->cells_capacity, table->count + 1, "the aligner",
                      error));
    return array_reserve(&table->links, &table->links_capacity, table->count + 1, "the aligner",
                         error);
}

static Status add_cell(AlignerTable *table, PairMap *stems, const AlignerCorpus *corpus,
                       uint32_t source, uint32_t target, Error *error)
{
    TRY(grow(table, error));
    int32_t left = (int32_t)corpus->sides[0].classes[source].stem;
    int32_t right = (int32_t)corpus->sides[1].classes[target].stem;
    int64_t pair = pair_map_find(stems, left, right);
    if (pair == PAIR_MAP_NONE) {
        pair = (int64_t)table->stem_pairs++;
        TRY(pair_map_put(stems, left, right, pair, "the aligner", error));
    }
    TRY(pair_map_put(&table->map, (int32_t)source, (int32_t)target, (int64_t)table->count,
                     "the aligner", error));
    table->cells[table->count] = (AlignerCell){{source, target}, (uint32_t)pair};
    table->links[table->count++] = 0;
    return STATUS_OK;
}

static Status add_cells(AlignerTable *table, const AlignerCorpus *corpus, Error *error)
{
    PairMap stems = {0};
    Status status = STATUS_OK;
    for (size_t n = 0; n < corpus->pairs && !status; n++) {
        AlignerPair pair = aligner_corpus_pair(corpus, n);
        for (size_t i = 0; i < pair.counts[0]; i++)
            for (size_t j = 0; j < pair.counts[1] && !status; j++) {
                uint32_t source = pair.tokens[0][i], target = pair.tokens[1][j];
                int64_t cell = pair_map_find(&table->map, (int32_t)source, (int32_t)target);
                if (cell == PAIR_MAP_NONE) {
                    cell = (int64_t)table->count;
                    status = add_cell(table, &stems, corpus, source, target, error);
                }
                if (!status) table->links[cell] += 1;
            }
    }
    pair_map_free(&stems);
    return status;
}

Status aligner_table_set(AlignerTable *table, const AlignerCorpus *corpus, Error *error)
{
    *table = (AlignerTable){0};
    TRY(add_cells(table, corpus, error));
    for (int d = 0; d < 2; d++) {
        const AlignerSide *given = &corpus->sides[d], *said = &corpus->sides[1 - d];
        TRY(array_new(&table->translations[d], table->count, "the aligner", error));
        TRY(array_new(&table->null[d], said->types.count, "the aligner", error));
        TRY(array_new(&table->unlinked[d], said->types.count, "the aligner", error));
        for (size_t c = 0; c < table->count; c++)
            table->translations[d][c] =
                (float)(table->links[c] /
                        (double)given->types.entries[table->cells[c].types[d]].value);
        for (size_t y = 0; y < said->types.count; y++)
            table->null[d][y] = (double)said->types.entries[y].value / (double)said->token_count;
    }
    return STATUS_OK;
}

void aligner_table_clear(AlignerTable *table, const AlignerCorpus *corpus)
{
    memset(table->links, 0, table->count * sizeof *table->links);
    for (int d = 0; d < 2; d++)
        memset(table->unlinked[d], 0, corpus->sides[1 - d].types.count * sizeof(double));
}

// Expected links summed: what relative frequencies are made of.
typedef struct Sums {
    double *types[2]; // (types)
    double *stems[2]; // (stems)
    double *members;  // (stems of either side, the larger number) types that share a stem
    double *pairs;    // (stem_pairs)
    double *given;    // (types of the side that is given) Σ_y c(x, y) + α m(y | x)
    double all;
} Sums;

static Status sums_set(Sums *sums, const AlignerTable *table, const AlignerCorpus *corpus,
                       Error *error)
{
    size_t most_types = 0, most_stems = 0;
    for (int s = 0; s < 2; s++) {
        size_t types = corpus->sides[s].types.count, stems = corpus->sides[s].stems.count;
        TRY(array_new(&sums->types[s], types, "the aligner", error));
        TRY(array_new(&sums->stems[s], stems, "the aligner", error));
        if (types > most_types) most_types = types;
        if (stems > most_stems) most_stems = stems;
    }
    TRY(array_new(&sums->members, most_stems, "the aligner", error));
    TRY(array_new(&sums->pairs, table->stem_pairs, "the aligner", error));
    TRY(array_new(&sums->given, most_types, "the aligner", error));
    for (size_t c = 0; c < table->count; c++) {
        const AlignerCell *cell = &table->cells[c];
        for (int s = 0; s < 2; s++) sums->types[s][cell->types[s]] += table->links[c];
        sums->pairs[cell->stems] += table->links[c];
        sums->all += table->links[c];
    }
    for (int s = 0; s < 2; s++)
        for (size_t x = 0; x < corpus->sides[s].types.count; x++)
            sums->stems[s][corpus->sides[s].classes[x].stem] += sums->types[s][x];
    return STATUS_OK;
}

static void sums_free(Sums *sums)
{
    for (int s = 0; s < 2; s++) {
        memory_free(sums->types[s]);
        memory_free(sums->stems[s]);
    }
    memory_free(sums->members);
    memory_free(sums->pairs);
    memory_free(sums->given);
}

// d = 0: t(y | x), d = 1: t(x | y).
static void estimate_translations(AlignerTable *table, Sums *sums, const AlignerCorpus *corpus,
                                  int d)
{
    const AlignerSide *given = &corpus->sides[d], *said = &corpus->sides[1 - d];
    size_t said_types = said->types.count;
    memset(sums->members, 0, said->stems.count * sizeof(double));
    for (size_t y = 0; y < said_types; y++) sums->members[said->classes[y].stem] += 1;
    memset(sums->given, 0, given->types.count * sizeof(double));
    for (size_t c = 0; c < table->count; c++) {
        const AlignerCell *cell = &table->cells[c];
        uint32_t x = cell->types[d], y = cell->types[1 - d], stem = said->classes[y].stem;
        double stem_given_stem =
            sums->pairs[cell->stems] / (sums->stems[d][given->classes[x].stem] + 1);
        double type_given_stem = (sums->types[1 - d][y] + STEM_SMOOTHING) /
                                 (sums->stems[1 - d][stem] + STEM_SMOOTHING * sums->members[stem]);
        double unigram = (sums->types[1 - d][y] + UNIGRAM_SMOOTHING) /
                         (sums->all + UNIGRAM_SMOOTHING * (double)said_types);
        double mean = STEM_WEIGHT * stem_given_stem * type_given_stem + UNIGRAM_WEIGHT * unigram;
        double count = table->links[c] + PRIOR_STRENGTH * mean;
        table->translations[d][c] = (float)count;
        sums->given[x] += count;
    }
    for (size_t c = 0; c < table->count; c++) {
        float *t = &table->translations[d][c];
        *t = (float)(*t / sums->given[table->cells[c].types[d]]);
        if (*t < LEAST_TRANSLATION) *t = LEAST_TRANSLATION;
    }
}

static void estimate_null(AlignerTable *table, const AlignerCorpus *corpus, int d)
{
    const AlignerSide *said = &corpus->sides[1 - d];
    double all = 0;
    for (size_t y = 0; y < said->types.count; y++) all += table->unlinked[d][y];
    for (size_t y = 0; y < said->types.count; y++) {
        double unigram = (double)said->types.entries[y].value / (double)said->token_count;
        double learned =
            (table->unlinked[d][y] + NULL_SMOOTHING * unigram) / (all + NULL_SMOOTHING);
        table->null[d][y] = NULL_LEARNED * learned + (1 - NULL_LEARNED) * unigram;
    }
}

Status aligner_table_estimate(AlignerTable *table, const AlignerCorpus *corpus, Error *error)
{
    Sums sums = {.all = 0};
    Status status = sums_set(&sums, table, corpus, error);
    for (int d = 0; d < 2 && !status; d++) {
        estimate_translations(table, &sums, corpus, d);
        estimate_null(table, corpus, d);
    }
    sums_free(&sums);
    return status;
}

void aligner_table_free(AlignerTable *table)
{
    pair_map_free(&table->map);
    memory_free(table->cells);
    memory_free(table->links);
    for (int d = 0; d < 2; d++) {
        memory_free(table->translations[d]);
        memory_free(table->unlinked[d]);
        memory_free(table->null[d]);
    }
    *table = (AlignerTable){0};
}
