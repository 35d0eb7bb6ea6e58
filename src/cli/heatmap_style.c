#include "cli/heatmap_style.h"

#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

HeatmapStyle heatmap_style_of(int descriptor)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM"), *more = getenv("COLORTERM");
    if (!terminal_is(descriptor) || (no_color && *no_color) || !term || !strcmp(term, "dumb"))
        return HEATMAP_SHADES;
    if (more && (!strcmp(more, "truecolor") || !strcmp(more, "24bit"))) return HEATMAP_TRUECOLOR;
    if (strstr(term, "-direct")) return HEATMAP_TRUECOLOR; // ncurses' name for 24 bits
    return strstr(term, "256color") ? HEATMAP_256 : HEATMAP_SHADES;
}
