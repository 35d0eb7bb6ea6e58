// Reads the pairs of a file, a window at a time, and decodes them with their targets forced: align
// and score.
#pragma once

#include "cli/output.h"
#include "cli/terminal.h"
#include "corpus/pair_reader.h"
#include "translate/session.h"

// Pairs decoded together, so that batches can be made of pairs of similar length.
enum { PAIR_WINDOW = 512 };

// Takes the sources and the targets of `count` ≥ 1 pairs; the first pair has the number `first`,
// counted from 1.
typedef Status (*TakePairs)(void *context, const TextView *const sides[2], size_t count,
                            size_t first, Error *error);

// PAIRS (corpus/pair_reader.h) as a verb reads them.
typedef struct PairInput {
    const char *verb, *spec;
    const PairOptions *options;
    const Translator *translator; // that reads the sources: warns if they are not in its language
    WorkProgress *progress;       // hears how much of the file has been read, unless it is NULL
    Output *output;               // if not NULL, a pair that is typed is answered at once
} PairInput;

/* Calls `take` for each window of PAIRS, with pairs that have an empty side. Pairs before a bad line
 * are taken too. Where they are to be typed, says so first; at the end says what was taken, where
 * that is not plain. */
Status read_pairs(const PairInput *input, TakePairs take, void *context, Error *error);

// Writes one pair; `number` counts from 1.
typedef Status (*WritePair)(void *context, const Translation *pair, size_t number, Error *error);

/* Reads PAIRS as read_pairs does, decodes them with their targets forced, and writes each to the
 * input's output, in order. Shows how far it has come. */
Status force_pairs(Session *session, PairInput input, bool with_alpha, WritePair write,
                   void *context, Error *error);
