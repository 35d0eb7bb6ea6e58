#include "render/markup.h"

#include "text/utf8.h"

static const char *reference_to(uint32_t code_point)
{
    switch (code_point) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\t':
    case '\n':
    case '\r':
        return " ";
    default:
        return NULL;
    }
}

void markup_write(Writer *out, const char *text, size_t length)
{
    for (size_t at = 0; at < length && !out->status;) {
        char bytes[4];
        uint32_t code_point = utf8_next(text, length, &at);
        const char *reference = reference_to(code_point);
        // "Char" of XML 1.0
        if (code_point < 0x20 || code_point == 0xFFFE || code_point == 0xFFFF)
            code_point = UTF8_REPLACEMENT;
        if (reference)
            writer_string(out, reference);
        else
            writer_bytes(out, bytes, utf8_encode(code_point, bytes));
    }
}
