/* The curve as SVG: BLEU upwards, the length of the source to the right, a line for each scorer. It follows the reader's
 * light or dark setting; lines differ in colour, in dashes and in the shape of their points, so that colours may look
 * alike. */
#ifndef REGARD_BENCH_BOTTLENECK_DRAWING_H
#define REGARD_BENCH_BOTTLENECK_DRAWING_H

#include "bench/bottleneck/curve.h"

typedef enum DrawingForm {
    DRAWING_WIDE,   // 720 units wide, for documents
    DRAWING_NARROW, // 360, for phones: letters as large on half the width
} DrawingForm;

/* Appends one <svg> element, whole in itself. `caption` is the line under its title; NULL for none. On failure a part may
 * have been appended. */
Status drawing_append(const Curve *curve, DrawingForm form, const char *caption, Bytes *out,
                      Error *error);

#endif
