#define _POSIX_C_SOURCE 200809L // ftruncate
#include "corpus/text_corpus.h"

#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(TextCorpus *corpus, const char *source, const char *target)
{
    const TextPair pair = {{{source, strlen(source)}, {target, strlen(target)}}, {NULL, 0, 0}};
    assert_ok(text_corpus_add(corpus, &pair, NULL));
}

static void expect_pair(const TextCorpus *corpus, size_t i, const char *source, const char *target)
{
    TextPair pair = text_corpus_pair(corpus, i);
    ck_assert_str_eq(pair.sides[0].data, source);
    ck_assert_str_eq(pair.sides[1].data, target);
    ck_assert_uint_eq(pair.sides[0].length, strlen(source));
    ck_assert_uint_eq(pair.sides[1].length, strlen(target));
}

// Sources "s0" … , each `times` times.
static TextCorpus numbered(size_t sources, size_t times)
{
    TextCorpus corpus = {0};
    for (size_t i = 0; i < sources * times; i++) {
        char source[32], target[32];
        snprintf(source, sizeof source, "s%zu", i / times);
        snprintf(target, sizeof target, "t%zu", i);
        add(&corpus, source, target);
    }
    return corpus;
}

TEST(adds)
{
    TextCorpus corpus = {0};
    add(&corpus, "ein Satz", "a sentence");
    add(&corpus, "", "x");
    add(&corpus, "y", "");
    ck_assert_uint_eq(corpus.count, 3);
    expect_pair(&corpus, 0, "ein Satz", "a sentence");
    expect_pair(&corpus, 1, "", "x");
    expect_pair(&corpus, 2, "y", "");
    text_corpus_free(&corpus);
    corpus = numbered(2000, 1);
    for (size_t i = 0; i < 2000; i++)
        ck_assert_uint_le(text_corpus_pair(&corpus, i).sides[0].length, 5);
    expect_pair(&corpus, 1999, "s1999", "t1999");
    text_corpus_free(&corpus);
    text_corpus_free(&corpus);
}

TEST(reads)
{
    TextCorpus corpus = {0};
    Error error = {0};
    const char *a = scratch_path("a.tsv"), *b = scratch_path("b.tsv");
    scratch_write(a, "a  b\tc\tmore\n\tx\nd\xff\te\n", 20);
    scratch_write(b, "f\tg\xff\nh\t\n", 8);
    assert_ok(text_corpus_read(&corpus, a, NULL, NULL));
    assert_ok(text_corpus_read(&corpus, b, NULL, NULL));
    ck_assert_uint_eq(corpus.count, 3);
    expect_pair(&corpus, 0, "a b", "c");
    expect_pair(&corpus, 1, "d\xef\xbf\xbd", "e");
    ck_assert_uint_eq(corpus.counts.lines, 5);
    ck_assert_uint_eq(corpus.counts.empty, 2);
    ck_assert_uint_eq(corpus.counts.invalid, 2);
    ck_assert_uint_eq(corpus.counts.invalid_line, 3); // the first of all
    assert_contains(corpus.counts.invalid_file, "a.tsv");
    ck_assert_int_eq(text_corpus_read(&corpus, scratch_path("none"), NULL, &error), STATUS_IO);
    scratch_write(a, "no tab\n", 7);
    ck_assert_int_eq(text_corpus_read(&corpus, a, NULL, &error), STATUS_FORMAT);
    assert_contains(error.text, "a.tsv");
    ck_assert_uint_eq(corpus.count, 3);
    text_corpus_free(&corpus);
}

TEST(hash)
{
    TextCorpus corpora[4];
    memset(corpora, 0, sizeof corpora);
    add(&corpora[0], "a", "b");
    add(&corpora[0], "c", "d");
    add(&corpora[1], "c", "d");
    add(&corpora[1], "a", "b");
    add(&corpora[2], "a", "bc");
    add(&corpora[2], "", "d");
    add(&corpora[3], "a", "b");
    add(&corpora[3], "c", "d");
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < i; j++) ck_assert(corpora[i].hash != corpora[j].hash);
    ck_assert(corpora[0].hash == corpora[3].hash);
    for (size_t i = 0; i < 4; i++) text_corpus_free(&corpora[i]);
}

static size_t count_source(const TextCorpus *corpus, const char *source)
{
    size_t count = 0;
    for (size_t i = 0; i < corpus->count; i++)
        count += !strcmp(text_corpus_pair(corpus, i).sides[0].data, source);
    return count;
}

