#include "text/emoji.h"

#include "text/utf8.h"

enum { JOINER = 0x200D, KEYCAP = 0x20E3, AS_EMOJI = 0xFE0F, FIRST_BEYOND_ASCII = 0x80 };

// Pictures without U+FE0F behind them: whole blocks, with the few of other blocks.
static bool is_picture(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } blocks[] = {
        {0x231A, 0x231B},   // watch, hourglass
        {0x23E9, 0x23FA},   // clocks, buttons of a player
        {0x2600, 0x27BF},   // miscellaneous symbols, dingbats
        {0x2B1B, 0x2B1C},   // squares
        {0x2B50, 0x2B55},   // star, circle
        {0x1F000, 0x1FAFF}, // all blocks of pictographs, regional indicators and skin tones
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (c >= blocks[i].first && c <= blocks[i].last) return true;
    return false;
}

static bool is_regional(uint32_t c)
{
    return c >= 0x1F1E6 && c <= 0x1F1FF;
}

static bool changes_picture(uint32_t c)
{
    bool skin_tone = c >= 0x1F3FB && c <= 0x1F3FF, tag = c >= 0xE0020 && c <= 0xE007F;
    return c == AS_EMOJI || c == KEYCAP || skin_tone || tag;
}

static size_t behind(const char *text, size_t length, size_t at)
{
    (void)utf8_next(text, length, &at);
    return at;
}

static size_t keycap_end(const char *text, size_t length, size_t begin)
{
    size_t at = begin + 1;
    if (utf8_at(text, length, at) == AS_EMOJI) at = behind(text, length, at);
    return utf8_at(text, length, at) == KEYCAP ? behind(text, length, at) : begin;
}

size_t emoji_end(const char *text, size_t length, size_t begin)
{
    size_t at = begin;
    uint32_t c = utf8_next(text, length, &at);
    if (utf8_is_among(c, "0123456789#*")) return keycap_end(text, length, begin);
    if (c < FIRST_BEYOND_ASCII) return begin;
    if (!is_picture(c) && utf8_at(text, length, at) != AS_EMOJI) return begin;
    if (is_regional(c))
        return is_regional(utf8_at(text, length, at)) ? behind(text, length, at) : at;
    while (at < length) {
        size_t next = at;
        c = utf8_next(text, length, &next);
        bool joined = c == JOINER && is_picture(utf8_at(text, length, next));
        if (!joined && !changes_picture(c)) break;
        at = joined ? behind(text, length, next) : next;
    }
    return at;
}
