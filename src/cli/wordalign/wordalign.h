/* `regard align` without a model: links learned from the pairs themselves (align/aligner.h) or by an
 * aligner that was saved, their AER, or the most suspicious pairs. */
#pragma once

#include "align/aligner.h"
#include "cli/align/align.h"
#include "cli/pairs.h"
#include "corpus/text_corpus.h"

Status wordalign(const Arguments *arguments, Output *output, Error *error);

/* Reads the pairs of a file and those of --train, and learns from all of them, and from the links of
 * --prior; adds those of the file to `kept`. Shows its progress on a terminal. After a failure there
 * is no aligner to free. */
Status wordalign_learn(Aligner *aligner, TextCorpus *kept, const AlignValues *values,
                       const char *file, Threads *threads, Error *error);

typedef struct SuspiciousPair {
    double score;  // aligner_score
    size_t number; // of the pair, from 1
    Bytes texts;   // source and target, one behind the other
    size_t source_length;
} SuspiciousPair;

/* The pairs that are least likely to be translations of each other, those with the lowest scores so
 * far. Start from {.limit = N}, N ≥ 1, end with suspicious_free. */
typedef struct Suspicious {
    size_t limit;
    SuspiciousPair *items; // (count) those with the lowest scores, among others
    size_t count, capacity;
} Suspicious;

Status suspicious_add(Suspicious *suspicious, double score, size_t number, const TextView texts[2],
                      Error *error);

/* Writes them, the lowest score first, a line each:
 *
 *     17 <TAB> -0.4312 <TAB> source <TAB> target
 *
 * or {"pair": 17, "score": -0.4312, "source": "…", "target": "…"}. */
Status suspicious_write(Suspicious *suspicious, bool json, Output *output, Error *error);

void suspicious_free(Suspicious *suspicious);
