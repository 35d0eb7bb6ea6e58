#include "attention/attention.h"

#include "tensor/kernels.h"

#include <string.h>

const AttentionScorer *attention_scorer_named(const char *name)
{
    static const AttentionScorer *const scorers[] = {&attention_additive};
    for (size_t i = 0; i < sizeof scorers / sizeof *scorers; i++)
        if (!strcmp(scorers[i]->name, name)) return scorers[i];
    return NULL;
}

void attention_weigh(real *context, real *alpha, Matrix annotations)
{
    const Kernels *k = kernels();
    k->softmax(alpha, annotations.rows);
    k->weighted_rows(context, alpha, annotations.values, annotations.rows, annotations.columns);
}

void attention_weigh_backward(real *denergies, const real *dcontext, const real *dalpha,
                              const real *alpha, Matrix annotations)
{
    const Kernels *k = kernels();
    // c = Σ_j α_j h_j, so dα_j = h_j · dc
    k->rows_dot(denergies, annotations.values, dcontext, annotations.rows, annotations.columns);
    if (dalpha) k->add(denergies, dalpha, annotations.rows);
    k->softmax_backward(denergies, denergies, alpha, annotations.rows);
}
