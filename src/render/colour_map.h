/* The colours of weights 0 … 1: the more attention, the brighter. Weights outside are clamped, NaN is
 * 0. Pages have the same, from their paper on (colours.js).
 *
 * The colours run from dark blue through green to yellow with evenly changing lightness (CIE L*),
 * so that equal steps look equal, also in grey and to readers who cannot tell red from green. */
#pragma once

#include <stdint.h>

typedef struct Colour {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
} Colour;

// In sRGB.
Colour colour_map(float weight);

// The same as SVG and HTML write it, "#2c4a96".
typedef struct ColourName {
    char text[8];
} ColourName;
ColourName colour_map_name(float weight);

// In a terminal's 256 colours: 16 + 36 red + 6 green + blue, each 0 … 5.
int colour_map_256(float weight);

// One of the five characters ' ', '░', '▒', '▓', '█', in UTF-8.
const char *colour_map_shade(float weight);
