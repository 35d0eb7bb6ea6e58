/* The colours of weights 0 … 1: the more attention, the brighter (on light paper: the darker).
 * Weights outside are clamped, NaN is 0.
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

/* What the colours stand on: any background, or the light or the dark paper of theme.css. There a
 * weight of 0 is the paper itself, and the more attention, the further from it, darker on light paper
 * and brighter on dark. */
typedef enum Paper { PAPER_ANY, PAPER_LIGHT, PAPER_DARK } Paper;

// In sRGB.
Colour colour_map(Paper paper, float weight);

// The same as SVG and HTML write it, "#2c4a96".
typedef struct ColourName {
    char text[8];
} ColourName;
ColourName colour_map_name(Paper paper, float weight);

// In a terminal's 256 colours: 16 + 36 red + 6 green + blue, each 0 … 5.
int colour_map_256(float weight);

// One of the five characters ' ', '░', '▒', '▓', '█', in UTF-8.
const char *colour_map_shade(float weight);
