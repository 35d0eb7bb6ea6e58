/* A shortlist (model/shortlist.h) learned from where a trained model looks.
 *
 * Pairs of the corpus are chosen, in rounds, so that each source token is met a number of times and few pairs are needed; the
 * model reads them with their targets given. A target token counts for the source token it looked at most, and for those with
 * a good share of its attention, each as much as it was looked at; a source token keeps the tokens that count most. The tokens
 * that are always in are the special ones, the bytes, and the most frequent of the target side.
 *
 * A function of corpus and model: whole numbers are summed, so the threads do not matter. */
#ifndef REGARD_TRAIN_SHORTLIST_LEARNING_H
#define REGARD_TRAIN_SHORTLIST_LEARNING_H

#include "base/threads.h"
#include "corpus/token_corpus.h"
#include "model/model_file.h"

enum {
    MAX_SHORTLIST_CANDIDATES = 32,     // of a source token
    SHORTLIST_FREQUENT = 500,          // tokens of the target side that are always in
    SHORTLIST_MEETINGS = 1024,         // of a source token that are looked for
    MAX_SHORTLIST_TOKENS = 500 * 1000, // target tokens of all pairs chosen: seconds of work
};

// Owns what `list` points to.
typedef struct LearnedShortlist {
    Shortlist list;
    int32_t *memory;
} LearnedShortlist;

/* Learns; freed by learned_shortlist_free. */
Status learned_shortlist_make(LearnedShortlist *learned, const TokenCorpus *corpus,
                              const Seq2SeqParams *params, const ModelConfig *config,
                              Threads *threads, Error *error);

/* Learns the shortlist of the model at `path` and writes the model with it, unless it has one already or its attention looks
 * nowhere ("none"). Nothing else of the file changes. The packed forms of `trained`, parameters of the same model, if there are
 * any, are filled with the model's. */
Status shortlist_add_to_model(const char *path, const TokenCorpus *corpus,
                              const Seq2SeqParams *trained, Threads *threads, Error *error);

void learned_shortlist_free(LearnedShortlist *learned);

#endif