TEST(split)
{
    TextCorpus corpus = numbered(300, 1), held_out = {0};
    assert_ok(text_corpus_split(&corpus, &held_out, 1000, 0.1, NULL));
    ck_assert_uint_eq(held_out.count, 30);
    ck_assert_uint_eq(corpus.count, 270);
    for (size_t i = 0; i < 300; i++) {
        char source[32];
        snprintf(source, sizeof source, "s%zu", i);
        ck_assert_uint_eq(count_source(&corpus, source) + count_source(&held_out, source), 1);
    }
    text_corpus_free(&held_out);
    assert_ok(text_corpus_split(&corpus, &held_out, 7, 0.1, NULL));
    ck_assert_uint_eq(held_out.count, 7);
    text_corpus_free(&held_out);
    assert_ok(text_corpus_split(&corpus, &held_out, 1000, 0, NULL));
    ck_assert_uint_eq(held_out.count, 1); // never none
    text_corpus_free(&held_out);
    assert_ok(text_corpus_split(&corpus, &held_out, 1000, 1, NULL));
    ck_assert_uint_eq(corpus.count, 1); // never all
    text_corpus_free(&held_out);
    text_corpus_free(&corpus);
}

TEST(split_keeps_equal_sources_together)
{
    TextCorpus corpus = numbered(50, 4), held_out = {0};
    assert_ok(text_corpus_split(&corpus, &held_out, 1000, 0.05, NULL));
    ck_assert_uint_ge(held_out.count, 10);
    ck_assert_uint_le(held_out.count, 13);
    for (size_t i = 0; i < held_out.count; i++) {
        const char *source = text_corpus_pair(&held_out, i).sides[0].data;
        ck_assert_uint_eq(count_source(&held_out, source), 4);
        ck_assert_uint_eq(count_source(&corpus, source), 0);
    }
    text_corpus_free(&held_out);
    text_corpus_free(&corpus);
}

TEST(split_of_too_little)
{
    Error error = {0};
    for (size_t count = 1; count < 4; count++) {
        TextCorpus corpus = numbered(1, count), held_out = {0};
        ck_assert_int_eq(text_corpus_split(&corpus, &held_out, 1000, 0.5, &error), STATUS_ARGUMENT);
        assert_contains(error.text, "two different source sentences");
        assert_contains(error.text, "others for validation");
        ck_assert_uint_eq(corpus.count, count);
        text_corpus_free(&corpus);
    }
    TextCorpus corpus = numbered(2, 1), held_out = {0};
    assert_ok(text_corpus_split(&corpus, &held_out, 1000, 0.02, NULL));
    ck_assert_uint_eq(corpus.count, 1);
    ck_assert_uint_eq(held_out.count, 1);
    text_corpus_free(&held_out);
    text_corpus_free(&corpus);
}

static double overlap_of(const char *source, const char *target)
{
    TextCorpus corpus = {0};
    double overlap = -1;
    add(&corpus, source, target);
    assert_ok(text_corpus_common_letters(&corpus, &overlap, NULL));
    text_corpus_free(&corpus);
    return overlap;
}

TEST(overlap)
{
    ck_assert_double_eq_tol(overlap_of("abc", "c b a a b c"), 1, 1e-12);
    ck_assert_double_eq(overlap_of("abc", "абв"), 0);
    ck_assert_double_eq_tol(overlap_of("aabb", "aaac"), 0.5, 1e-12); // min(1/2, 3/4) + 0 + 0
    ck_assert_double_eq(overlap_of("12, 3!", "12, 3!"), 0);          // no letters
    ck_assert_double_eq(overlap_of("a", "1"), 0);
    ck_assert_double_eq_tol(overlap_of("a1", "a"), 1, 1e-12);
}

TEST(out_of_memory)
{
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        TextCorpus corpus = numbered(40, 1), held_out = {0};
        double overlap;
        failing_malloc_at(n);
        Status status = text_corpus_common_letters(&corpus, &overlap, NULL);
        if (!status) status = text_corpus_split(&corpus, &held_out, 1000, 0.5, NULL);
        failed = failing_malloc_expect(status);
        ck_assert_uint_eq(corpus.count, failed ? 40 : 20);
        text_corpus_free(&corpus);
        text_corpus_free(&held_out);
    }
}

TEST(takes)
{
    TextCorpus corpus = numbered(4, 1), taken = {0};
    assert_ok(text_corpus_take(&corpus, (const bool[]){true, false, false, true}, &taken, NULL));
    ck_assert_uint_eq(corpus.count, 2);
    ck_assert_uint_eq(taken.count, 2);
    expect_pair(&corpus, 0, "s1", "t1");
    expect_pair(&corpus, 1, "s2", "t2");
    expect_pair(&taken, 1, "s3", "t3");
    assert_ok(text_corpus_take(&corpus, (const bool[]){true, false}, NULL, NULL));
    ck_assert_uint_eq(corpus.count, 1);
    expect_pair(&corpus, 0, "s2", "t2");
    text_corpus_free(&corpus);
    text_corpus_free(&taken);
}

