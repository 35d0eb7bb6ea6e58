/* A shortlist (model/shortlist.h) learned from the attention of a trained model.
 *
 * A sample of pairs has each source token a number of times in as few pairs as possible; the model
 * reads them with their targets given. A target token is linked to the source token with most of
 * its attention, and to others with a good share, by the weight of that attention; a source token
 * keeps its heaviest links. Always in are special tokens, bytes, and the most frequent target
 * tokens.
 *
 * A function of corpus and model: weights are summed as integers, so the number of threads does not
 * matter. That of more than MAX_SHORTLIST_VOCABULARY target tokens is empty. */
#pragma once

#include "base/threads.h"
#include "corpus/token_corpus.h"
#include "model/model_file.h"

enum {
    MAX_SHORTLIST_CANDIDATES = 32,     // of a source token
    SHORTLIST_FREQUENT = 500,          // target tokens that are always in
    SHORTLIST_OCCURRENCES = 1024,      // wanted of each source token in the sample
    MAX_SHORTLIST_TOKENS = 500 * 1000, // target tokens of the sample: seconds of work
};

// Freed by shortlist_free, after a failure too.
Status shortlist_learn(Shortlist *shortlist, const TokenCorpus *corpus, const Seq2SeqParams *params,
                       Threads *threads, Error *error);
