#include "bench/bottleneck/markup.h"

#include "text/utf8.h"

#include <string.h>

void markup_text(Markup *markup, const char *text)
{
    size_t left = strlen(text);
    while (left > 0 && !markup->status) {
        uint32_t character;
        char encoded[4];
        size_t taken = utf8_decode(text, left, &character, NULL);
        if (character == '<') {
            markup_write(markup, "&lt;");
        } else if (character == '>') {
            markup_write(markup, "&gt;");
        } else if (character == '&') {
            markup_write(markup, "&amp;");
        } else if (character == '"') {
            markup_write(markup, "&quot;");
        } else {
            if (utf8_is_control(character)) character = UTF8_REPLACEMENT;
            size_t length = utf8_encode(character, encoded);
            if (!markup->status)
                markup->status = bytes_append(markup->out, encoded, length, markup->error);
        }
        text += taken;
        left -= taken;
    }
}
