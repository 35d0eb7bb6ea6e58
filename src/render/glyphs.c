#include "render/glyphs.h"

#include "text/utf8.h"

enum { OPEN_BOX = 0x2423, DOTTED_CIRCLE = 0x25CC, ELLIPSIS = 0x2026, SOFT_HYPHEN = 0xAD };

static bool is_variation_selector(uint32_t code_point)
{
    return (code_point >= 0xFE00 && code_point <= 0xFE0F) ||
           (code_point >= 0xE0100 && code_point <= 0xE01EF);
}

// Formatting without a shape of its own, and what makes a terminal choose another width.
static bool is_left_out(uint32_t code_point)
{
    if (is_variation_selector(code_point) || code_point == SOFT_HYPHEN) return true;
    return utf8_width(code_point) == 0 && !utf8_is_letter(code_point);
}

// Begins a glyph with the code point, or adds it as a mark to the last one.
static Status put(Glyphs *glyphs, uint32_t code_point, bool mark, Error *error)
{
    char bytes[4];
    size_t begin = glyphs->text.length;
    Status status = bytes_append(&glyphs->text, bytes, utf8_encode(code_point, bytes), error);
    if (status) return status;
    if (!mark) return units_append(&glyphs->glyphs, begin, glyphs->text.length, error);
    glyphs->glyphs.ends[glyphs->glyphs.count - 1] = (uint32_t)glyphs->text.length;
    return STATUS_OK;
}

// Takes glyphs off the label that begins with glyph `first` until an ellipsis fits.
static Status cut(Glyphs *glyphs, size_t first, size_t width, size_t most, Error *error)
{
    Units *all = &glyphs->glyphs;
    while (all->count > first && width + 1 > most) width -= glyphs_width(glyphs, --all->count);
    glyphs->text.length = all->count ? all->ends[all->count - 1] : 0;
    return put(glyphs, ELLIPSIS, false, error);
}

static Status add_label(Glyphs *glyphs, const char *text, size_t length, size_t most, Error *error)
{
    size_t first = glyphs->glyphs.count, width = 0;
    Status status = STATUS_OK;
    for (size_t at = 0; at < length && width <= most && !status;) {
        uint32_t code_point;
        at += utf8_decode(text + at, length - at, &code_point, NULL);
        if (utf8_is_control(code_point)) code_point = UTF8_REPLACEMENT;
        if (utf8_is_space(code_point)) code_point = OPEN_BOX;
        if (is_left_out(code_point)) continue;
        bool mark = utf8_extends(code_point);
        if (mark && glyphs->glyphs.count == first) {
            status = put(glyphs, DOTTED_CIRCLE, false, error);
            width++;
        }
        if (!status) status = put(glyphs, code_point, mark, error);
        width += (size_t)utf8_width(code_point);
    }
    if (!status && glyphs->glyphs.count == first) // nothing visible in it
        status = put(glyphs, UTF8_REPLACEMENT, false, error);
    if (!status && width > most) status = cut(glyphs, first, width, most, error);
    if (status) return status;
    return units_append(&glyphs->labels, first, glyphs->glyphs.count, error);
}

Status glyphs_set(Glyphs *glyphs, Labels labels, size_t most, Error *error)
{
    bytes_clear(&glyphs->text);
    units_clear(&glyphs->glyphs);
    units_clear(&glyphs->labels);
    Status status = STATUS_OK;
    for (size_t i = 0; i < labels.units->count && !status; i++) {
        size_t begin = labels.units->begins[i];
        status = add_label(glyphs, labels.text + begin, labels.units->ends[i] - begin, most, error);
    }
    return status;
}

size_t glyphs_width(const Glyphs *glyphs, size_t glyph)
{
    size_t begin = glyphs->glyphs.begins[glyph];
    return utf8_text_width(glyphs->text.data + begin, glyphs->glyphs.ends[glyph] - begin);
}

size_t glyphs_label_width(const Glyphs *glyphs, size_t label)
{
    size_t width = 0;
    for (size_t g = glyphs->labels.begins[label]; g < glyphs->labels.ends[label]; g++)
        width += glyphs_width(glyphs, g);
    return width;
}

void glyphs_free(Glyphs *glyphs)
{
    bytes_free(&glyphs->text);
    units_free(&glyphs->glyphs);
    units_free(&glyphs->labels);
}
