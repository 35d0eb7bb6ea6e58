#include "render/colour_map.h"

#include <stddef.h>
#include <stdio.h>

static float clamp(float weight)
{
    if (!(weight > 0)) return 0; // NaN too
    return weight < 1 ? weight : 1;
}

// Which of `count` equal parts of 0 … 1 the weight falls in.
static size_t part(float weight, size_t count)
{
    size_t at = (size_t)(clamp(weight) * (float)count);
    return at < count ? at : count - 1;
}

static uint8_t between(uint8_t from, uint8_t to, float fraction)
{
    return (uint8_t)((float)from + ((float)to - (float)from) * fraction + 0.5F);
}

Colour colour_map(float weight)
{
    enum { ANCHORS = 5 };                  // at 0, 1/4, 1/2, 3/4 and 1; in the comments their L*
    static const Colour anchors[ANCHORS] = // 10, 33, 50, 67, 90
        {{16, 20, 72}, {44, 74, 150}, {32, 130, 150}, {98, 182, 104}, {250, 226, 70}};
    size_t at = part(weight, ANCHORS - 1);
    float fraction = clamp(weight) * (ANCHORS - 1) - (float)at;
    Colour from = anchors[at], to = anchors[at + 1];
    return (Colour){between(from.red, to.red, fraction), between(from.green, to.green, fraction),
                    between(from.blue, to.blue, fraction)};
}

ColourName colour_map_name(float weight)
{
    ColourName name;
    Colour colour = colour_map(weight);
    (void)snprintf(name.text, sizeof name.text, "#%02x%02x%02x", colour.red, colour.green,
                   colour.blue);
    return name;
}

int colour_map_256(float weight)
{
    // the nearest of the 6×6×6 cube whose lightness rises: L* = 8, 14, 27, 40, 52, 64, 79, 87
    static const uint8_t places[] = {17, 18, 20, 25, 31, 36, 113, 221};
    return places[part(weight, sizeof places)];
}

const char *colour_map_shade(float weight)
{
    static const char *const shades[] = {" ", "░", "▒", "▓", "█"};
    return shades[part(weight, sizeof shades / sizeof *shades)];
}
