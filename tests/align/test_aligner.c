#include "align/aligner.h"

#include "align/aligner_links.h"
#include "base/memory.h"
#include "support/failing_malloc.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

static const char *const pairs[][2] = {
    {"the house", "la maison"},
    {"the book", "le livre"},
    {"a house", "une maison"},
    {"a book", "un livre"},
    {"", "rien"},
    {"nothing", ""},
    {"", ""},
    {"my book", "mon livre"},
    {"my house is here", "ma maison est ici"},
    {"houses", "maisons"},
    {"the book is here", "le livre est ici"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static Status add_all(AlignerCorpus *corpus, Error *error)
{
    AlignerTokens tokens[2] = {{{0}, {0}, 0, 0}, {{0}, {0}, 0, 0}};
    Status status = STATUS_OK;
    for (size_t n = 0; n < PAIRS && !status; n++) {
        for (int s = 0; s < 2 && !status; s++)
            status = aligner_tokens_set(&tokens[s], pairs[n][s], strlen(pairs[n][s]), error);
        if (!status) status = aligner_corpus_add(corpus, &tokens[0], &tokens[1], error);
    }
    aligner_tokens_free(&tokens[0]);
    aligner_tokens_free(&tokens[1]);
    return status;
}

static void learn(Aligner *aligner, AlignerCorpus *corpus, size_t workers, size_t model1,
                  size_t hmm)
{
    Threads *threads;
    AlignerOptions options = aligner_options_default();
    options.model1_iterations = model1;
    options.hmm_iterations = hmm;
    ck_assert_int_eq(threads_new(&threads, workers, NULL), STATUS_OK);
    ck_assert_int_eq(add_all(corpus, NULL), STATUS_OK);
    ck_assert_int_eq(aligner_learn(aligner, corpus, options, threads, NULL), STATUS_OK);
    threads_free(threads);
}

START_TEST(test_corpus)
{
    AlignerCorpus corpus = {0};
    ck_assert_int_eq(add_all(&corpus, NULL), STATUS_OK);
    ck_assert_uint_eq(corpus.pairs, PAIRS);
    const AlignerSide *source = &corpus.sides[0];
    const StringMapEntry *house = string_map_find(&source->types, "house", 5);
    const StringMapEntry *houses = string_map_find(&source->types, "houses", 6);
    const StringMapEntry *book = string_map_find(&source->types, "book", 4);
    ck_assert(house && houses && book);
    ck_assert_int_eq(house->value, 3);
    ck_assert_uint_eq(source->classes[house - source->types.entries].stem,
                      source->classes[houses - source->types.entries].stem);
    ck_assert_uint_ne(source->classes[house - source->types.entries].stem,
                      source->classes[book - source->types.entries].stem);
    AlignerPair pair = aligner_corpus_pair(&corpus, 4);
    ck_assert_uint_eq(pair.counts[0], 0);
    ck_assert_uint_eq(pair.counts[1], 1);
    pair = aligner_corpus_pair(&corpus, 8);
    ck_assert_uint_eq(pair.counts[0], 4);
    ck_assert_uint_eq(pair.tokens[0][1], (size_t)(house - source->types.entries));
    aligner_corpus_free(&corpus);
}
END_TEST

/* After one iteration of Model 1 the links counted are the products of both directions'
 * posteriors, and what they leave of each word is unlinked. */
START_TEST(test_links_are_the_product_of_both_directions)
{
    AlignerCorpus corpus = {0};
    Aligner before, after;
    learn(&before, &corpus, 1, 0, 0);
    AlignerCorpus again = {0};
    learn(&after, &again, 1, 1, 0);
    double *links = memory_new(before.table.count, sizeof *links), unlinked = 0, counted = 0;
    ck_assert(links);
    AlignerPosteriors posteriors = {0};
    for (size_t n = 0; n < PAIRS; n++) {
        AlignerPair pair = aligner_corpus_pair(&corpus, n);
        size_t sources = pair.counts[0], targets = pair.counts[1];
        ck_assert_int_eq(aligner_posteriors_set(&posteriors, &before, n, NULL), STATUS_OK);
        for (size_t j = 0; j < targets; j++) {
            double rest = 1;
            for (size_t i = 0; i < sources; i++) {
                double p = posteriors.forward[j * sources + i];
                double r = posteriors.reverse[i * targets + j];
                links[aligner_table_cell(&before.table, pair.tokens[0][i], pair.tokens[1][j])] +=
                    p * r;
                rest -= p * r;
            }
            if (sources) unlinked += rest;
        }
    }
    for (size_t c = 0; c < before.table.count; c++)
        ck_assert_double_eq_tol(after.table.links[c], links[c], 1e-12);
    for (size_t y = 0; y < again.sides[1].types.count; y++) counted += after.table.unlinked[0][y];
    ck_assert_double_eq_tol(counted, unlinked + 1, 1e-9); // and the word without any source
    memory_free(links);
    aligner_posteriors_free(&posteriors);
    aligner_free(&before);
    aligner_free(&after);
    aligner_corpus_free(&corpus);
    aligner_corpus_free(&again);
}
END_TEST

// Neighbouring Han characters lend each other what both directions say; others do not.
START_TEST(test_han_characters_share_links)
{
    static const char *const lines[][2] = {
        {"the plane", "\xE9\xA3\x9E\xE6\x9C\xBA"}, // 飞机
        {"the plane", "l'avion noir"},
    };
    AlignerCorpus corpus = {0};
    AlignerTokens tokens[2] = {{.capacity = 0}, {.capacity = 0}};
    for (size_t n = 0; n < 2; n++) {
        for (int s = 0; s < 2; s++)
            ck_assert_int_eq(aligner_tokens_set(&tokens[s], lines[n][s], strlen(lines[n][s]), NULL),
                             STATUS_OK);
        ck_assert_int_eq(aligner_corpus_add(&corpus, &tokens[0], &tokens[1], NULL), STATUS_OK);
    }
    Threads *threads;
    Aligner aligner;
    ck_assert_int_eq(threads_new(&threads, 1, NULL), STATUS_OK);
    ck_assert_int_eq(aligner_learn(&aligner, &corpus, aligner_options_default(), threads, NULL),
                     STATUS_OK);
    AlignerPosteriors posteriors = {0};
    for (size_t n = 0; n < 2; n++) {
        size_t sources = 2, targets = n ? 3 : 2;
        ck_assert_int_eq(aligner_posteriors_set(&posteriors, &aligner, n, NULL), STATUS_OK);
        const double *p = posteriors.forward, *r = posteriors.reverse;
        for (size_t i = 0; i < sources; i++)
            for (size_t j = 0; j < targets; j++) {
                double own = p[j * sources + i] * r[i * targets + j], both = own;
                if (!n)
                    both = p[j * sources + i] *
                           fmin(1, r[i * targets + j] +
                                       p[(1 - j) * sources + i] * r[i * targets + 1 - j]);
                ck_assert_double_eq_tol(
                    aligner_posteriors_link(&posteriors, sources, targets, i, j), fmax(own, both),
                    1e-12);
            }
    }
    aligner_posteriors_free(&posteriors);
    aligner_free(&aligner);
    threads_free(threads);
    for (int s = 0; s < 2; s++) aligner_tokens_free(&tokens[s]);
    aligner_corpus_free(&corpus);
}
END_TEST

START_TEST(test_translations_are_probabilities)
{
    AlignerCorpus corpus = {0};
    Aligner aligner;
    learn(&aligner, &corpus, 2, 3, 2);
    for (int d = 0; d < 2; d++) {
        double sums[64] = {0}, null = 0;
        for (size_t c = 0; c < aligner.table.count; c++)
            sums[aligner.table.cells[c].types[d]] += (double)aligner.table.translations[d][c];
        for (size_t x = 0; x < corpus.sides[d].types.count; x++)
            ck_assert(sums[x] == 0 || (sums[x] > 1 - 1e-5 && sums[x] < 1 + 1e-5));
        for (size_t y = 0; y < corpus.sides[1 - d].types.count; y++)
            null += aligner.table.null[d][y];
        ck_assert_double_eq_tol(null, 1, 1e-9);
    }
    aligner_free(&aligner);
    aligner_corpus_free(&corpus);
}
END_TEST

START_TEST(test_same_bits_for_any_number_of_threads)
{
    AlignerCorpus corpora[2] = {{.pairs = 0}, {.pairs = 0}};
    Aligner aligners[2];
    for (int k = 0; k < 2; k++) learn(&aligners[k], &corpora[k], k ? 3 : 1, 5, 4);
    size_t count = aligners[0].table.count;
    ck_assert_uint_eq(aligners[1].table.count, count);
    for (int d = 0; d < 2; d++) {
        ck_assert_mem_eq(aligners[0].table.translations[d], aligners[1].table.translations[d],
                         count * sizeof(float));
        ck_assert_mem_eq(&aligners[0].jumps[d], &aligners[1].jumps[d], sizeof(JumpModel));
    }
    for (int k = 0; k < 2; k++) {
        aligner_free(&aligners[k]);
        aligner_corpus_free(&corpora[k]);
    }
}
END_TEST

static void expect_links(const Aligner *aligner, size_t pair, AlignerReading reading,
                         UnitKind targets, const char *expected)
{
    AlignerText texts[2] = {{.capacity = 0}, {.capacity = 0}};
    AlignerPosteriors posteriors = {0};
    Links links = {0};
    Bytes shown = {0};
    for (int s = 0; s < 2; s++)
        ck_assert_int_eq(aligner_text_set(&texts[s], s ? targets : UNITS_WORDS, pairs[pair][s],
                                          strlen(pairs[pair][s]), NULL),
                         STATUS_OK);
    ck_assert_int_eq(aligner_posteriors_set(&posteriors, aligner, pair, NULL), STATUS_OK);
    ck_assert_int_eq(aligner_links(&links, &posteriors, texts, reading, 0.5, NULL), STATUS_OK);
    ck_assert_int_eq(bytes_append_string(&shown, "", NULL), STATUS_OK);
    Writer writer = writer_start(&shown, NULL);
    links_write(&writer, &links);
    ck_assert_int_eq(writer_end(&writer), STATUS_OK);
    ck_assert_str_eq(shown.data, expected);
    bytes_free(&shown);
    links_free(&links);
    aligner_posteriors_free(&posteriors);
    for (int s = 0; s < 2; s++) aligner_text_free(&texts[s]);
}

START_TEST(test_links_of_units)
{
    AlignerCorpus corpus = {0};
    Aligner aligner;
    learn(&aligner, &corpus, 1, 5, 4);
    for (AlignerReading reading = ALIGNER_FORWARD; reading <= ALIGNER_REVERSE; reading++) {
        expect_links(&aligner, 8, reading, UNITS_WORDS, "0-0 1-1 2-2 3-3");
        expect_links(&aligner, 4, reading, UNITS_WORDS, "");
        expect_links(&aligner, 5, reading, UNITS_WORDS, "");
        expect_links(&aligner, 6, reading, UNITS_WORDS, "");
    }
    // a token is linked by all the units it overlaps: "livre" has five characters
    expect_links(&aligner, 3, ALIGNER_MEAN, UNITS_CHARACTERS, "0-0 0-1 1-2 1-3 1-4 1-5 1-6");
    aligner_free(&aligner);
    aligner_corpus_free(&corpus);
}
END_TEST

START_TEST(test_out_of_memory)
{
    Threads *threads;
    ck_assert_int_eq(threads_new(&threads, 1, NULL), STATUS_OK);
    AlignerOptions options = {.model1_iterations = 1, .hmm_iterations = 1, .null = 0.1};
    for (size_t n = 1;; n++) {
        AlignerCorpus corpus = {0};
        Aligner aligner;
        Error error;
        failing_malloc_at(n);
        Status status = add_all(&corpus, &error);
        if (!status) status = aligner_learn(&aligner, &corpus, options, threads, &error);
        bool failed = failing_malloc_stop();
        ck_assert_int_eq(status, failed ? STATUS_MEMORY : STATUS_OK);
        if (!status) aligner_free(&aligner);
        aligner_corpus_free(&corpus);
        if (!failed) break;
    }
    threads_free(threads);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("aligner");
    suite_add(suite, "corpus", test_corpus);
    suite_add(suite, "links are the product of both directions",
              test_links_are_the_product_of_both_directions);
    suite_add(suite, "Han characters share links", test_han_characters_share_links);
    suite_add(suite, "translations are probabilities", test_translations_are_probabilities);
    suite_add(suite, "same bits for any number of threads",
              test_same_bits_for_any_number_of_threads);
    suite_add(suite, "links of units", test_links_of_units);
    suite_add_slow(suite, "out of memory", test_out_of_memory, 60);
    return suite_run(suite);
}
