#include "align/aligner.h"

#include "base/array.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static Status make_room(AlignerPosteriors *posteriors, size_t sources, size_t targets, Error *error)
{
    size_t links = sources * targets, total = 6 * links + sources + targets;
    TRY(array_reserve(&posteriors->memory, &posteriors->capacity, total, "aligning a pair", error));
    TRY(array_reserve(&posteriors->cells, &posteriors->cells_capacity, links, "aligning a pair",
                      error));
    posteriors->forward = posteriors->memory;
    posteriors->reverse = posteriors->forward + links;
    posteriors->shared[0] = posteriors->reverse + links;
    posteriors->shared[1] = posteriors->shared[0] + links;
    posteriors->emissions[0] = posteriors->shared[1] + links;
    posteriors->emissions[1] = posteriors->emissions[0] + links;
    posteriors->null[0] = posteriors->emissions[1] + links;
    posteriors->null[1] = posteriors->null[0] + targets;
    return STATUS_OK;
}

static void look_up(AlignerPosteriors *posteriors, const AlignerTable *table, AlignerPair pair)
{
    size_t sources = pair.counts[0], targets = pair.counts[1];
    for (size_t i = 0; i < sources; i++)
        for (size_t j = 0; j < targets; j++) {
            uint32_t cell = aligner_table_cell(table, pair.tokens[0][i], pair.tokens[1][j]);
            posteriors->cells[i * targets + j] = cell;
            posteriors->emissions[0][j * sources + i] = table->translations[0][cell];
            posteriors->emissions[1][i * targets + j] = table->translations[1][cell];
        }
    for (size_t j = 0; j < targets; j++) posteriors->null[0][j] = table->null[0][pair.tokens[1][j]];
    for (size_t i = 0; i < sources; i++) posteriors->null[1][i] = table->null[1][pair.tokens[0][i]];
}

// p(i, j) r(i, j), or 0 if these neighbours are not both Han characters.
static double lent(const AlignerPosteriors *posteriors, AlignerPair pair, bool han, size_t i,
                   size_t j)
{
    if (!han) return 0;
    return posteriors->forward[j * pair.counts[0] + i] *
           posteriors->reverse[i * pair.counts[1] + j];
}

// Sets shared[0] = p̂ and shared[1] = r̂ (aligner.h), which under Model 1, where neighbours mean
// little, are p and r.
static void share(AlignerPosteriors *posteriors, const Aligner *aligner, AlignerPair pair)
{
    bool hmm = aligner->hmm;
    const AlignerCorpus *corpus = aligner->corpus;
    size_t sources = pair.counts[0], targets = pair.counts[1];
    const AlignerClass *source = corpus->sides[0].classes, *target = corpus->sides[1].classes;
    const uint32_t *x = pair.tokens[0], *y = pair.tokens[1];
    for (size_t i = 0; i < sources; i++) {
        bool before = hmm && i > 0 && source[x[i]].han && source[x[i - 1]].han;
        bool behind = hmm && i + 1 < sources && source[x[i]].han && source[x[i + 1]].han;
        for (size_t j = 0; j < targets; j++) {
            bool left = hmm && j > 0 && target[y[j]].han && target[y[j - 1]].han;
            bool right = hmm && j + 1 < targets && target[y[j]].han && target[y[j + 1]].han;
            double p = posteriors->forward[j * sources + i];
            double r = posteriors->reverse[i * targets + j];
            p +=
                lent(posteriors, pair, before, i - 1, j) + lent(posteriors, pair, behind, i + 1, j);
            r += lent(posteriors, pair, left, i, j - 1) + lent(posteriors, pair, right, i, j + 1);
            posteriors->shared[0][i * targets + j] = fmin(1, p);
            posteriors->shared[1][i * targets + j] = fmin(1, r);
        }
    }
}

Status aligner_posteriors_set(AlignerPosteriors *posteriors, const Aligner *aligner, size_t pair,
                              Error *error)
{
    AlignerPair words = aligner_corpus_pair(aligner->corpus, pair);
    if (!words.counts[0] || !words.counts[1]) return STATUS_OK;
    TRY(make_room(posteriors, words.counts[0], words.counts[1], error));
    look_up(posteriors, &aligner->table, words);
    memset(posteriors->counts, 0, sizeof posteriors->counts);
    for (int d = 0; d < 2; d++) {
        Lattice lattice = {words.counts[1 - d], words.counts[d], posteriors->emissions[d],
                           posteriors->null[d]};
        double *out = d ? posteriors->reverse : posteriors->forward;
        if (aligner->hmm)
            TRY(hmm_posteriors(out, &posteriors->counts[d], &posteriors->work, &lattice,
                               &aligner->jumps[d], error));
        else
            model1_posteriors(out, &lattice, aligner->jumps[d].null);
    }
    share(posteriors, aligner, words);
    return STATUS_OK;
}

double aligner_posteriors_link(const AlignerPosteriors *posteriors, size_t sources, size_t targets,
                               size_t i, size_t j)
{
    size_t at = i * targets + j;
    return fmax(posteriors->forward[j * sources + i] * posteriors->shared[1][at],
                posteriors->reverse[at] * posteriors->shared[0][at]);
}

void aligner_posteriors_free(AlignerPosteriors *posteriors)
{
    memory_free(posteriors->memory);
    memory_free(posteriors->cells);
    hmm_work_free(&posteriors->work);
    *posteriors = (AlignerPosteriors){0};
}
