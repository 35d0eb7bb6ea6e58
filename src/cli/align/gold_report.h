/* The result of `regard align --gold`, in a line. */
#ifndef REGARD_CLI_ALIGN_GOLD_REPORT_H
#define REGARD_CLI_ALIGN_GOLD_REPORT_H

#include "align/gold.h"
#include "align/units.h"
#include "cli/output.h"

// The pairs whose links were counted.
typedef struct GoldPairs {
    const char *file; // as named on the command line
    size_t count;
    UnitKind units[2]; // source, target
} GoldPairs;

/* Reads the gold file to its end, and writes a line for people:
 *
 *     AER 21.43 %  precision 75.21 %  recall 84.02 %  (150 pairs: 1204 links; gold: 980 sure, …)
 *
 * or {"alignment_error_rate": 0.2143, "precision": …, "recall": …, "pairs": …, "links": …, "sure":
 * …, "possible": …, "source_units": "words", "target_units": "words"}. The possible include the
 * sure ones, as P does. */
Status gold_report(Gold *gold, const GoldPairs *pairs, bool json, Output *output, Error *error);

#endif
