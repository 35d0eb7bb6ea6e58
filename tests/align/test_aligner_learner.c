#include "align/aligner_learner.h"

#include "base/memory.h"
#include "support/aligner_pairs.h"
#include "support/suite.h"

TEST(corpus)
{
    AlignerCorpus corpus = {0};
    assert_ok(aligner_pairs_add(&corpus, NULL));
    ck_assert_uint_eq(corpus.pairs, ALIGNER_PAIRS);
    const AlignerVocabulary *source = &corpus.vocabularies[0];
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

/* After one iteration the links counted are the products of both directions' posteriors, and what
 * they leave of each word is unlinked. */
static void expect_products(bool hmm)
{
    AlignerCorpus corpus = {0};
    AlignerLearner before, after;
    Threads *threads;
    AlignerPosteriors posteriors = {0};
    uint32_t cells[16];
    assert_ok(threads_new(&threads, 1, NULL));
    assert_ok(aligner_pairs_add(&corpus, NULL));
    assert_ok(aligner_learner_new(&before, &corpus, 0.1, NULL));
    assert_ok(aligner_learner_new(&after, &corpus, 0.1, NULL));
    assert_ok(aligner_learner_iterate(&after, hmm, threads, NULL));
    double *links = memory_new(before.cells.count, sizeof *links), unlinked = 0, counted = 0;
    ck_assert(links);
    for (size_t n = 0; n < ALIGNER_PAIRS; n++) {
        AlignerPair pair = aligner_corpus_pair(&corpus, n);
        size_t sources = pair.counts[0], targets = pair.counts[1];
        if (!sources || !targets) continue;
        assert_ok(aligner_learner_align(&posteriors, cells, &before, pair, hmm, NULL));
        for (size_t j = 0; j < targets; j++) {
            double rest = 1;
            for (size_t i = 0; i < sources; i++) {
                double p = posteriors.forward[j * sources + i];
                double r = posteriors.reverse[i * targets + j];
                links[cells[i * targets + j]] += p * r;
                rest -= p * r;
            }
            unlinked += rest;
        }
    }
    for (size_t c = 0; c < before.cells.count; c++)
        ck_assert_double_eq_tol(after.cells.links[c], links[c], 1e-12);
    for (size_t y = 0; y < corpus.vocabularies[1].types.count; y++)
        counted += after.cells.unlinked[1][y];
    ck_assert_double_eq_tol(counted, unlinked + 1, 1e-9); // and the word without any source
    memory_free(links);
    aligner_posteriors_free(&posteriors);
    aligner_learner_free(&before);
    aligner_learner_free(&after);
    aligner_corpus_free(&corpus);
    threads_free(threads);
}

TEST(links_are_the_product_of_both_directions)
{
    expect_products(false);
    expect_products(true);
}

/* What is kept is what was counted, but for the rarest links. Of a word that is often without a
 * link aligning expects less than learning: (c(x) + Σ α) / (c(x) + u(x) + Σ α) of it. */
TEST(table_has_what_was_counted)
{
    AlignerCorpus corpus = {0};
    AlignerLearner learner;
    AlignerTable table;
    Threads *threads;
    assert_ok(threads_new(&threads, 1, NULL));
    assert_ok(aligner_pairs_add(&corpus, NULL));
    assert_ok(aligner_learner_new(&learner, &corpus, 0.1, NULL));
    for (int n = 0; n < 3; n++) assert_ok(aligner_learner_iterate(&learner, n == 2, threads, NULL));
    const AlignerCells *cells = &learner.cells;
    for (double least = 0; least < 0.2; least += 0.1) {
        size_t kept = 0;
        assert_ok(aligner_learner_table(&table, &learner, least, NULL));
        for (size_t c = 0; c < cells->count; c++) {
            AlignerQuery query = {.alike = false};
            double t[2];
            for (int s = 0; s < 2; s++) {
                uint32_t type = cells->items[c].types[s];
                query.words[s] = (AlignerWord){type, corpus.vocabularies[s].classes[type]};
            }
            kept += cells->links[c] >= least;
            aligner_table_translations(t, &table, &query);
            for (int d = 0; d < 2 && least == 0; d++) {
                uint32_t x = cells->items[c].types[d];
                double given = cells->totals[d].types[x] + 0.3 + 0.3 + 0.05;
                double says = given / (given + cells->unlinked[d][x]);
                ck_assert_double_eq_tol(t[d] / (double)cells->translations[c][d], says, 1e-5);
            }
        }
        ck_assert_uint_eq(table.entries, kept);
        aligner_table_free(&table);
    }
    aligner_learner_free(&learner);
    aligner_corpus_free(&corpus);
    threads_free(threads);
}

// A known link counts as one more, in each iteration.
TEST(known_links)
{
    AlignerCorpus corpora[2] = {{.pairs = 0}, {.pairs = 0}};
    AlignerLearner learners[2];
    Threads *threads;
    assert_ok(threads_new(&threads, 1, NULL));
    uint32_t cell = 0;
    for (int k = 0; k < 2; k++) {
        assert_ok(aligner_pairs_add(&corpora[k], NULL));
        AlignerPair pair = aligner_corpus_pair(&corpora[k], 0);
        uint32_t source = pair.tokens[0][0], target = pair.tokens[1][1];
        if (k) assert_ok(aligner_corpus_add_link(&corpora[k], source, target, NULL));
        assert_ok(aligner_learner_new(&learners[k], &corpora[k], 0.1, NULL));
        assert_ok(aligner_learner_iterate(&learners[k], false, threads, NULL));
        cell = aligner_cells_find(&learners[k].cells, source, target);
    }
    for (size_t c = 0; c < learners[0].cells.count; c++)
        ck_assert_double_eq_tol(learners[1].cells.links[c] - learners[0].cells.links[c], c == cell,
                                1e-12);
    for (int d = 0; d < 2; d++)
        ck_assert(learners[1].cells.translations[cell][d] >
                  learners[0].cells.translations[cell][d]);
    for (int k = 0; k < 2; k++) {
        aligner_learner_free(&learners[k]);
        aligner_corpus_free(&corpora[k]);
    }
    threads_free(threads);
}
