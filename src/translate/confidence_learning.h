/* Fits the confidence of a model (confidence.h) to its own translations of pairs that it has not
 * learned from: the weights of both logistic regressions by Newton's method, with a penalty of
 * |w|² / 2 on all but the first, so that they are defined where everything is right. And chooses by
 * such pairs how its searches normalise by length. */
#pragma once

#include "corpus/text_corpus.h"
#include "translate/confidence.h"

enum { MAX_CONFIDENCE_PAIRS = 1000 };

// α of the best BLEU, or 1 if none is better than that by more than noise; and the BLEU of both.
typedef struct NormalizationChoice {
    double alpha, bleu, bleu_of_1;
} NormalizationChoice;

/* Translates the sources of the first MAX_CONFIDENCE_PAIRS pairs with the model of a file, compares
 * them with the targets, and replaces the file by one with these weights, which is otherwise the
 * same. With `choice`, α is chosen before, and the model's from then on; without (NULL) it stays.
 * Nothing is done without pairs. The products are in int8, so that all processors find the same. */
Status confidence_learn(const char *path, TextCorpus *pairs, size_t threads,
                        NormalizationChoice *choice, Error *error);

// How good the probabilities are, of texts or of words.
enum { CONFIDENCE_BINS = 10 }; // of equal width

typedef struct ConfidenceMeasure {
    size_t count;
    double right;             // the share that is
    double calibration_error; // mean |P − share that is right|, of the bins
    struct ConfidenceBin {
        size_t count;
        double probability, right; // means; 0 of an empty bin
    } bins[CONFIDENCE_BINS];
    double auc;           // how often what is right has more than what is wrong; NaN if all are
    double certain;       // the share with at least CERTAIN
    double certain_right; // and how many of these are; NaN without any
} ConfidenceMeasure;

#define CERTAIN 0.8

/* Measures the confidence of a model's file on such pairs: of texts and of words. STATUS_FORMAT if
 * it has none. */
Status confidence_measure(ConfidenceMeasure measures[2], const char *path, TextCorpus *pairs,
                          size_t threads, Error *error);
