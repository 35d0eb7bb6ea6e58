/* The best translations of a text of several sentences: one of each sentence's, chosen
 * independently. */
#ifndef REGARD_TRANSLATE_COMBINATION_H
#define REGARD_TRANSLATE_COMBINATION_H

#include "translate/rendering.h"

/* Sets choices (n_best, count): in row k, which rendering of each sentence the k-th best
 * combination has. *found of them, at most n_best ≥ 1, by the sum of scores; equal ones by the
 * choices for the later sentences. Each sentence has at least one rendering, best first. Exact: of
 * the best combinations, the first sentences are among their own best. */
Status combinations_find(size_t *choices, size_t *found, size_t n_best,
                         const Translation *sentences, size_t count, Error *error);

#endif
