#include "align/aligner_file.h"

#include "support/aligner_pairs.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <string.h>

// What an aligner takes in a file, with so many bytes a number, its fixed numbers aside.
static size_t bytes_of(const Aligner *aligner, size_t number)
{
    size_t numbers = 2 * aligner->table.entries + aligner->vocabularies[0].types.count, letters = 0;
    for (int s = 0; s < 2; s++) {
        const StringMap *types = &aligner->vocabularies[s].types;
        numbers += 3 * types->count;
        for (size_t x = 0; x < types->count; x++) letters += types->entries[x].length + 1;
    }
    return number * numbers + letters;
}

// c(x, y) of two spellings; 0 if there is no entry.
static float links_of(const Aligner *aligner, const char *source, const char *target)
{
    const AlignerTable *table = &aligner->table;
    TextView spellings[2] = {{source, strlen(source)}, {target, strlen(target)}};
    uint32_t x = aligner_vocabulary_find(&aligner->vocabularies[0], spellings[0]).type;
    uint32_t y = aligner_vocabulary_find(&aligner->vocabularies[1], spellings[1]).type;
    if (x == ALIGNER_UNKNOWN || y == ALIGNER_UNKNOWN) return 0;
    for (size_t e = table->begins[x]; e < table->begins[x] + table->rows[x]; e++)
        if (table->columns[e] == y) return table->links[e];
    return 0;
}

static void expect_posteriors(const Aligner *aligner, const AlignerPosteriors *expected)
{
    AlignerPosteriors posteriors = {0};
    aligner_pairs_align(&posteriors, aligner, "my house", "ma maison");
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(posteriors.forward[i], expected->forward[i], 1e-12);
    aligner_posteriors_free(&posteriors);
}

// With room for all, only types without an entry go, which changes nothing that matters.
TEST(room_for_all)
{
    Aligner aligner = aligner_pairs_learn(1);
    AlignerPosteriors before = {0};
    size_t entries = aligner.table.entries;
    assert_ok(aligner_trim(&aligner, ALIGNER_EXACT, SIZE_MAX, NULL));
    ck_assert_uint_eq(aligner.table.entries, entries);
    aligner_pairs_align(&before, &aligner, "my house", "ma maison");
    assert_ok(aligner_trim(&aligner, ALIGNER_EXACT, SIZE_MAX, NULL));
    expect_posteriors(&aligner, &before);
    aligner_posteriors_free(&before);
    aligner_free(&aligner);
}

// Whatever the room: it is kept to, and the entries with the most links are the last to go.
static void expect_strongest_stay(AlignerForm form)
{
    for (size_t room = 2000; room < SIZE_MAX; room = room ? room * 3 / 4 : SIZE_MAX) {
        Aligner whole = aligner_pairs_learn(1), aligner = aligner_pairs_learn(1);
        assert_ok(aligner_trim(&aligner, form, room, NULL));
        ck_assert_uint_le(bytes_of(&aligner, form == ALIGNER_EXACT ? 4 : 2), room);
        ck_assert_mem_eq(aligner.jumps, whole.jumps, sizeof whole.jumps);
        float house = links_of(&aligner, "house", "maison"), my = links_of(&aligner, "my", "ma");
        ck_assert(house == 0 || house == links_of(&whole, "house", "maison"));
        ck_assert(my == 0 || house > 0);
        ck_assert(room > 0 || aligner.table.entries == 0);
        aligner_free(&whole);
        aligner_free(&aligner);
    }
}

TEST(strongest_stay)
{
    expect_strongest_stay(ALIGNER_EXACT);
    expect_strongest_stay(ALIGNER_ROUNDED);
}

TEST(out_of_memory)
{
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        Aligner aligner = aligner_pairs_learn(1);
        failing_malloc_at(n);
        failed = failing_malloc_expect(aligner_trim(&aligner, ALIGNER_EXACT, 400, NULL));
        aligner_free(&aligner);
    }
}
