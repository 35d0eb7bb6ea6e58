/* What the aligner learns about words: t(y | x) and t(x | y) for each pair of types that stand in
 * one sentence pair, and t(· | null).
 *
 * With c(x, y) the expected number of links between two types, summed over the corpus,
 *
 *     t(y | x) = (c(x, y) + α m(y | x)) / Σ_y' (c(x, y') + α m(y' | x))
 *
 * is the mean of the posterior under a Dirichlet prior of strength α around the back-off m (MacKay
 * & Peto 1995, "A hierarchical Dirichlet language model"), so that rare types are not left to
 * chance and frequent ones hardly notice:
 *
 *     m(y | x) = λ_stem p(stem y | stem x) p(y | stem y) + λ_unigram p(y)
 *
 * all of them relative frequencies of the same expected links, lightly smoothed. m need not sum to
 * 1: what it lacks only makes α smaller. Half of t(· | null) is learned, half are the types'
 * frequencies: any word can be without a counterpart. */
#ifndef REGARD_ALIGN_ALIGNER_TABLE_H
#define REGARD_ALIGN_ALIGNER_TABLE_H

#include "align/aligner_corpus.h"
#include "text/pair_map.h"

// A pair of types, source and target.
typedef struct AlignerCell {
    uint32_t types[2];
    uint32_t stems; // the number of the pair of their stems
} AlignerCell;

typedef struct AlignerTable {
    PairMap map;        // two types → their cell
    AlignerCell *cells; // (cells)
    size_t count, cells_capacity, links_capacity;
    size_t stem_pairs;
    double *links;          // (cells) c(x, y)
    float *translations[2]; // (cells) t(y | x); t(x | y)
    double *unlinked
        [2]; // (types of the side that is said) expected words without a link: target; source
    double *null[2]; // (types of the side that is said) t(y | null); t(x | null)
} AlignerTable;

/* Makes a cell for each pair of types of the corpus; t begins as the relative frequency of
 * standing in one pair. Ends with aligner_table_free, also after a failure. */
Status aligner_table_set(AlignerTable *table, const AlignerCorpus *corpus, Error *error);

// The cell of two types that stand in one pair of the corpus.
static inline uint32_t aligner_table_cell(const AlignerTable *table, uint32_t source,
                                          uint32_t target)
{
    return (uint32_t)pair_map_find(&table->map, (int32_t)source, (int32_t)target);
}

// Sets links and unlinked to 0.
void aligner_table_clear(AlignerTable *table, const AlignerCorpus *corpus);

// Estimates t from links and unlinked.
Status aligner_table_estimate(AlignerTable *table, const AlignerCorpus *corpus, Error *error);

void aligner_table_free(AlignerTable *table);

#endif
