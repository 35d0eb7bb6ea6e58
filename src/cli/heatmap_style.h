// The style of heat-maps on a file descriptor.
#ifndef REGARD_CLI_HEATMAP_STYLE_H
#define REGARD_CLI_HEATMAP_STYLE_H

#include "render/heatmap.h"

/* As COLORTERM, TERM and NO_COLOR say (https://no-color.org); plain shades without escape sequences
 * if it is not a terminal. */
HeatmapStyle heatmap_style_of(int descriptor);

#endif
