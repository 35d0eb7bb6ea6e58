// Whether a translation is right to the letter.
#ifndef REGARD_METRICS_EXACT_MATCH_H
#define REGARD_METRICS_EXACT_MATCH_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the hypothesis equals one of the `count` ≥ 1 references once both are normalised
 * (text/normalise.h: NFC, single spaces, none at the ends) and, with `lowercase`, in lower case.
 * Empty references are left out unless all are, as BLEU and chrF do. On failure *equal is as it
 * was. */
Status exact_match(bool *equal, const char *hypothesis, const char *const *references, size_t count,
                   bool lowercase, Error *error);

#endif
