#include "support/aligner_pairs.h"

#include "support/suite.h"

#include <string.h>

const char *const aligner_pairs[ALIGNER_PAIRS][2] = {
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

static Status add(AlignerCorpus *corpus, const char *source, const char *target, Error *error)
{
    const char *const texts[2] = {source, target};
    AlignerTokens tokens[2] = {{{0}, {0}, 0, 0}, {{0}, {0}, 0, 0}};
    Status status = STATUS_OK;
    for (int s = 0; s < 2 && !status; s++)
        status = aligner_tokens_set(&tokens[s], texts[s], strlen(texts[s]), error);
    if (!status) status = aligner_corpus_add(corpus, &tokens[0], &tokens[1], error);
    for (int s = 0; s < 2; s++) aligner_tokens_free(&tokens[s]);
    return status;
}

Status aligner_pairs_add(AlignerCorpus *corpus, Error *error)
{
    for (size_t n = 0; n < ALIGNER_PAIRS; n++)
        TRY(add(corpus, aligner_pairs[n][0], aligner_pairs[n][1], error));
    return STATUS_OK;
}

void aligner_pairs_add_text(AlignerCorpus *corpus, const char *source, const char *target)
{
    assert_ok(add(corpus, source, target, NULL));
}

Aligner aligner_pairs_learn(size_t workers)
{
    Threads *threads;
    AlignerCorpus corpus = {0};
    Aligner aligner;
    assert_ok(threads_new(&threads, workers, NULL));
    assert_ok(aligner_pairs_add(&corpus, NULL));
    assert_ok(aligner_learn(&aligner, &corpus, aligner_options_default(), threads, NULL));
    ck_assert_uint_eq(corpus.pairs, 0);
    threads_free(threads);
    return aligner;
}

void aligner_pairs_align(AlignerPosteriors *posteriors, const Aligner *aligner, const char *source,
                         const char *target)
{
    const char *const texts[2] = {source, target};
    AlignerTokens tokens[2] = {{.capacity = 0}, {.capacity = 0}};
    for (int s = 0; s < 2; s++)
        assert_ok(aligner_tokens_set(&tokens[s], texts[s], strlen(texts[s]), NULL));
    assert_ok(aligner_align(posteriors, aligner, &tokens[0], &tokens[1], NULL, NULL));
    for (int s = 0; s < 2; s++) aligner_tokens_free(&tokens[s]);
}
