/* A soft alignment to be drawn. A view, which owns nothing. */
#ifndef REGARD_RENDER_PICTURE_H
#define REGARD_RENDER_PICTURE_H

#include "align/units.h"

typedef struct Picture {
    const float *weights; // (target labels, source labels), row-major, each in 0 … 1
    Labels source;
    Labels target;
} Picture;

#endif
