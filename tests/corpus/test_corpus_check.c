// Duplicates, and held-out pairs that are learned from.

#include "corpus/corpus_check.h"
#include "support/failing_malloc.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

// A corpus of texts: source, target, source, target …, NULL; pair i stands on line i + 1.
static TextCorpus corpus_of(const char *const *texts)
{
    TextCorpus corpus = {0};
    for (size_t line = 1; *texts; texts += 2, line++) {
        TextPair pair = {{{texts[0], strlen(texts[0])}, {texts[1], strlen(texts[1])}},
                         {"FILE", line, 0}};
        assert_ok(text_corpus_add(&corpus, &pair, NULL));
    }
    return corpus;
}

#define CORPUS(...) corpus_of((const char *const[]){__VA_ARGS__, NULL})

TEST(duplicates_are_counted)
{
    TextCorpus corpus =
        CORPUS("a", "b", "a", "c", "a", "b", "b", "a", "a", "b", "ab", "", "", "ab");
    size_t count = 9;
    uint64_t hash = corpus.hash;
    assert_ok(corpus_check_duplicates(&corpus, false, &count, NULL));
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(corpus.count, 7);
    ck_assert_uint_eq(corpus.hash, hash);
    text_corpus_free(&corpus);
}

TEST(duplicates_are_left_out)
{
    TextCorpus corpus = CORPUS("a", "b", "a", "c", "a", "b", "b", "a", "a", "b", "b", "d");
    TextCorpus expected = CORPUS("a", "b", "a", "c", "b", "a", "b", "d");
    size_t count = 9;
    corpus.counts.empty = 5;
    assert_ok(corpus_check_duplicates(&corpus, true, &count, NULL));
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(corpus.count, 4);
    ck_assert_uint_eq(corpus.counts.empty, 5);
    static const size_t lines[] = {1, 2, 4, 6};
    for (size_t i = 0; i < corpus.count; i++) {
        TextPair pair = text_corpus_pair(&corpus, i), other = text_corpus_pair(&expected, i);
        for (int s = 0; s < 2; s++) ck_assert_str_eq(pair.sides[s].data, other.sides[s].data);
        ck_assert_uint_eq(pair.place.line, lines[i]);
    }
    text_corpus_free(&corpus);
    text_corpus_free(&expected);
}

// A NUL is a character like others, and must not make unequal pairs equal.
TEST(nuls_count)
{
    TextCorpus corpus = {0};
    TextPair pairs[] = {{.sides = {{"a\0b", 3}, {"c", 1}}}, {.sides = {{"a", 1}, {"b\0c", 3}}}};
    size_t count = 9;
    for (int i = 0; i < 2; i++) assert_ok(text_corpus_add(&corpus, &pairs[i], NULL));
    assert_ok(corpus_check_duplicates(&corpus, true, &count, NULL));
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(corpus.count, 2);
    text_corpus_free(&corpus);
}

TEST(empty_corpus)
{
    TextCorpus corpus = {0}, other = CORPUS("a", "b");
    size_t count = 9;
    CorpusOverlap shared;
    assert_ok(corpus_check_duplicates(&corpus, true, &count, NULL));
    ck_assert_uint_eq(count, 0);
    assert_ok(corpus_check_overlap(&other, &corpus, &shared, NULL));
    ck_assert_uint_eq(shared.pairs + shared.sources + shared.targets, 0);
    assert_ok(corpus_check_overlap(&corpus, &other, &shared, NULL));
    ck_assert_uint_eq(shared.pairs + shared.sources + shared.targets, 0);
    text_corpus_free(&other);
}

TEST(shared)
{
    TextCorpus train = CORPUS("a", "b", "c", "d", "a", "b", "e", "f");
    TextCorpus held_out = CORPUS("a", "b", "a", "x", "y", "d", "d", "c", "a", "b");
    CorpusOverlap shared;
    assert_ok(corpus_check_overlap(&train, &held_out, &shared, NULL));
    ck_assert_uint_eq(shared.pairs, 2);
    ck_assert_uint_eq(shared.sources, 3);
    ck_assert_uint_eq(shared.targets, 3);
    text_corpus_free(&train);
    text_corpus_free(&held_out);
}

// The pairs of a file know their lines, blank ones counted.
TEST(places_of_a_file)
{
    const char *path = scratch_text("pairs.tsv", "a\tb\n\n\tx\na\t0123456789012345678\na\tb\n");
    TextCorpus corpus = {0};
    assert_ok(text_corpus_read(&corpus, path, NULL, NULL));
    ck_assert_uint_eq(corpus.count, 3);
    ck_assert_uint_eq(corpus.counts.empty, 2);
    static const size_t lines[] = {1, 4, 5};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(text_corpus_pair(&corpus, i).place.line, lines[i]);
        ck_assert_str_eq(text_corpus_pair(&corpus, i).place.file, path);
    }
    text_corpus_free(&corpus);
}

// Whichever allocation fails, the status says so and the corpus is as it was.
TEST(out_of_memory)
{
    for (size_t n = 1;; n++) {
        TextCorpus corpus = CORPUS("a", "b", "a", "b", "c", "d"), held_out = CORPUS("a", "b");
        size_t count;
        CorpusOverlap shared;
        failing_malloc_at(n);
        Status status = corpus_check_overlap(&corpus, &held_out, &shared, NULL);
        if (!status) status = corpus_check_duplicates(&corpus, true, &count, NULL);
        bool failed = failing_malloc_expect(status);
        ck_assert_uint_eq(corpus.count, failed ? 3 : 2);
        text_corpus_free(&corpus);
        text_corpus_free(&held_out);
        if (!failed) break;
    }
}
