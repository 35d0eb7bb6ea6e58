/* Search by a model and a lexicon of rare words and short texts (model/lexicon.h) together: linear
 * interpolation (Arthur et al. 2016, section 3.2), only where the model looks at them. With a_u the
 * attention of a step to all tokens of a unit u, and λ the lexicon's share,
 *
 *     w(y)  = Σ_u a_u p_u(y)
 *     p'(y) = (1 − λ Σ w) p(y) + λ w(y)
 *
 * p_u is of next tokens: if what was said last is how one or more of the unit's translations begin,
 * of those that come next in them, in proportion to p(translation | u); nothing if one of them was
 * just said; else, of those that they begin with. A unit with less than LEAST_ATTENTION counts for
 * nothing, and so does one that had MOST_ATTENTION when another token than these was said last: the
 * network goes on with a word of its own. Probabilities of hypotheses are those of p'. */
#pragma once

#include "model/lexicon.h"
#include "search/search_model.h"

#define LEAST_ATTENTION 0.05
#define MOST_ATTENTION 0.7

/* Takes over `member`, even if it fails, with *model NULL, and frees it with itself. `vocabulary` =
 * target tokens. The lexicon, which is not empty, must outlive it. */
Status lexical_search_new(SearchModel **model, SearchModel *member, const Lexicon *lexicon,
                          size_t vocabulary, Error *error);
