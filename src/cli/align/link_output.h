/* Where `regard align` writes links: a line for each pair, or with --gold one result of all. */
#ifndef REGARD_CLI_ALIGN_LINK_OUTPUT_H
#define REGARD_CLI_ALIGN_LINK_OUTPUT_H

#include "align/gold.h"
#include "cli/align/align.h"

// Begin with link_output_start, end with link_output_free.
typedef struct LinkOutput {
    const AlignValues *values;
    Output *output;
    Gold gold;
    size_t pairs; // so far
} LinkOutput;

// Opens the gold file, if there is one.
Status link_output_start(LinkOutput *links, const AlignValues *values, Output *output,
                         Error *error);

/* Writes the links of the next pair, of so many units, in the Pharaoh form, or compares them with
 * its gold links. */
Status link_output_add(LinkOutput *links, const Links *pair, size_t sources, size_t targets,
                       Error *error);

/* With --gold, reads the gold file to its end and writes a line for people:
 *
 *     AER 21.43 %  precision 75.21 %  recall 84.02 %  (150 pairs: 1204 links; gold: 980 sure, …)
 *
 * or {"alignment_error_rate": 0.2143, "precision": …, "recall": …, "pairs": …, "links": …, "sure":
 * …, "possible": …, "source_units": "words", "target_units": "words"}. The possible include the
 * sure ones, as P does. `file` is that of the pairs, `units` what the links counted. */
Status link_output_finish(LinkOutput *links, const char *file, const UnitKind units[2],
                          Error *error);

void link_output_free(LinkOutput *links);

#endif
