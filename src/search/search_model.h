/* What beam search needs of a model: encode a batch of sources, take one step of every hypothesis,
 * score what each may say next, gather the hypotheses that go on. Search sees nothing else of it
 * (compare Marian's Scorer): a network (model/inference.h) is one implementation, an ensemble of
 * models another.
 *
 * Rows are hypotheses. After encoding, row i belongs to source i; after a gather, row i continues
 * what was row from[i]. A model belongs to one thread. */
#pragma once

#include "base/array.h"
#include "corpus/token_corpus.h"
#include "math/kernels.h"

enum { SEARCH_SPAN = KERNELS_SPAN }; // neighbouring tokens that share a maximum

// The spans of so many tokens.
static inline size_t search_spans(size_t count)
{
    return (count + SEARCH_SPAN - 1) / SEARCH_SPAN;
}

// Sets the maxima (search_spans) of logits (count).
static inline void search_maxima(real *maxima, const real *logits, size_t count)
{
    for (size_t first = 0; first < count; first += SEARCH_SPAN) {
        size_t span = count - first < SEARCH_SPAN ? count - first : SEARCH_SPAN;
        maxima[first / SEARCH_SPAN] = kernels()->max(logits + first, NULL, span);
    }
}

// What a row may say next: log p(tokens[i]) = logits[i] − log_z.
typedef struct TokenScores {
    size_t count;
    const int32_t *tokens; // (count) ascending, the special tokens first; NULL: 0 … count-1
    const real *logits;    // (count)
    const real *maxima;    // (search_spans) the largest logit of each span of tokens, so
                           // that a top-k scan skips most spans
    real log_z;            // log Σ exp(logits): the softmax's normaliser
} TokenScores;

// The place of a token's score; scores->count if it has none.
static inline size_t token_scores_place(const TokenScores *scores, int32_t token)
{
    size_t place = (size_t)token;
    if (!scores->tokens) return place < scores->count ? place : scores->count;
    array_search(place, 0, scores->count, scores->tokens[place] < token);
    return place < scores->count && scores->tokens[place] == token ? place : scores->count;
}

// The token of a place.
static inline int32_t token_scores_token(const TokenScores *scores, size_t place)
{
    return scores->tokens ? scores->tokens[place] : (int32_t)place;
}

// How a search scores tokens.
typedef struct Scoring {
    bool shortlist; // only candidate tokens, if the model has a shortlist (model/shortlist.h)
    double lexicon; // λ, 0 … MAX_LEXICON_SHARE, if it has a lexicon (model/lexical_search.h)
} Scoring;

#define LEXICON_SHARE 0.3 // unless another is given
#define MAX_LEXICON_SHARE 0.9

typedef struct SearchModel SearchModel;

// The first member of whatever implements it.
struct SearchModel {
    size_t matrices; // of attention weights: one, or with several heads their mean and then each

    /* Encodes `count` ≥ 1 sources and sets each one's first state; there will never be more than
     * max_rows ≥ count rows. With a shortlist, rows score only their source's candidate tokens and
     * the tokens of its target, which are those of a prefix. */
    Status (*encode)(SearchModel *model, const TokenPair *sources, size_t count, size_t max_rows,
                     Scoring scoring, Error *error);

    /* One step: tokens (rows) are what each row said last, <s> at first. `scores` and `attention`
     * then describe this step, and `gather` must follow before the next. */
    void (*step)(SearchModel *model, const int32_t *tokens);

    /* Valid until the next call for another row. Ask for rows in ascending order: they are computed
     * a block at a time. */
    TokenScores (*scores)(SearchModel *model, size_t row);

    // The weights (S) of a row in one of the matrices; valid until the next call.
    const real *(*attention)(SearchModel *model, size_t row, size_t matrix);

    // Goes on with `rows` ≤ max_rows rows: row i takes the state of row from[i], others end.
    void (*gather)(SearchModel *model, const uint32_t *from, size_t rows);

    void (*free)(SearchModel *model);
};

/* Several models that search together: each token's probability is the mean of theirs,
 *
 *     p(y) = 1/M Σ_m p_m(y)
 *
 * and so is the attention. They read the same source tokens and say the same target tokens. Takes
 * over `members` (count ≥ 1), even if it fails, and frees them with itself. Candidate tokens of a
 * shortlist would be each member's own, so none is used. `vocabulary` = target tokens. */
Status ensemble_new(SearchModel **model, SearchModel *const *members, size_t count,
                    size_t vocabulary, Error *error);
