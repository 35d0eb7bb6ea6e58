#include "align/aligner_trim.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

static const double GROWTH = 1.1; // of the fewest links, from one try to the next
static const char PURPOSE[] = "the aligner's table";

// Which types are kept with entries of at least so many links, and how much they and these take.
typedef struct Kept {
    AlignerSizes sizes;
    uint32_t *numbers[2]; // (types) the new number of each, or ALIGNER_UNKNOWN
    float least;
    size_t entries;
    size_t bytes;
} Kept;

static Status kept_new(Kept *kept, const Aligner *aligner, AlignerForm form, Error *error)
{
    *kept = (Kept){.sizes = aligner_sizes(aligner, form)};
    for (int s = 0; s < 2; s++)
        TRY(array_new(&kept->numbers[s], aligner->vocabularies[s].types.count, PURPOSE, error));
    return STATUS_OK;
}

static void kept_free(Kept *kept)
{
    for (int s = 0; s < 2; s++) memory_free(kept->numbers[s]);
}

static void number_types(Kept *kept, const Aligner *aligner, int side)
{
    const StringMap *types = &aligner->vocabularies[side].types;
    uint32_t next = 0;
    for (size_t x = 0; x < types->count; x++) {
        if (kept->numbers[side][x] == ALIGNER_UNKNOWN) continue;
        kept->numbers[side][x] = next++;
        kept->bytes += kept->sizes.type[side] + types->entries[x].length + 1;
    }
}

static void choose(Kept *kept, const Aligner *aligner, float least)
{
    const AlignerTable *table = &aligner->table;
    kept->least = least;
    kept->entries = 0;
    for (int s = 0; s < 2; s++)
        memset(kept->numbers[s], 0xff,
               aligner->vocabularies[s].types.count * sizeof *kept->numbers[s]);
    for (size_t x = 0; x < aligner->vocabularies[0].types.count; x++)
        for (size_t e = table->begins[x]; e < table->begins[x] + table->rows[x]; e++) {
            if (table->links[e] < least) continue;
            kept->numbers[0][x] = kept->numbers[1][table->columns[e]] = 0;
            kept->entries++;
        }
    kept->bytes = kept->entries * kept->sizes.entry;
    for (int s = 0; s < 2; s++) number_types(kept, aligner, s);
}

static Status copy_types(AlignerVocabulary *out, const AlignerVocabulary *vocabulary,
                         const uint32_t *numbers, Error *error)
{
    for (size_t x = 0; x < vocabulary->types.count; x++) {
        const StringMapEntry *type = &vocabulary->types.entries[x];
        uint32_t number;
        if (numbers[x] == ALIGNER_UNKNOWN) continue;
        TRY(aligner_vocabulary_add(out, &number, (TextView){type->key, type->length},
                                   (size_t)type->value, error));
    }
    return STATUS_OK;
}

static void copy_entries(AlignerTable *out, const AlignerTable *table, const Kept *kept,
                         size_t sources)
{
    size_t next = 0;
    for (size_t x = 0; x < sources; x++)
        for (size_t e = table->begins[x]; e < table->begins[x] + table->rows[x]; e++) {
            if (table->links[e] < kept->least) continue;
            out->rows[kept->numbers[0][x]]++;
            out->columns[next] = kept->numbers[1][table->columns[e]];
            out->links[next++] = table->links[e];
        }
}

static Status copy(Aligner *out, const Aligner *aligner, const Kept *kept, Error *error)
{
    const AlignerTable *table = &aligner->table;
    memcpy(out->jumps, aligner->jumps, sizeof out->jumps);
    for (int s = 0; s < 2; s++)
        TRY(copy_types(&out->vocabularies[s], &aligner->vocabularies[s], kept->numbers[s], error));
    TRY(aligner_table_new(&out->table, out->vocabularies, kept->entries, error));
    copy_entries(&out->table, table, kept, aligner->vocabularies[0].types.count);
    for (int s = 0; s < 2; s++)
        for (size_t x = 0; x < aligner->vocabularies[s].types.count; x++) {
            uint32_t number = kept->numbers[s][x];
            if (number == ALIGNER_UNKNOWN) continue;
            out->table.type_links[s][number] = table->type_links[s][x];
            out->table.unlinked[s][number] = table->unlinked[s][x];
        }
    return aligner_table_complete(&out->table, out->vocabularies, error);
}

Status aligner_trim(Aligner *aligner, AlignerForm form, size_t bytes, Error *error)
{
    const float first = 1e-3F;
    Kept kept;
    Aligner trimmed = {.table = {0}};
    Status status = kept_new(&kept, aligner, form, error);
    if (!status) choose(&kept, aligner, 0);
    for (float least = first; !status && kept.bytes > bytes; least *= (float)GROWTH)
        choose(&kept, aligner, least);
    if (!status) status = copy(&trimmed, aligner, &kept, error);
    kept_free(&kept);
    aligner_free(status ? &trimmed : aligner);
    if (!status) *aligner = trimmed;
    return status;
}
