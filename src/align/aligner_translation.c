#include "align/aligner_translation.h"

#include "base/array.h"

Status aligner_totals_new(AlignerTotals *totals, const AlignerVocabulary *vocabulary, Error *error)
{
    size_t types = vocabulary->types.count, stems = vocabulary->stems.count;
    *totals = (AlignerTotals){0};
    TRY(array_new(&totals->types, types, "the aligner", error));
    TRY(array_new(&totals->stems, stems, "the aligner", error));
    TRY(array_new(&totals->of_stem, types, "the aligner", error));
    return array_new(&totals->unigram, types, "the aligner", error);
}

void aligner_totals_set(AlignerTotals *totals, const AlignerVocabulary *vocabulary)
{
    size_t types = vocabulary->types.count;
    const AlignerClass *classes = vocabulary->classes;
    totals->all = 0;
    for (size_t x = 0; x < types; x++) totals->all += totals->types[x];
    totals->unseen = aligner_unigram(1, totals->all + 1, (double)types + 1);
    double *members = totals->stems;
    memset(members, 0, vocabulary->stems.count * sizeof *members);
    for (size_t x = 0; x < types; x++) members[classes[x].stem] += 1;
    for (size_t x = 0; x < types; x++) totals->of_stem[x] = members[classes[x].stem];
    memset(totals->stems, 0, vocabulary->stems.count * sizeof *totals->stems);
    for (size_t x = 0; x < types; x++) totals->stems[classes[x].stem] += totals->types[x];
    for (size_t x = 0; x < types; x++) {
        double stem = totals->stems[classes[x].stem];
        totals->of_stem[x] = aligner_type_of_stem(totals->types[x], stem, totals->of_stem[x]);
        totals->unigram[x] = aligner_unigram(totals->types[x], totals->all, (double)types);
    }
}

void aligner_totals_free(AlignerTotals *totals)
{
    memory_free(totals->types);
    memory_free(totals->stems);
    memory_free(totals->of_stem);
    memory_free(totals->unigram);
    *totals = (AlignerTotals){0};
}
