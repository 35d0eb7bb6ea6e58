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

Status markup_text(Bytes *out, const char *text, size_t length, Error *error)
{
    Status status = STATUS_OK;
    for (size_t at = 0; at < length && !status;) {
        uint32_t code_point;
        char bytes[4];
        at += utf8_decode(text + at, length - at, &code_point, NULL);
        const char *reference = reference_to(code_point);
        // "Char" of XML 1.0
        if (code_point < 0x20 || code_point == 0xFFFE || code_point == 0xFFFF)
            code_point = UTF8_REPLACEMENT;
        status = reference ? bytes_append_string(out, reference, error)
                           : bytes_append(out, bytes, utf8_encode(code_point, bytes), error);
    }
    return status;
}
