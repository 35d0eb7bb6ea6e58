/* The guide that a run learns itself (--guide auto): the statistical aligner's posteriors
 * (align/aligner.h) of the training pairs as soft links between their subwords. */
#ifndef REGARD_TRAIN_ALIGNED_GUIDE_H
#define REGARD_TRAIN_ALIGNED_GUIDE_H

#include "align/aligner_links.h"
#include "align/subword_links.h"
#include "corpus/text_corpus.h"
#include "model/config.h"
#include "train/cluster/ranks.h"

// Start from {0}, end with aligned_guide_free.
typedef struct AlignedGuide {
    AlignerCorpus corpus;
    Aligner aligner; // learned from it
    AlignerTokens tokens[2];
    AlignerPosteriors posteriors;
    SoftAlignment soft;
} AlignedGuide;

// Pairs with more tokens on a side are not learned from and have no links.
enum { MAX_ALIGNED_TOKENS = 500 };

/* Learns from all pairs of the text. The result is the same for any number of threads. Where
 * several ranks have the same text, rank 0 learns, by as many threads as all have together, or as
 * there are processors for it, and tells the others. After a failure the guide can only be freed.
 * */
Status aligned_guide_learn(AlignedGuide *guide, const TextCorpus *text, size_t threads,
                           Ranks *ranks, Error *error);

/* Sets the links of a pair of that text, `number` from 0; the ends of its subwords are those of
 * `source` and `target`, whose units are not read. */
Status aligned_guide_links(AlignedGuide *guide, SubwordLinks *links, const TextCorpus *text,
                           size_t number, SoftSide source, SoftSide target, Error *error);

/* Moves the aligner, made so small that it is a sixth of the model's file: it is to add little to
 * what is given away. */
Status aligned_guide_keep(AlignedGuide *guide, Aligner *aligner, ModelConfig config, Error *error);

void aligned_guide_free(AlignedGuide *guide);

#endif
