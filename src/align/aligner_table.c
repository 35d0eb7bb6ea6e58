#include "align/aligner_table.h"

#include "base/array.h"

static const char purpose[] = "the aligner's table";

Status aligner_table_new(AlignerTable *table, const AlignerVocabulary vocabularies[2],
                         size_t entries, Error *error)
{
    *table = (AlignerTable){.entries = entries};
    TRY(array_new(&table->rows, vocabularies[0].types.count, purpose, error));
    TRY(array_new(&table->begins, vocabularies[0].types.count, purpose, error));
    TRY(array_new(&table->columns, entries, purpose, error));
    TRY(array_new(&table->links, entries, purpose, error));
    for (int s = 0; s < 2; s++) {
        TRY(array_new(&table->type_links[s], vocabularies[s].types.count, purpose, error));
        TRY(array_new(&table->unlinked[s], vocabularies[s].types.count, purpose, error));
        TRY(aligner_totals_new(&table->totals[s], &vocabularies[s], error));
    }
    return STATUS_OK;
}

Status aligner_table_complete(AlignerTable *table, const AlignerVocabulary vocabularies[2],
                              Error *error)
{
    size_t entry = 0, capacity = 0;
    for (size_t x = 0; x < vocabularies[0].types.count; x++) {
        table->begins[x] = entry;
        for (size_t end = entry + table->rows[x]; entry < end; entry++) {
            const uint32_t source = vocabularies[0].classes[x].stem;
            const uint32_t target = vocabularies[1].classes[table->columns[entry]].stem;
            const size_t count = table->stem_pairs.count;
            TRY(pair_map_reserve(&table->stem_pairs, count + 1, purpose, error));
            TRY(array_reserve(&table->stem_links, &capacity, count + 1, purpose, error));
            size_t pair =
                (size_t)pair_map_enter(&table->stem_pairs, (int32_t)source, (int32_t)target);
            if (pair == count) table->stem_links[pair] = 0;
            table->stem_links[pair] += table->links[entry];
        }
    }
    for (int s = 0; s < 2; s++) {
        table->all_unlinked[s] = 0;
        for (size_t x = 0; x < vocabularies[s].types.count; x++) {
            table->totals[s].types[x] = table->type_links[s][x];
            table->all_unlinked[s] += table->unlinked[s][x];
        }
        aligner_totals_set(&table->totals[s], &vocabularies[s]);
    }
    return STATUS_OK;
}

// c(x, y), 0 where a type is not known.
static double find_links(const AlignerTable *table, uint32_t source, uint32_t target)
{
    if (source == ALIGNER_UNKNOWN || target == ALIGNER_UNKNOWN) return 0;
    size_t entry, end = table->begins[source] + table->rows[source];
    array_search(entry, table->begins[source], end, table->columns[entry] < target);
    return entry < end && table->columns[entry] == target ? (double)table->links[entry] : 0;
}

static double find_stem_links(const AlignerTable *table, uint32_t source, uint32_t target)
{
    if (source == ALIGNER_UNKNOWN || target == ALIGNER_UNKNOWN) return 0;
    int64_t pair = pair_map_find(&table->stem_pairs, (int32_t)source, (int32_t)target);
    return pair == PAIR_MAP_NONE ? 0 : table->stem_links[pair];
}

// The back-offs of y given x, where there are so many links between their stems.
static AlignerEvidence back_off(const AlignerTotals *given, const AlignerTotals *said,
                                AlignerWord x, AlignerWord y, double stems)
{
    AlignerEvidence evidence = {.unigram = said->unseen};
    double of_stem = 0;
    if (y.type != ALIGNER_UNKNOWN) {
        evidence.unigram = said->unigram[y.type];
        of_stem = said->of_stem[y.type];
    } else if (stems > 0) {
        of_stem = aligner_type_of_stem(1, said->stems[y.class.stem] + 1, 1);
    }
    if (stems > 0)
        evidence.stem = aligner_stem_of_stem(stems, given->stems[x.class.stem]) * of_stem;
    return evidence;
}

// What is left of some links.
static double less(double links, double left_out)
{
    return links > left_out ? links - left_out : 0;
}

void aligner_table_translations(double t[2], const AlignerTable *table, const AlignerQuery *query)
{
    const AlignerWord *words = query->words;
    double links = find_links(table, words[0].type, words[1].type);
    double stems = find_stem_links(table, words[0].class.stem, words[1].class.stem);
    for (int d = 0; d < 2; d++) {
        const AlignerTotals *given = &table->totals[d], *said = &table->totals[1 - d];
        AlignerWord x = words[d];
        AlignerEvidence evidence = back_off(given, said, x, words[1 - d], stems);
        evidence.links = less(links, query->left_out);
        evidence.alike = query->alike;
        double all = 0, unlinked = 0;
        if (x.type != ALIGNER_UNKNOWN) {
            all = given->types[x.type];
            unlinked = table->unlinked[d][x.type];
        }
        t[d] = aligner_translation(evidence, less(all, query->left_out) + unlinked);
    }
}

double aligner_table_null(const AlignerTable *table, const AlignerVocabulary *vocabulary, int side,
                          AlignerWord word)
{
    double unlinked = word.type == ALIGNER_UNKNOWN ? 0 : table->unlinked[side][word.type];
    double tokens = vocabulary->token_count ? (double)vocabulary->token_count : 1;
    return aligner_null_translation(unlinked, table->all_unlinked[side],
                                    aligner_vocabulary_frequency(vocabulary, word.type), tokens);
}

void aligner_table_free(AlignerTable *table)
{
    memory_free(table->rows);
    memory_free(table->begins);
    memory_free(table->columns);
    memory_free(table->links);
    pair_map_free(&table->stem_pairs);
    memory_free(table->stem_links);
    for (int s = 0; s < 2; s++) {
        memory_free(table->type_links[s]);
        memory_free(table->unlinked[s]);
        aligner_totals_free(&table->totals[s]);
    }
    *table = (AlignerTable){0};
}
