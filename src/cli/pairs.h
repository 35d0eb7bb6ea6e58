/* Pairs of a file, a window at a time, and through forced decoding, one result each, in order: what align and score are
 * made of. */
#ifndef REGARD_CLI_PAIRS_H
#define REGARD_CLI_PAIRS_H

#include "cli/output.h"
#include "corpus/pair_reader.h"
#include "translate/session.h"

// The most pairs of a window; they are decoded together, so that those of like length can be found.
enum { PAIR_WINDOW = 512 };

// Is handed windows of `count` ≥ 1 pairs; the first has the number `first`, counted from 1.
typedef Status (*TakePairs)(void *context, const Pair *pairs, size_t count, size_t first,
                            Error *error);

/* Reads PAIRS (corpus/pair_reader.h), pairs with empty sides too, and calls `take` for each window. Pairs before a bad line
 * are handed over too. */
Status read_pairs(const char *spec, TakePairs take, void *context, Error *error);

// Is handed each pair; `number` counts from 1.
typedef Status (*WritePair)(void *context, const Translation *pair, size_t number, Output *output,
                            Error *error);

/* Reads PAIRS as read_pairs does, and calls `write` for each pair. */
Status force_pairs(Session *session, const char *spec, bool with_alpha, WritePair write,
                   void *context, Output *output, Error *error);

#endif