// A corpus in a file is split as in memory, and two of its pairs can be looked at together.
TEST(in_a_file)
{
    enum { COUNT = 5000 };
    TextCorpus memory = numbered(COUNT, 1), corpus, held_out[2];
    memset(held_out, 0, sizeof held_out);
    assert_ok(text_corpus_open(&corpus, scratch_folder(), NULL));
    for (size_t i = 0; i < COUNT; i++) {
        TextPair pair = text_corpus_pair(&memory, i);
        pair.place.line = i + 1;
        assert_ok(text_corpus_add(&corpus, &pair, NULL));
    }
    ck_assert(corpus.hash == memory.hash);
    assert_ok(text_corpus_split(&memory, &held_out[0], 1000, 0.1, NULL));
    assert_ok(text_corpus_split(&corpus, &held_out[1], 1000, 0.1, NULL));
    ck_assert_uint_eq(corpus.count, memory.count);
    for (size_t i = 0; i < corpus.count; i++) {
        TextPair expected = text_corpus_pair(&memory, i), pair = text_corpus_pair(&corpus, i);
        TextPair other = text_corpus_other_pair(&corpus, i * 7919 % corpus.count);
        for (int s = 0; s < 2; s++) ck_assert_str_eq(pair.sides[s].data, expected.sides[s].data);
        ck_assert_uint_eq(pair.place.line, strtoul(pair.sides[0].data + 1, NULL, 10) + 1);
        ck_assert_uint_eq(other.place.line, strtoul(other.sides[0].data + 1, NULL, 10) + 1);
    }
    for (size_t i = 0; i < held_out[0].count; i++)
        expect_pair(&held_out[1], i, text_corpus_pair(&held_out[0], i).sides[0].data,
                    text_corpus_pair(&held_out[0], i).sides[1].data);
    assert_ok(text_corpus_check(&corpus, NULL));
    text_corpus_free(&memory);
    text_corpus_free(&corpus);
    for (int i = 0; i < 2; i++) text_corpus_free(&held_out[i]);
}

// A pair that cannot be read is empty, and the corpus says so from then on.
TEST(file_that_fails)
{
    TextCorpus corpus;
    Error error;
    ck_assert_int_eq(text_corpus_open(&corpus, "/nonexistent", &error), STATUS_IO);
    assert_ok(text_corpus_open(&corpus, scratch_folder(), NULL));
    for (size_t i = 0; i < 5000; i++) add(&corpus, "the same", "sentence");
    expect_pair(&corpus, 0, "the same", "sentence");
    ck_assert_int_eq(ftruncate(corpus.store.descriptor, 0), 0);
    expect_pair(&corpus, 4900, "", "");
    ck_assert_int_eq(text_corpus_check(&corpus, &error), STATUS_IO);
    assert_contains(error.text, "cannot be read");
    expect_pair(&corpus, 0, "", "");
    text_corpus_free(&corpus);
}

TEST(a_file_out_of_memory)
{
    const char *folder = scratch_folder();
    const TextPair pair = {{{"a", 1}, {"b", 1}}, {NULL, 0, 0}};
    while (failing_malloc_next()) {
        TextCorpus corpus = {0};
        Status status = text_corpus_open(&corpus, folder, NULL);
        if (!status) status = text_corpus_add(&corpus, &pair, NULL);
        if (!status) (void)text_corpus_pair(&corpus, 0);
        if (!status) status = text_corpus_check(&corpus, NULL);
        (void)failing_malloc_expect(status);
        text_corpus_free(&corpus);
    }
}

// The record before the sides can be read, and they cannot.
TEST(half_a_pair)
{
    TextCorpus corpus, memory = numbered(1, 1);
    static char text[300000];
    Error error = {0};
    memset(text, 'a', sizeof text);
    const TextPair pair = {{{text, sizeof text}, {"b", 1}}, {NULL, 0, 0}};
    assert_ok(text_corpus_open(&corpus, scratch_folder(), NULL));
    assert_ok(text_corpus_add(&corpus, &pair, NULL));
    assert_ok(text_corpus_add(&corpus, &pair, NULL));
    ck_assert_int_eq(ftruncate(corpus.store.descriptor, 100000), 0);
    expect_pair(&corpus, 0, "", "");
    ck_assert_int_eq(text_corpus_check(&corpus, &error), STATUS_IO);
    assert_contains(error.text, "its file has become shorter");
    assert_ok(text_corpus_check(&memory, NULL)); // where nothing can fail
    text_corpus_free(&corpus);
    text_corpus_free(&memory);
}
