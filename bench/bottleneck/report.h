/* The figures as a table for the terminal, and as a page that needs nothing but itself. */
#ifndef REGARD_BENCH_BOTTLENECK_REPORT_H
#define REGARD_BENCH_BOTTLENECK_REPORT_H

#include "bench/bottleneck/curve.h"

// Appends the table: a row for each class of lengths that has sources, a column for each scorer.
Status report_table(const Curve *curve, Bytes *out, Error *error);

/* Appends the page: the drawing in both forms, the table, and how it was made. `notes` (may be NULL) are lines of
 * LABEL<TAB>TEXT. */
Status report_page(const Curve *curve, const char *caption, const char *notes, Bytes *out,
                   Error *error);

#endif
