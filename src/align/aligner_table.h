/* What the aligner has learned about words, in a form small enough to be kept: the expected links of
 * those pairs of types that have any, in rows by source type. From them t follows for any two words
 * (aligner_translation.h). */
#pragma once

#include "align/aligner_translation.h"
#include "text/pair_map.h"

// Start from {0}, end with aligner_table_free.
typedef struct AlignerTable {
    uint32_t *rows;    // (sources) how many entries each source type has
    uint32_t *columns; // (entries) their target types, ascending in a row
    float *links;      // (entries) c(x, y)
    size_t entries;
    float *type_links[2]; // (types) c(x); c(y): also links that no entry has
    float *unlinked[2];   // (types) expected words of each side without a link

    // what follows from these
    size_t *begins;     // (sources) where each row begins
    PairMap stem_pairs; // two stems → their place in
    double *stem_links; // (stem_pairs.count) c(stem x, stem y)
    AlignerTotals totals[2];
    double all_unlinked[2];
} AlignerTable;

/* Takes memory for so many entries of the vocabularies' types, all 0. After a failure of this and of
 * the next the table can only be freed. */
Status aligner_table_new(AlignerTable *table, const AlignerVocabulary vocabularies[2],
                         size_t entries, Error *error);

// Sets what follows from rows, columns, links, type_links and unlinked.
Status aligner_table_complete(AlignerTable *table, const AlignerVocabulary vocabularies[2],
                              Error *error);

// Two words whose translation probabilities are wanted.
typedef struct AlignerQuery {
    AlignerWord words[2];
    bool alike;      // spelt alike
    double left_out; // c(x, y), c(x) and c(y) less so many links, but not less than 0
} AlignerQuery;

// Sets t[0] = t(y | x) and t[1] = t(x | y).
void aligner_table_translations(double t[2], const AlignerTable *table, const AlignerQuery *query);

// t(· | null) of a word of a side.
double aligner_table_null(const AlignerTable *table, const AlignerVocabulary *vocabulary, int side,
                          AlignerWord word);

void aligner_table_free(AlignerTable *table);
