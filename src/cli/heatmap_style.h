/* How a heat-map may look where a descriptor leads. */
#ifndef REGARD_CLI_HEATMAP_STYLE_H
#define REGARD_CLI_HEATMAP_STYLE_H

#include "render/heatmap.h"

/* By the customs of COLORTERM, TERM and NO_COLOR (https://no-color.org); without colours and escape sequences
 * where there is no terminal. */
HeatmapStyle heatmap_style_of(int descriptor);

#endif
