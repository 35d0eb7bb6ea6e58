#include "render/colour_map.h"
#include "support/suite.h"

#include <math.h>

// CIE 1976 lightness of an sRGB colour (IEC 61966-2-1).
static double lightness(Colour colour)
{
    const double channels[] = {colour.red, colour.green, colour.blue};
    const double weights[] = {0.2126, 0.7152, 0.0722};
    double luminance = 0;
    for (int i = 0; i < 3; i++) {
        double c = channels[i] / 255;
        luminance += weights[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return luminance > 0.008856 ? 116 * cbrt(luminance) - 16 : 903.3 * luminance;
}

TEST(lightness_changes_evenly)
{
    double last = lightness(colour_map(0)), step = (lightness(colour_map(1)) - last) / 20;
    ck_assert_double_gt(step, 3.5);
    for (int i = 1; i <= 20; i++) {
        double next = lightness(colour_map((float)i / 20));
        ck_assert_msg(next - last > 0.7 * step && next - last < 1.4 * step,
                      "from %d/20 to %d/20 lightness changes by %.2f, evenly it were %.2f", i - 1,
                      i, next - last, step);
        last = next;
    }
}

TEST(ends_and_anchors)
{
    Colour low = colour_map(0), middle = colour_map(0.5F), high = colour_map(1);
    ck_assert(low.red == 16 && low.green == 20 && low.blue == 72);
    ck_assert(middle.red == 32 && middle.green == 130 && middle.blue == 150);
    ck_assert(high.red == 250 && high.green == 226 && high.blue == 70);
    Colour eighth = colour_map(0.125F); // half way: (16 + 44) / 2, (20 + 74) / 2, (72 + 150) / 2
    ck_assert_str_eq(colour_map_name(0.125F).text, "#1e2f6f");
    ck_assert(eighth.red == 30 && eighth.green == 47 && eighth.blue == 111);
}

TEST(256_rises)
{
    static const uint8_t levels[] = {0, 95, 135, 175, 215, 255}; // of xterm's cube
    double last = -1;
    int before = -1;
    for (int i = 0; i <= 100; i++) {
        int place = colour_map_256((float)i / 100);
        ck_assert_int_ge(place, 16);
        ck_assert_int_lt(place, 16 + 216);
        int cube = place - 16;
        Colour colour = {levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6]};
        ck_assert(place == before || lightness(colour) > last + 5);
        last = lightness(colour);
        before = place;
    }
    ck_assert_double_gt(last, 80);
}

TEST(shades)
{
    ck_assert_str_eq(colour_map_shade(0), " ");
    ck_assert_str_eq(colour_map_shade(0.19F), " ");
    ck_assert_str_eq(colour_map_shade(0.21F), "░");
    ck_assert_str_eq(colour_map_shade(0.5F), "▒");
    ck_assert_str_eq(colour_map_shade(0.61F), "▓");
    ck_assert_str_eq(colour_map_shade(1), "█");
}

TEST(outside)
{
    const float low[] = {-1, -INFINITY, NAN}, high[] = {1.5F, 1e30F, INFINITY};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(colour_map_256(low[i]), colour_map_256(0));
        ck_assert_int_eq(colour_map(low[i]).green, 20);
        ck_assert_str_eq(colour_map_shade(low[i]), " ");
        ck_assert_int_eq(colour_map_256(high[i]), colour_map_256(1));
        ck_assert_int_eq(colour_map(high[i]).green, 226);
        ck_assert_str_eq(colour_map_shade(high[i]), "█");
    }
}
