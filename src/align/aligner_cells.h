/* What the aligner counts while it learns: a cell for each pair of types that stand in one sentence
 * pair, with their expected links c(x, y) and what follows from them (aligner_translation.h). */
#ifndef REGARD_ALIGN_ALIGNER_CELLS_H
#define REGARD_ALIGN_ALIGNER_CELLS_H

#include "align/aligner_corpus.h"
#include "align/aligner_totals.h"
#include "text/pair_map.h"

typedef struct AlignerCell {
    uint32_t types[2]; // source, target
    uint32_t stems;    // the number of the pair of their stems
} AlignerCell;

typedef struct AlignerCells {
    PairMap map;        // two types → their cell
    AlignerCell *items; // (cells)
    size_t count, items_capacity, links_capacity;
    size_t stem_pairs;
    double *links;            // (cells) c(x, y)
    float (*translations)[2]; // (cells) t(y | x), t(x | y): read together
    uint32_t *alike;          // (sources) the target type that is spelt alike, or ALIGNER_UNKNOWN
    AlignerTotals totals[2];
    double *unlinked[2]; // (types) expected words of each side without a link
    double *null[2];     // (types) t(x | null); t(y | null)
} AlignerCells;

/* Makes the cells of a corpus; t begins as the relative frequency of standing in one pair. Ends with
 * aligner_cells_free, also after a failure. */
Status aligner_cells_new(AlignerCells *cells, const AlignerCorpus *corpus, Error *error);

// The cell of two types that stand in one pair of the corpus.
static inline uint32_t aligner_cells_find(const AlignerCells *cells, uint32_t source,
                                          uint32_t target)
{
    return (uint32_t)pair_map_find(&cells->map, (int32_t)source, (int32_t)target);
}

// Sets links and unlinked to 0.
void aligner_cells_clear(AlignerCells *cells, const AlignerCorpus *corpus);

// Estimates t from links and unlinked.
Status aligner_cells_estimate(AlignerCells *cells, const AlignerCorpus *corpus, Error *error);

void aligner_cells_free(AlignerCells *cells);

#endif
