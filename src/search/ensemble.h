/* Several models that search together: each token's probability is the mean of theirs,
 *
 *     p(y) = 1/M Σ_m p_m(y)
 *
 * and so is the attention. They read the same source tokens and say the same target tokens. */
#ifndef REGARD_SEARCH_ENSEMBLE_H
#define REGARD_SEARCH_ENSEMBLE_H

#include "search/search_model.h"

/* Takes over `members` (count ≥ 1), even if it fails, and frees them with itself. Candidate tokens
 * of a shortlist would be each member's own, so none is used. `vocabulary` = target tokens. */
Status ensemble_new(SearchModel **model, SearchModel *const *members, size_t count,
                    size_t vocabulary, Error *error);

#endif
