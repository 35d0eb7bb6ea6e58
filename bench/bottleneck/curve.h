/* What was measured: BLEU of every scorer's translations in each class of lengths, with its uncertainty. */
#ifndef REGARD_BENCH_BOTTLENECK_CURVE_H
#define REGARD_BENCH_BOTTLENECK_CURVE_H

#include "align/units.h"
#include "bench/bottleneck/lengths.h"
#include "corpus/text_corpus.h"
#include "metrics/bootstrap.h"

enum { MAX_CURVE_SERIES = 8 };

// One scorer's translations in one class; meaningless where the class has no sources.
typedef struct CurvePoint {
    double bleu;                // 0 … 100, of the class as a corpus
    BootstrapInterval interval; // 95 %
} CurvePoint;

typedef struct CurveSeries {
    const char *name; // of the scorer; not owned
    CurvePoint points[LENGTH_CLASSES];
    double bleu; // of all
} CurveSeries;

// Start from {0}, end with curve_free.
typedef struct Curve {
    UnitKind unit;                       // what the lengths count
    BleuTokenizer tokenizer;             // as the targets' script wants it
    size_t counts[LENGTH_CLASSES];       // sources in each class
    double mean_lengths[LENGTH_CLASSES]; // of them
    CurveSeries series[MAX_CURVE_SERIES];
    size_t count; // of series
    TextCorpus test;
    size_t *classes; // (test.count) of each source
} Curve;

// Reads the pairs that were translated (corpus/pair_reader.h) and sorts them into classes.
Status curve_read_test(Curve *curve, const char *pairs, Error *error);

/* Measures a file of translations, one line for each pair of the test, as the next series. `name` must stay where it is.
 * There may be MAX_CURVE_SERIES. */
Status curve_add(Curve *curve, const char *name, const char *path, Error *error);

// The length that stands at the right end of a picture: the greatest mean, and at least 70.
double curve_longest(const Curve *curve);

void curve_free(Curve *curve);

#endif
