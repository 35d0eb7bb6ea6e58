/* The colours of weights 0 … 1: the more attention, the brighter (on light paper: the darker).
 * Weights outside are clamped, NaN is 0.
 *
 * The colours run from dark blue through green to yellow with evenly changing lightness (CIE L*),
 * so that equal steps look equal, also in grey and to readers who cannot tell red from green. */
#ifndef REGARD_RENDER_COLOUR_MAP_H
#define REGARD_RENDER_COLOUR_MAP_H

#include <stdint.h>

typedef struct Colour {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
} Colour;

// In sRGB, on any background.
Colour colour_map_rgb(float weight);

/* In sRGB, on the light and the dark paper of theme.css: a weight of 0 is the paper itself, and the
 * more attention, the further from it, darker on light paper and brighter on dark. */
Colour colour_map_on_light(float weight);
Colour colour_map_on_dark(float weight);

// In a terminal's 256 colours: 16 + 36 red + 6 green + blue, each 0 … 5.
int colour_map_256(float weight);

// One of the five characters ' ', '░', '▒', '▓', '█', in UTF-8.
const char *colour_map_shade(float weight);

#endif
