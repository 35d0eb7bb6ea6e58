// What is wrong with a corpus that can be read: each fault is put into a good corpus, which has none.

#include "corpus/corpus_check.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <string.h>

static void add(TextCorpus *corpus, TextView source, TextView target, size_t line)
{
    TextPair pair = {{source, target}, {"file", line, line - 1}};
    assert_ok(text_corpus_add(corpus, &pair, NULL));
}

static TextCorpus good_corpus(void)
{
    TextCorpus corpus = {0};
    assert_ok(text_corpus_read(&corpus, "data/en-fr/valid.tsv", NULL, NULL));
    ck_assert_uint_ge(corpus.count, 400);
    return corpus;
}

static TextView side(const TextCorpus *corpus, size_t i, int which)
{
    return text_corpus_pair(corpus, i).sides[which];
}

static CorpusSymptoms look(const TextCorpus *corpus)
{
    CorpusSymptoms symptoms;
    assert_ok(corpus_check_symptoms(&symptoms, corpus, NULL));
    return symptoms;
}

TEST(good)
{
    TextCorpus good = good_corpus();
    CorpusSymptoms symptoms = look(&good);
    ck_assert_uint_eq(symptoms.pairs, good.count);
    ck_assert_uint_le(symptoms.identical + symptoms.swapped, good.count / 100);
    ck_assert_uint_eq(symptoms.numbers[0] + symptoms.numbers[1], 0);
    ck_assert_int_eq(symptoms.shift, 0);
    ck_assert(!symptoms.header);
    ck_assert_uint_eq(symptoms.simplified + symptoms.traditional, 0);
    text_corpus_free(&good);
    symptoms = look(&good); // now empty
    ck_assert_uint_eq(symptoms.pairs, 0);
}

TEST(swapped)
{
    TextCorpus good = good_corpus(), bad = {0};
    size_t wrong = 0;
    for (size_t i = 0; i < good.count; i++) {
        int first = i % 4 == 2;
        wrong += (size_t)first;
        add(&bad, side(&good, i, first), side(&good, i, !first), i + 1);
    }
    CorpusSymptoms symptoms = look(&bad);
    ck_assert_uint_ge(symptoms.swapped, wrong * 9 / 10);
    ck_assert_uint_le(symptoms.swapped, wrong + good.count / 100);
    ck_assert_uint_eq(symptoms.first_swapped.line, 3);
    text_corpus_free(&good);
    text_corpus_free(&bad);
}

TEST(one_language)
{
    TextCorpus good = good_corpus(), bad = {0};
    for (size_t i = 0; i + 1 < good.count; i++)
        add(&bad, side(&good, i, 0), side(&good, i + 1, 0), i + 1);
    ck_assert_uint_eq(look(&bad).swapped, 0);
    text_corpus_free(&bad);
    for (size_t i = 0; i < good.count; i++) add(&bad, side(&good, i, 0), side(&good, i, 0), i + 1);
    ck_assert_uint_eq(look(&bad).identical, good.count);
    text_corpus_free(&good);
    text_corpus_free(&bad);
}

TEST(shifted)
{
    static const int shifts[] = {1, 2, -1};
    TextCorpus good = good_corpus();
    for (size_t s = 0; s < sizeof shifts / sizeof *shifts; s++) {
        TextCorpus bad = {0}; // from the middle of the file on
        for (size_t i = 4; i + 4 < good.count; i++) {
            size_t other = i < 204 ? i : (size_t)((long)i - shifts[s]);
            add(&bad, side(&good, i, 0), side(&good, other, 1), i - 3);
        }
        CorpusSymptoms symptoms = look(&bad);
        ck_assert_int_eq(symptoms.shift, shifts[s]);
        ck_assert_uint_eq(symptoms.first_shifted.line, 201);
        text_corpus_free(&bad);
    }
    text_corpus_free(&good);
}

TEST(single_columns)
{
    TextCorpus corpus = {0};
    const TextView number = {"17", 2}, quoted = {"\"a b\"", 5}, en = {"en", 2}, fr = {"fr", 2};
    add(&corpus, en, fr, 1);
    for (size_t line = 2; line < 12; line++) add(&corpus, number, quoted, line);
    CorpusSymptoms symptoms = look(&corpus);
    ck_assert_uint_eq(symptoms.numbers[0], 10);
    ck_assert_uint_eq(symptoms.numbers[1], 0);
    ck_assert_uint_eq(symptoms.quoted[0], 0);
    ck_assert_uint_eq(symptoms.quoted[1], 10);
    ck_assert(symptoms.header);
    text_corpus_free(&corpus);
}

