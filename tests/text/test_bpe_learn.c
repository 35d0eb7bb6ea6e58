#include "base/random.h"
#include "support/failing_malloc.h"
#include "text/bpe_learn.h"
#include "text/chunks.h"
#include "text/vocabulary_case.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(BpeLearner *learner, const char *text, int times)
{
    for (int i = 0; i < times; i++) assert_ok(bpe_learner_add(learner, text, strlen(text), NULL));
}

static BpeLearner *new_learner(void)
{
    BpeLearner *learner;
    assert_ok(bpe_learner_new(&learner, NULL));
    return learner;
}

static Vocabulary *finish(BpeLearner *learner, size_t size)
{
    Vocabulary *vocabulary;
    Error error = {0};
    Status status = bpe_learner_finish(learner, size, &vocabulary, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.text);
    return vocabulary;
}

// Checks that the subwords after the bytes have these spellings, in this order, and that no others
// follow.
static void check_subwords(const Vocabulary *vocabulary, const char *const *spellings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *found = vocabulary_spelling(vocabulary, (int32_t)(TOKEN_FIRST + i));
        ck_assert_ptr_nonnull(found);
        ck_assert_str_eq(found, spellings[i]);
    }
    ck_assert_uint_eq(vocabulary_size(vocabulary), TOKEN_FIRST + count);
}

