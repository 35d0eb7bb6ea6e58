// Whether a translation equals a reference.
#ifndef REGARD_METRICS_EXACT_MATCH_H
#define REGARD_METRICS_EXACT_MATCH_H

#include "metrics/segment.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the hypothesis equals one of the references once both are normalised (text/normalise.h:
 * NFC, single spaces, none at the ends) and, with `lowercase`, in lower case. On failure *equal is
 * as it was. */
Status exact_match(bool *equal, const Segment *segment, bool lowercase, Error *error);

#endif
