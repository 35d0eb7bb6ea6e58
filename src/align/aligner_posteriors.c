#include "align/aligner_posteriors.h"

#include "base/array.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

Status aligner_posteriors_begin(AlignerPosteriors *posteriors, size_t sources, size_t targets,
                                Error *error)
{
    size_t links = sources * targets, total = 6 * links + sources + targets;
    TRY(array_reserve(&posteriors->memory, &posteriors->capacity, total, "aligning a pair", error));
    TRY(array_reserve(&posteriors->words[0], &posteriors->words_capacity, sources + targets,
                      "aligning a pair", error));
    posteriors->sources = sources;
    posteriors->targets = targets;
    posteriors->forward = posteriors->memory;
    posteriors->reverse = posteriors->forward + links;
    posteriors->shared[0] = posteriors->reverse + links;
    posteriors->shared[1] = posteriors->shared[0] + links;
    posteriors->emissions[0] = posteriors->shared[1] + links;
    posteriors->emissions[1] = posteriors->emissions[0] + links;
    posteriors->null[0] = posteriors->emissions[1] + links;
    posteriors->null[1] = posteriors->null[0] + targets;
    posteriors->words[1] = posteriors->words[0] + sources;
    return STATUS_OK;
}

// p(i, j) r(i, j), or 0 if these neighbours are not both Han characters.
static double lent(const AlignerPosteriors *posteriors, bool han, size_t i, size_t j)
{
    if (!han) return 0;
    return posteriors->forward[j * posteriors->sources + i] *
           posteriors->reverse[i * posteriors->targets + j];
}

// Sets shared[0] = p̂ and shared[1] = r̂, which under Model 1, where neighbours mean little, are p
// and r.
static void share(AlignerPosteriors *posteriors, bool hmm)
{
    size_t sources = posteriors->sources, targets = posteriors->targets;
    const AlignerWord *source = posteriors->words[0], *target = posteriors->words[1];
    for (size_t i = 0; i < sources; i++) {
        bool before = hmm && i > 0 && source[i].class.han && source[i - 1].class.han;
        bool behind = hmm && i + 1 < sources && source[i].class.han && source[i + 1].class.han;
        for (size_t j = 0; j < targets; j++) {
            bool left = hmm && j > 0 && target[j].class.han && target[j - 1].class.han;
            bool right = hmm && j + 1 < targets && target[j].class.han && target[j + 1].class.han;
            double p = posteriors->forward[j * sources + i];
            double r = posteriors->reverse[i * targets + j];
            p += lent(posteriors, before, i - 1, j) + lent(posteriors, behind, i + 1, j);
            r += lent(posteriors, left, i, j - 1) + lent(posteriors, right, i, j + 1);
            posteriors->shared[0][i * targets + j] = fmin(1, p);
            posteriors->shared[1][i * targets + j] = fmin(1, r);
        }
    }
}

Status aligner_posteriors_end(AlignerPosteriors *posteriors, const JumpModel jumps[2], bool hmm,
                              Error *error)
{
    const size_t counts[2] = {posteriors->sources, posteriors->targets};
    memset(posteriors->counts, 0, sizeof posteriors->counts);
    for (int d = 0; d < 2; d++) {
        Lattice lattice = {counts[1 - d], counts[d], posteriors->emissions[d], posteriors->null[d]};
        double *out = d ? posteriors->reverse : posteriors->forward;
        if (hmm)
            TRY(hmm_posteriors(out, &posteriors->counts[d], &posteriors->work, &lattice, &jumps[d],
                               error));
        else
            model1_posteriors(out, &lattice, jumps[d].null);
    }
    share(posteriors, hmm);
    return STATUS_OK;
}

double aligner_posteriors_link(const AlignerPosteriors *posteriors, size_t i, size_t j)
{
    size_t at = i * posteriors->targets + j;
    return fmax(posteriors->forward[j * posteriors->sources + i] * posteriors->shared[1][at],
                posteriors->reverse[at] * posteriors->shared[0][at]);
}

void aligner_posteriors_free(AlignerPosteriors *posteriors)
{
    memory_free(posteriors->memory);
    memory_free(posteriors->words[0]);
    hmm_work_free(&posteriors->work);
    *posteriors = (AlignerPosteriors){0};
}
