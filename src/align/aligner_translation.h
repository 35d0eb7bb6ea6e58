/* How probable it is that a word y stands for a given word x, as the aligner learns it from expected
 * links.
 *
 * With c(x, y) the expected number of links between two types, summed over the corpus,
 *
 *     t(y | x) = (c(x, y) + Σ_k α_k m_k(y | x)) / (c(x) + Σ_k α_k)
 *
 * is the mean of the posterior under a Dirichlet prior of strength Σ α_k around a mixture of
 * back-offs m_k (MacKay & Peto 1995, "A hierarchical Dirichlet language model"), so that rare types
 * are not left to chance and frequent ones are hardly affected:
 *
 *     α = 0.3    p(stem y | stem x) p(y | stem y)
 *     α = 0.3    1 if x and y are spelt alike: names, numbers, punctuation
 *     α = 0.05   p(y)
 *
 * the probabilities being relative frequencies of the same expected links, lightly smoothed. So
 * t is also defined for words that were never seen.
 *
 * When pairs are aligned with what was learned, u(x), the expected number of words x without a link,
 * is added to c(x): t(y | x) is then the probability that x has a counterpart and that it is y, so
 * that "the", for which Chinese has no word, does not attract the counterpart of another word. During
 * learning this would count twice: a word that loses links would lose still more in the next
 * iteration.
 *
 * Half of t(· | null) is learned, half are the types' frequencies: any word can be without a
 * counterpart. */
#pragma once

#include "align/aligner_vocabulary.h"

// p(y | stem y), of c(y) and c(stem y); `members` types have that stem.
static inline double aligner_type_of_stem(double type, double stem, double members)
{
    const double smoothing = 1e-3; // links that each type has beforehand
    return (type + smoothing) / (stem + smoothing * members);
}

// p(y), of c(y) and all links of so many types.
static inline double aligner_unigram(double type, double all, double types)
{
    const double smoothing = 0.01; // likewise
    return (type + smoothing) / (all + smoothing * types);
}

// p(stem y | stem x), of c(stem x, stem y) and c(stem x).
static inline double aligner_stem_of_stem(double stems, double given)
{
    return stems / (given + 1);
}

/* Expected links of one side, summed by type and by stem, and the probabilities that follow from
 * them alone. Ends with aligner_totals_free. */
typedef struct AlignerTotals {
    double *types;   // (types) c(x)
    double *stems;   // (stems) c(stem x)
    double *of_stem; // (types) p(x | stem x)
    double *unigram; // (types) p(x)
    double all;
    double unseen; // p(x) of a type that is not in the vocabulary, as if it had one link
} AlignerTotals;

// Of no links. Freed by aligner_totals_free, after a failure too.
Status aligner_totals_new(AlignerTotals *totals, const AlignerVocabulary *vocabulary, Error *error);

// Sets all but `types` from `types`.
void aligner_totals_set(AlignerTotals *totals, const AlignerVocabulary *vocabulary);

void aligner_totals_free(AlignerTotals *totals);

// c(x, y) and the back-offs of y given x.
typedef struct AlignerEvidence {
    double links;
    double stem; // p(stem y | stem x) p(y | stem y)
    double unigram;
    bool alike;
} AlignerEvidence;

// t(y | x); `given` is c(x), or when aligning c(x) + u(x).
static inline double aligner_translation(AlignerEvidence y, double given)
{
    const double stem = 0.3, alike = 0.3, unigram = 0.05; // α_k
    const double least = 1e-12;
    double prior = stem * y.stem + (y.alike ? alike : 0) + unigram * y.unigram;
    double t = (y.links + prior) / (given + stem + alike + unigram);
    return t > least ? t : least;
}

/* t(y | null), where y occurs `times` of `tokens` and `unlinked` of all that are without a link are
 * y. */
static inline double aligner_null_translation(double unlinked, double all_unlinked, double times,
                                              double tokens)
{
    const double smoothing = 100; // unlinked words beforehand, shared by frequency
    const double learned = 0.5;
    double frequency = times / tokens;
    return learned * (unlinked + smoothing * frequency) / (all_unlinked + smoothing) +
           (1 - learned) * frequency;
}
