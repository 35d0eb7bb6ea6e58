// The scores as text for people.
#ifndef REGARD_CLI_EVALUATE_REPORT_H
#define REGARD_CLI_EVALUATE_REPORT_H

#include "cli/evaluate/evaluation.h"
#include "cli/output.h"

/* Writes three lines, which begin "BLEU 34.20", "chrF2 57.31" and "exact 12.50 %", with the
 * signatures, and for BLEU the brevity penalty and the lengths in tokens.
 *
 * Then, if requested, each after an empty line: the intervals, the comparison with the other system,
 * and the table by length, without empty buckets. */
Status evaluation_report(const Evaluation *evaluation, Output *output, Error *error);

#endif
