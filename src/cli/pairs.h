/* Pairs of a file through forced decoding, one result each, in order: what align and score are made of. */
#ifndef REGARD_CLI_PAIRS_H
#define REGARD_CLI_PAIRS_H

#include "api/session.h"
#include "cli/output.h"

// Is handed each pair; `number` counts from 1.
typedef Status (*WritePair)(void *context, const Translation *pair, size_t number, Output *output,
                            Error *error);

/* Reads PAIRS (corpus/pair_reader.h), pairs with empty sides too, and calls `write` for each. */
Status force_pairs(Session *session, const char *spec, bool with_alpha, WritePair write,
                   void *context, Output *output, Error *error);

#endif
