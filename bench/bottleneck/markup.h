/* Writing XML and HTML until something fails. */
#ifndef REGARD_BENCH_BOTTLENECK_MARKUP_H
#define REGARD_BENCH_BOTTLENECK_MARKUP_H

#include "base/bytes.h"

// Once `status` is set, nothing more is written.
typedef struct Markup {
    Bytes *out;
    Status status;
    Error *error;
} Markup;

// Markup with values in it, as printf.
#define markup_write(markup, ...)                                                                  \
    do {                                                                                           \
        if (!(markup)->status)                                                                     \
            (markup)->status = bytes_append_format((markup)->out, (markup)->error, __VA_ARGS__);   \
    } while (0)

/* Any text, as content or as a quoted attribute: what would be markup is escaped, and what XML cannot hold (control
 * characters, bytes that are not UTF-8) becomes U+FFFD. */
void markup_text(Markup *markup, const char *text);

#endif