#define CHECK_SUBWORDS(vocabulary, ...)                                                            \
    check_subwords(vocabulary, (const char *const[]){__VA_ARGS__},                                 \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* The example of Sennrich, Haddow & Birch, with the space before a word instead of the mark behind
 * it. At first the pairs e·s and s·t are seen 9 times each (6 newest, 3 widest), and e·s is spelt
 * first; then es·t 9; then low: l·o, o·w and the space's pair 7 each; then 6 of newest, 3 of
 * widest, 2 of lower. */
TEST(by_hand)
{
    BpeLearner *learner = new_learner();
    add(learner, "low", 5);
    add(learner, "lower", 2);
    add(learner, "newest", 6);
    add(learner, "widest", 3);
    Vocabulary *vocabulary = finish(learner, 300); // more than this text can give
    CHECK_SUBWORDS(vocabulary, SPACE, "e", "w", "s", "t", "l", "o", "n", "d", "i", "r", //
                   "es", "est", "lo", "low", SPACE "low", "ew", "ewest", "newest",
                   SPACE "newest", //
                   "dest", "idest", "widest", SPACE "widest", "er", SPACE "lower");
    bpe_learner_free(learner);
    vocabulary_free(vocabulary);
}

TEST(overlapping_pairs)
{
    BpeLearner *learner = new_learner();
    add(learner, "aaaaa", 2); // a·a eight times, joined from the left: aa aa a
    Vocabulary *vocabulary = finish(learner, 300);
    CHECK_SUBWORDS(vocabulary, SPACE, "a", "aa", "aaa", "aaaaa", SPACE "aaaaa");
    bpe_learner_free(learner);
    vocabulary_free(vocabulary);
}

TEST(what_is_seen_once_stays_apart)
{
    BpeLearner *learner = new_learner();
    add(learner, "ab", 1);
    add(learner, "ba", 1);
    Vocabulary *vocabulary = finish(learner, 300);
    CHECK_SUBWORDS(vocabulary, SPACE, "a", "b"); // every pair is seen once
    bpe_learner_free(learner);
    vocabulary_free(vocabulary);

    learner = new_learner();
    vocabulary = finish(learner, 300); // from nothing
    CHECK_SUBWORDS(vocabulary, SPACE);
    bpe_learner_free(learner);
    vocabulary_free(vocabulary);
}

TEST(never_in_the_alphabet)
{
    BpeLearner *learner = new_learner();
    static const char text[] = "a\0" SPACE "\x01\x7F\xC2\x85\xEF\xBF\xBF\xFF\xE2\x80\xA8";
    for (int i = 0; i < 5; i++) assert_ok(bpe_learner_add(learner, text, sizeof text - 1, NULL));
    Vocabulary *vocabulary = finish(learner, 300);
    CHECK_SUBWORDS(vocabulary, SPACE, "a", SPACE "a");
    bpe_learner_free(learner);
    vocabulary_free(vocabulary);
}

/* However often they are seen, no subword spells a special token or a byte: their brackets are of
 * another class than what stands between them. */
TEST(never_spells_a_special)
{
    BpeLearner *learner = new_learner();
    add(learner, "<s> </s> <pad> <unk> <0xE2> <0x41> <<>>", 50);
    Vocabulary *vocabulary = finish(learner, 400);
    for (size_t id = 0; id < vocabulary_size(vocabulary); id++) {
        const char *spelling = vocabulary_spelling(vocabulary, (int32_t)id);
        ck_assert_int_eq(vocabulary_find(vocabulary, spelling, strlen(spelling)), (int32_t)id);
    }
    ck_assert_int_eq(vocabulary_find(vocabulary, "<s>", 3), TOKEN_BOS);
    ck_assert_int_eq(vocabulary_find(vocabulary, "<0x41>", 6), TOKEN_BYTES + 0x41);
    bpe_learner_free(learner);
    vocabulary_free(vocabulary);
}

// A word of 1000 letters gives no subword of more than 256 bytes, and learning goes on without it.
TEST(subwords_are_bounded)
{
    char word[1001] = "";
    Random random = random_from(4, 0);
    for (int i = 0; i < 1000; i++) word[i] = (char)('a' + random_below(&random, 26));
    BpeLearner *learner = new_learner();
    add(learner, word, 2);
    Vocabulary *vocabulary = finish(learner, 5000);
    size_t longest = 0;
    for (size_t id = 0; id < vocabulary_size(vocabulary); id++) {
        size_t length;
        vocabulary_bytes(vocabulary, (int32_t)id, &length);
        if (length > longest) longest = length;
    }
    ck_assert_uint_le(longest, 256);
    ck_assert_uint_gt(longest, 100);
    Subwords subwords = {0};
    assert_ok(vocabulary_encode(vocabulary, word, 1000, &subwords, NULL));
    ck_assert_uint_ge(subwords.count, 4);
    ck_assert_uint_lt(subwords.count, 20);
    subwords_free(&subwords);
    bpe_learner_free(learner);
    vocabulary_free(vocabulary);
}

// With 300 subwords there is room for 40: the space and 19 characters, the most frequent, then 20
// merges.
TEST(a_small_vocabulary_keeps_room_for_merges)
{
    BpeLearner *learner = new_learner();
    add(learner, "abcdefghijklmnopqrstuvwxyz", 2);
    add(learner, "zyxw", 2);
    Vocabulary *vocabulary = finish(learner, 300);
    ck_assert_uint_eq(vocabulary_size(vocabulary), 300);
    static const char letters[] = "wxyzabcdefghijklmno";
    for (size_t i = 0; i < 19; i++)
        ck_assert_int_eq(vocabulary_find(vocabulary, letters + i, 1),
                         (int32_t)(TOKEN_FIRST + 1 + i));
    ck_assert_int_eq(vocabulary_find(vocabulary, "p", 1), -1);
    ck_assert_int_eq(vocabulary_find(vocabulary, "v", 1), -1);
    ck_assert_int_ge(vocabulary_find(vocabulary, "ab", 2), TOKEN_FIRST + 20);
    bpe_learner_free(learner);
    vocabulary_free(vocabulary);
}

TEST(sizes_out_of_range)
{
    BpeLearner *learner = new_learner();
    add(learner, "some text", 3);
    static const size_t sizes[] = {0, 299, 1000001, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        Error error = {0};
        Vocabulary *vocabulary = (Vocabulary *)learner;
        ck_assert_int_eq(bpe_learner_finish(learner, sizes[i], &vocabulary, &error),
                         STATUS_ARGUMENT);
        ck_assert_ptr_null(vocabulary);
        assert_contains(error.text, "choose 300 to 1000000");
    }
    Vocabulary *vocabulary = finish(learner, 1000000); // and the learner is still of use
    ck_assert_uint_lt(vocabulary_size(vocabulary), 300);
    vocabulary_free(vocabulary);
    bpe_learner_free(learner);
    bpe_learner_free(NULL);
}

/* A random text over few letters, so that pairs tie, overlap, and the same spelling comes about in
 * several ways. */
static void random_text(Random *random, Bytes *text)
{
    static const char *const letters[] = {"a", "b", "c", " ", "\xC3\xA9", "\xE4\xB8\xAD"};
    bytes_clear(text);
    size_t count = 1 + random_below(random, 30);
    for (size_t i = 0; i < count; i++) {
        const char *letter = letters[random_below(random, 6)];
        assert_ok(bytes_append_string(text, letter, NULL));
    }
}

// The order in which texts come does not matter, and a learner may finish twice.
TEST(deterministic)
{
    enum { TEXTS = 200 };
    Random random = random_from(2, 0);
    Bytes texts[TEXTS] = {{0}};
    uint32_t order[TEXTS];
    for (uint32_t i = 0; i < TEXTS; i++) {
        random_text(&random, &texts[i]);
        order[i] = i;
    }
    char *first = NULL;
    for (int round = 0; round < 5; round++) {
        BpeLearner *learner = new_learner();
        for (int i = 0; i < TEXTS; i++) add(learner, texts[order[i]].data, 1);
        for (int again = 0; again < 2; again++) {
            Vocabulary *vocabulary = finish(learner, 400);
            char *json = dump(vocabulary);
            if (first) ck_assert_str_eq(json, first);
            if (first)
                free(json);
            else
                first = json;
            vocabulary_free(vocabulary);
        }
        bpe_learner_free(learner);
        random_shuffle(&random, order, TEXTS);
    }
    free(first);
    for (int i = 0; i < TEXTS; i++) bytes_free(&texts[i]);
}

/* Learning by its definition, with everything counted anew for every merge. Chunks are rows of
 * subwords of the vocabulary under test, so that its spellings and merges can be compared one by
 * one. */
enum { MAX_ROWS = 4000, MAX_ROW = 40 };
typedef struct Rows {
    int32_t ids[MAX_ROWS][MAX_ROW];
    size_t lengths[MAX_ROWS];
    size_t count;
} Rows;

static void add_rows(Rows *rows, const Vocabulary *vocabulary, const Bytes *text)
{
    Bytes spaced = {0};
    assert_ok(bytes_append_format(&spaced, NULL, " %s", text->data));
    for (size_t begin = 0; begin < spaced.length;) {
        size_t end = chunk_end(spaced.data, spaced.length, begin), length = 0;
        for (size_t at = begin; at < end;) {
            size_t taken = (unsigned char)spaced.data[at] < 0x80 ? 1
                           : spaced.data[at] == '\xC3'           ? 2
                                                                 : 3;
            bool space = spaced.data[at] == ' ';
            rows->ids[rows->count][length++] =
                vocabulary_find(vocabulary, space ? SPACE : spaced.data + at, space ? 3 : taken);
            at += taken;
        }
        rows->lengths[rows->count++] = length;
        begin = end;
    }
    bytes_free(&spaced);
}

static void join_in_rows(Rows *rows, int32_t left, int32_t right, int32_t result)
{
    for (size_t r = 0; r < rows->count; r++) {
        int32_t *row = rows->ids[r];
        size_t kept = 0;
        for (size_t i = 0; i < rows->lengths[r]; i++) {
            bool joins = i + 1 < rows->lengths[r] && row[i] == left && row[i + 1] == right;
            row[kept++] = joins ? result : row[i];
            i += (size_t)joins;
        }
        rows->lengths[r] = kept;
    }
}

enum { MAX_IDS = 360 };
typedef size_t CountTable[MAX_IDS][MAX_IDS];

// The most frequent pair of the rows, ties by spelling; its count, 0 if there is none.
static size_t best_pair(const Rows *rows, const Vocabulary *vocabulary, CountTable counts,
                        int32_t *left, int32_t *right)
{
    memset(counts, 0, sizeof(CountTable));
    for (size_t r = 0; r < rows->count; r++)
        for (size_t i = 0; i + 1 < rows->lengths[r]; i++)
            counts[rows->ids[r][i]][rows->ids[r][i + 1]]++;
    size_t best = 0;
    for (int32_t a = 0; a < MAX_IDS; a++)
        for (int32_t b = 0; b < MAX_IDS; b++) {
            if (!counts[a][b] || counts[a][b] < best) continue;
            int order = -1;
            if (counts[a][b] == best)
                order = strcmp(vocabulary_spelling(vocabulary, a),
                               vocabulary_spelling(vocabulary, *left));
            if (!order)
                order = strcmp(vocabulary_spelling(vocabulary, b),
                               vocabulary_spelling(vocabulary, *right));
            if (order > 0) continue;
            best = counts[a][b];
            *left = a;
            *right = b;
        }
    return best;
}

static int32_t find_joined(const Vocabulary *vocabulary, int32_t left, int32_t right)
{
    char joined[256];
    snprintf(joined, sizeof joined, "%s%s", vocabulary_spelling(vocabulary, left),
             vocabulary_spelling(vocabulary, right));
    return vocabulary_find(vocabulary, joined, strlen(joined));
}

TEST(equals_the_definition, .seconds = 30)
{
    Random random = random_from(9, 0);
    static Rows rows;
    static CountTable counts;
    rows.count = 0;
    Bytes texts[200] = {{0}};
    BpeLearner *learner = new_learner();
    for (int i = 0; i < 200; i++) {
        random_text(&random, &texts[i]);
        add(learner, texts[i].data, 1);
    }
    Vocabulary *vocabulary = finish(learner, 350);
    json_t *json = vocabulary_to_json(vocabulary);
    const json_t *merges = json_object_get(json, "merges");
    size_t alphabet = json_array_size(json_object_get(json, "alphabet"));
    ck_assert_uint_eq(alphabet, 6);
    for (int i = 0; i < 200; i++) add_rows(&rows, vocabulary, &texts[i]);

    for (size_t m = 0; m < json_array_size(merges); m++) {
        int32_t left = -1, right = -1;
        // merges that are there already come first where their pair turns up again
        for (size_t e = 0; e < m; e++) {
            int32_t a = (int32_t)json_integer_value(json_array_get(json_array_get(merges, e), 0));
            int32_t b = (int32_t)json_integer_value(json_array_get(json_array_get(merges, e), 1));
            join_in_rows(&rows, a, b, find_joined(vocabulary, a, b));
        }
        ck_assert_uint_ge(best_pair(&rows, vocabulary, counts, &left, &right), 2);
        const json_t *merge = json_array_get(merges, m);
        ck_assert_int_eq(json_integer_value(json_array_get(merge, 0)), left);
        ck_assert_int_eq(json_integer_value(json_array_get(merge, 1)), right);
        join_in_rows(&rows, left, right, find_joined(vocabulary, left, right));
    }
    ck_assert_uint_eq(vocabulary_size(vocabulary), 350);
    json_decref(json);
    vocabulary_free(vocabulary);
    bpe_learner_free(learner);
    for (int i = 0; i < 200; i++) bytes_free(&texts[i]);
}

static Status learn(Vocabulary **vocabulary)
{
    static const char *const texts[] = {"the theme of the thesis", "aaaa aaaaaaa bababab",
                                        "this one, that one, these ones; those other ones", ""};
    BpeLearner *learner = NULL;
    Status status = bpe_learner_new(&learner, NULL);
    for (size_t i = 0; i < 8 && !status; i++)
        status = bpe_learner_add(learner, texts[i / 2], strlen(texts[i / 2]), NULL);
    if (!status) status = bpe_learner_finish(learner, 310, vocabulary, NULL);
    bpe_learner_free(learner);
    return status;
}

TEST(out_of_memory, .seconds = 60)
{
    Vocabulary *whole = NULL;
    assert_ok(learn(&whole));
    while (failing_malloc_next()) {
        Vocabulary *vocabulary = NULL;
        bool failed = failing_malloc_expect(learn(&vocabulary));
        ck_assert(failed ? !vocabulary : vocabulary_equal(vocabulary, whole));
        vocabulary_free(vocabulary);
    }
    vocabulary_free(whole);
}
