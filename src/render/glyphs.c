#include "render/glyphs.h"

#include "text/utf8.h"

// On a character, as in the Stream-Safe Text Format (Unicode Standard Annex 15).
enum { MAX_MARKS = 30 };

enum { OPEN_BOX = 0x2423, DOTTED_CIRCLE = 0x25CC, ELLIPSIS = 0x2026 };

// Formatting without a shape, and variation selectors, which change the width.
static bool is_left_out(uint32_t code_point)
{
    bool variation_selector = (code_point >= 0xFE00 && code_point <= 0xFE0F) ||
                              (code_point >= 0xE0100 && code_point <= 0xE01EF);
    if (variation_selector || code_point == SOFT_HYPHEN) return true;
    return utf8_width(code_point) == 0 && !utf8_is_letter(code_point);
}

// Begins a glyph with the code point, or adds it as a mark to the last one.
static void put(Glyphs *glyphs, Writer *text, uint32_t code_point, bool mark)
{
    char bytes[4];
    Spans *all = &glyphs->glyphs;
    size_t begin = glyphs->text.length;
    writer_bytes(text, bytes, utf8_encode(code_point, bytes));
    if (text->status) return;
    if (mark)
        all->items[all->count - 1].end = glyphs->text.length;
    else
        text->status = spans_append(all, (Span){begin, glyphs->text.length}, text->error);
}

// Takes glyphs off the label that begins with glyph `first` until an ellipsis fits.
static void cut(Glyphs *glyphs, Writer *text, size_t first, size_t width, size_t max_width)
{
    Spans *all = &glyphs->glyphs;
    while (all->count > first && width + 1 > max_width) width -= glyphs_width(glyphs, --all->count);
    bytes_cut(&glyphs->text, all->count ? all->items[all->count - 1].end : 0);
    put(glyphs, text, ELLIPSIS, false);
}

static void add_label(Glyphs *glyphs, Writer *text, TextView label, size_t max_width)
{
    size_t first = glyphs->glyphs.count, width = 0, marks = 0;
    for (size_t at = 0; at < label.length && width <= max_width && !text->status;) {
        uint32_t code_point = utf8_next(label.data, label.length, &at);
        if (utf8_is_control(code_point)) code_point = UTF8_REPLACEMENT;
        if (utf8_is_space(code_point)) code_point = OPEN_BOX;
        if (is_left_out(code_point)) continue;
        bool mark = utf8_extends(code_point);
        marks = mark ? marks + 1 : 0;
        if (marks > MAX_MARKS) continue;
        if (mark && glyphs->glyphs.count == first) {
            put(glyphs, text, DOTTED_CIRCLE, false);
            width++;
        }
        put(glyphs, text, code_point, mark);
        width += (size_t)utf8_width(code_point);
    }
    if (text->status) return;
    if (glyphs->glyphs.count == first) // nothing visible in it
        put(glyphs, text, UTF8_REPLACEMENT, false);
    if (width > max_width) cut(glyphs, text, first, width, max_width);
    if (!text->status)
        text->status =
            spans_append(&glyphs->labels, (Span){first, glyphs->glyphs.count}, text->error);
}

Status glyphs_set(Glyphs *glyphs, Labels labels, size_t max_width, Error *error)
{
    bytes_clear(&glyphs->text);
    glyphs->glyphs.count = 0;
    glyphs->labels.count = 0;
    Writer text = writer_start(&glyphs->text, error);
    for (size_t i = 0; i < labels.units->count && !text.status; i++)
        add_label(glyphs, &text, label_text(labels, i), max_width);
    return writer_end(&text);
}

size_t glyphs_width(const Glyphs *glyphs, size_t glyph)
{
    const TextView text = glyphs_text(glyphs, (Span){glyph, glyph + 1});
    return utf8_text_width(text.data, text.length);
}

size_t glyphs_label_width(const Glyphs *glyphs, size_t label)
{
    const TextView text = glyphs_text(glyphs, glyphs->labels.items[label]);
    return utf8_text_width(text.data, text.length);
}

size_t glyphs_widest_label(const Glyphs *glyphs)
{
    size_t widest = 0;
    for (size_t i = 0; i < glyphs->labels.count; i++) {
        size_t width = glyphs_label_width(glyphs, i);
        if (width > widest) widest = width;
    }
    return widest;
}

void glyphs_free(Glyphs *glyphs)
{
    bytes_free(&glyphs->text);
    spans_free(&glyphs->glyphs);
    spans_free(&glyphs->labels);
}