// The sources are left out of account.
TEST(scripts)
{
    static const char *const targets[] = {"这是我们的书。", "這是我們的書。", "他在家。",
                                          "這是我们的書。", "時間がありません。"};
    static const size_t counts[] = {5, 4, 3, 2, 1};
    TextCorpus corpus = {0};
    const TextView source = text_view_of(targets[1]);
    size_t line = 0;
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++)
        for (size_t i = 0; i < counts[t]; i++)
            add(&corpus, source, text_view_of(targets[t]), ++line);
    CorpusSymptoms symptoms = look(&corpus);
    ck_assert_uint_eq(symptoms.simplified, 5);
    ck_assert_uint_eq(symptoms.traditional, 4);
    text_corpus_free(&corpus);
}

// Twenty pairs of length `source` and `target` and one that is tried; returns whether it is suspicious.
static bool is_suspicious(size_t source, size_t target, size_t tried_source, size_t tried_target)
{
    static char text[2001];
    memset(text, 'x', sizeof text - 1);
    TextCorpus corpus = {0};
    for (size_t line = 1; line <= 21; line++)
        add(&corpus, (TextView){text, line == 7 ? tried_source : source},
            (TextView){text, line == 7 ? tried_target : target}, line);
    CorpusSymptoms symptoms = look(&corpus);
    ck_assert_uint_le(symptoms.unequal, 1);
    if (symptoms.unequal) ck_assert_uint_eq(symptoms.first_unequal.line, 7);
    text_corpus_free(&corpus);
    return symptoms.unequal;
}

TEST(lengths)
{
    ck_assert(!is_suspicious(50, 50, 50, 50));
    ck_assert(is_suspicious(50, 50, 5, 50));
    ck_assert(is_suspicious(50, 50, 50, 5));
    ck_assert(!is_suspicious(50, 50, 50, 10));
    // ten characters at least: "Stop!" may be one character in Chinese
    ck_assert(!is_suspicious(50, 50, 1, 10));
    ck_assert(is_suspicious(50, 50, 1, 12));
    // measured against the corpus' own ratio: thirty characters for ninety are usual here
    ck_assert(!is_suspicious(90, 30, 180, 10));
    ck_assert(is_suspicious(90, 30, 10, 60));
    ck_assert(!is_suspicious(50, 50, 10, 60));
}

// Lengths are of characters, not bytes: 2 Han characters are 6 bytes.
TEST(lengths_are_of_characters)
{
    const TextView ten = {"0123456789", 10}, han = {"你好", 6};
    const TextView thirty = {"012345678901234567890123456789", 30};
    TextCorpus corpus = {0};
    for (size_t line = 1; line <= 6; line++) add(&corpus, ten, ten, line);
    add(&corpus, han, thirty, 7);
    CorpusSymptoms symptoms = look(&corpus);
    ck_assert_uint_eq(symptoms.unequal, 1);
    ck_assert_uint_eq(symptoms.first_unequal.line, 7);
    text_corpus_free(&corpus);
}

// Only the first pairs are looked at; a quotation mark alone quotes nothing.
TEST(many_pairs)
{
    TextCorpus corpus = {0};
    const TextView words = {"ab", 2}, mark = {"\"", 1}, open = {"\"a", 2};
    for (size_t line = 1; line <= MAX_SYMPTOM_PAIRS; line++) add(&corpus, words, words, line);
    CorpusSymptoms symptoms = look(&corpus);
    ck_assert_uint_eq(symptoms.pairs, MAX_SYMPTOM_PAIRS);
    for (size_t line = 1; line <= 100; line++) add(&corpus, mark, mark, line);
    symptoms = look(&corpus);
    ck_assert_uint_eq(symptoms.pairs, MAX_SYMPTOM_PAIRS);
    ck_assert_uint_eq(symptoms.identical, MAX_SYMPTOM_PAIRS);
    text_corpus_free(&corpus);
    add(&corpus, mark, mark, 1);
    add(&corpus, open, open, 2);
    symptoms = look(&corpus);
    ck_assert_uint_eq(symptoms.pairs, 2);
    ck_assert_uint_eq(symptoms.quoted[0] + symptoms.quoted[1], 0);
    while (failing_malloc_next())
        (void)failing_malloc_expect(corpus_check_symptoms(&symptoms, &corpus, NULL));
    text_corpus_free(&corpus);
}

// A shift is one of a file: where another begins, so do its lines.
TEST(shifted_in_the_second_file)
{
    TextCorpus good = good_corpus(), bad = {0};
    for (size_t i = 0; i < 100; i++) add(&bad, side(&good, i, 0), side(&good, i, 1), i + 1);
    for (size_t i = 100; i < 299; i++) {
        TextPair pair = {{side(&good, i, 0), side(&good, i + 1, 1)}, {"other", i - 99, i - 100}};
        assert_ok(text_corpus_add(&bad, &pair, NULL));
    }
    CorpusSymptoms symptoms = look(&bad);
    ck_assert_int_eq(symptoms.shift, -1);
    ck_assert_str_eq(symptoms.first_shifted.file, "other");
    ck_assert_uint_eq(symptoms.first_shifted.line, 1);
    text_corpus_free(&good);
    text_corpus_free(&bad);
}
